#include "core/record.h"
