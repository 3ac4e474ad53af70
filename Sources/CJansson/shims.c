#include "CJansson.h"
