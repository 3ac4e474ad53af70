#include "SwitchyardCCurl.h"
