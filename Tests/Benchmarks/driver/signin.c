#define _GNU_SOURCE
#include "signin.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 8 << 10 };

// The path and query of an absolute URL.
static const char *target_of(const char *url) {
    const char *authority = strstr(url, "://");
    return authority == NULL ? NULL : strchr(authority + 3, '/');
}

// Copies a member of a flat JSON object. The values need no escapes.
static bool json_text(const char *json, const char *name, char *out, size_t size) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *value = strstr(json, key);
    if (value == NULL) return false;
    value += strlen(key);
    size_t length = strcspn(value, "\"\\");
    if (value[length] != '"' || length >= size) return false;
    memcpy(out, value, length);
    out[length] = 0;
    return true;
}

// The browser at the issuer, which shows no page. Returns the callback's address.
static bool visit_issuer(worker *self, const char *url, char *callback) {
    const char *target = target_of(url);
    if (target == NULL) return false;
    char request[LONGEST];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", target, self->issuer.port);
    return connection_exchange(&self->to_issuer, request, &self->last) && self->last.status == 302 &&
           answer_field(&self->last, "\r\nLocation: ", '\r', callback, LONGEST);
}

// The callback, on a connection of its own. The answer stays in `last`.
static bool bring_callback(worker *self, const char *callback, const char *cookie) {
    const char *target = target_of(callback);
    if (target == NULL || !connection_open(&self->to_browser, &self->browser, self->context)) return false;
    char request[2 * LONGEST];
    snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n%s%s\r\n\r\n", target, self->public_port,
        cookie[0] == 0 ? "Accept: text/html" : "Accept: text/html\r\nCookie: ", cookie);
    bool answered = connection_exchange(&self->to_browser, request, &self->last);
    connection_close(&self->to_browser);
    return answered;
}

// Begins with this content. The answer stays in `last`.
static bool begin(worker *self, const char *body, char *id, size_t id_size, char *token, size_t token_size) {
    char request[LONGEST];
    snprintf(
        request, sizeof request,
        "POST /v1/requests HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\n\r\n%s",
        self->server.port, strlen(body), body);
    return connection_exchange(&self->to_server, request, &self->last) && self->last.status == 201 &&
           json_text(self->last.body, "id", id, id_size) &&
           json_text(self->last.body, "result_token", token, token_size);
}

// The app waits for the outcome from now on, as apps do: before the browser is at the issuer.
static bool wait_for_outcome(worker *self, const char *id, const char *token) {
    char request[LONGEST];
    snprintf(
        request, sizeof request,
        "GET /v1/requests/%s HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\nPrefer: wait=10\r\n\r\n",
        id, self->server.port, token);
    return connection_send(&self->to_server, request);
}

static bool collect(worker *self) {
    return connection_receive(&self->to_server, &self->last) && self->last.status == 200 &&
           strstr(self->last.body, "\"status\":\"completed\"") != NULL;
}

bool sign_in_at_gateway(worker *self) {
    char id[128], token[256], url[LONGEST], callback[LONGEST];
    return begin(self, "{\"app\":\"com.contoso.app1\"}", id, sizeof id, token, sizeof token) &&
           json_text(self->last.body, "authorization_url", url, sizeof url) && wait_for_outcome(self, id, token) &&
           visit_issuer(self, url, callback) && bring_callback(self, callback, "") && self->last.status == 303 &&
           collect(self) &&
           strstr(self->last.body, "\"id_token_claims\"") != NULL;
}

bool sign_in_by_start(worker *self) {
    char id[128], token[256], url[LONGEST], callback[LONGEST];
    return begin(self, self->begin, id, sizeof id, token, sizeof token) &&
           json_text(self->last.body, "start_url", url, sizeof url) && wait_for_outcome(self, id, token) &&
           bring_callback(self, url, "") && self->last.status == 303 && answer_field(&self->last, "\r\nLocation: ", '\r', callback, sizeof callback) &&
           visit_issuer(self, callback, url) && bring_callback(self, url, "") && self->last.status == 303 &&
           collect(self);
}

bool sign_in_at_apache(worker *self) {
    char request[LONGEST], url[LONGEST], callback[LONGEST], cookie[LONGEST];
    snprintf(
        request, sizeof request, "GET /protected/ HTTP/1.1\r\nHost: localhost:%d\r\nAccept: text/html\r\n\r\n",
        self->server.port);
    if (!connection_exchange(&self->to_server, request, &self->last) || self->last.status != 302) return false;
    if (!answer_field(&self->last, "\r\nLocation: ", '\r', url, sizeof url) ||
        !answer_field(&self->last, "\r\nSet-Cookie: ", ';', cookie, sizeof cookie)) {
        return false;
    }
    return visit_issuer(self, url, callback) && bring_callback(self, callback, cookie) && self->last.status == 302 &&
           strstr(self->last.head, "\r\nSet-Cookie: mod_auth_openidc_session") != NULL &&
           strstr(self->last.head, "/protected/\r\n") != NULL;
}
