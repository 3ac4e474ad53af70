#include "SwitchyardCJOSE.h"
