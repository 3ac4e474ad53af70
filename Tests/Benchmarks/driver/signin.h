// Whole sign-ins, as an app and a browser make them together.
#pragma once

#include "connection.h"

// The state of one thread of the driver. Its connections stay open between units of work, except the browser's: a callback always
// comes on a new one.
typedef struct worker {
    SSL_CTX *context;
    endpoint server;   // the API of the gateway, or Apache
    endpoint browser;  // where callbacks go
    unsigned short public_port;  // that they name; another than the browser's where several gateways share one
    endpoint issuer;
    const char *begin;  // the content of begin, where the caller chooses it
    connection to_server, to_issuer, to_browser;
    answer last;  // what came last, to explain a failure
} worker;

// begin -> wait -> issuer -> callback on a new connection -> collect
bool sign_in_at_gateway(worker *self);

// begin -> wait -> start_url -> issuer -> callback, each of the browser's on a new connection -> collect, sealed or not
bool sign_in_by_start(worker *self);

// protected page -> issuer -> redirect URI on a new connection, which has to set a session
bool sign_in_at_apache(worker *self);
