#include "SwitchyardCJansson.h"
