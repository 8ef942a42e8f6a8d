#include "core/params.h"
