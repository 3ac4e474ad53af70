// libyaml: the event parser, whose marks give the line and column of every value.
#ifndef SWITCHYARD_CYAML_H
#define SWITCHYARD_CYAML_H

#include <yaml.h>

#endif
