#include "SwitchyardCYAML.h"
