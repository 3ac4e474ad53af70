#include "SwitchyardCSQLite.h"
