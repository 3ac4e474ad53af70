// libcjose: JWS, JWE and JWK. It names libjansson's types in its interface.
#ifndef SWITCHYARD_CJOSE_H
#define SWITCHYARD_CJOSE_H

#include <cjose/cjose.h>
#include <jansson.h>

#endif
