#include "core/files.h"
