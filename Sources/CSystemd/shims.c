#include "SwitchyardCSystemd.h"
