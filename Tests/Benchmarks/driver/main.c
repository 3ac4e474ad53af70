// The load driver of the benchmarks. Prints one line of JSON: what was done, and how long a unit took.
//
//   driver gateway THREADS SECONDS ISSUER API_PORT CALLBACKS_PORT [PUBLIC_PORT]
//                                                                   whole sign-ins; ISSUER is "http:PORT" or "https:PORT"
//   driver start   THREADS SECONDS ISSUER API_PORT CALLBACKS_PORT BODY
//                                                                   the same by start_url; BODY is the content of begin
//   driver apache  THREADS SECONDS ISSUER PORT                      the same, with mod_auth_openidc
//   driver replay  PORT STATUS FILE                                 each line's target once, on one keep-alive connection
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "signin.h"

enum { MOST_UNITS = 1 << 20 };  // of one thread

typedef struct run {
    worker worker;
    bool (*unit)(worker *);
    double deadline;
    int expected_status;  // of a replay
    float *microseconds;
    size_t done;
    pthread_t thread;
} run;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void give_up(const run *self, const char *what) {
    fprintf(stderr, "%s failed; the last answer was %d:\n%s\n\n%.500s\n", what, self->worker.last.status,
            self->worker.last.head ? self->worker.last.head : "", self->worker.last.body ? self->worker.last.body : "");
    exit(1);
}

static void *work(void *argument) {
    run *self = argument;
    worker *worker = &self->worker;
    if (!connection_open(&worker->to_server, &worker->server, worker->context) ||
        !connection_open(&worker->to_issuer, &worker->issuer, worker->context)) {
        give_up(self, "connecting");
    }
    for (double start = now(); start < self->deadline && self->done < MOST_UNITS;) {
        if (!self->unit(worker)) give_up(self, "a sign-in");
        double end = now();
        self->microseconds[self->done++] = (float)((end - start) * 1e6);
        start = end;
    }
    connection_close(&worker->to_server);
    connection_close(&worker->to_issuer);
    return NULL;
}

static void replay(run *self, FILE *file) {
    worker *worker = &self->worker;
    if (!connection_open(&worker->to_server, &worker->server, worker->context)) give_up(self, "connecting");
    char line[4 << 10], request[5 << 10];
    while (self->done < MOST_UNITS && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        snprintf(
            request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nAccept: text/html\r\n\r\n", line,
            worker->server.port);
        double start = now();
        if (!connection_exchange(&worker->to_server, request, &worker->last) ||
            worker->last.status != self->expected_status) {
            give_up(self, "a replay");
        }
        self->microseconds[self->done++] = (float)((now() - start) * 1e6);
    }
    connection_close(&worker->to_server);
}

static int ascending(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static void report(run *runs, size_t count, double seconds) {
    size_t total = 0;
    for (size_t i = 0; i < count; i++) total += runs[i].done;
    float *all = calloc(total + 1, sizeof *all);
    if (all == NULL || total == 0) exit(1);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        memcpy(all + next, runs[i].microseconds, runs[i].done * sizeof *all);
        next += runs[i].done;
    }
    qsort(all, total, sizeof *all, ascending);
    printf("{\"count\":%zu,\"seconds\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f}\n", total, seconds,
           (double)all[total / 2], (double)all[total * 99 / 100]);
    free(all);
}

static endpoint issuer_at(const char *text) {
    const char *port = strchr(text, ':');
    return (endpoint){.port = port ? (unsigned short)atoi(port + 1) : 0, .tls = strncmp(text, "https:", 6) == 0};
}

static endpoint tls_port(const char *text) {
    return (endpoint){.port = (unsigned short)atoi(text), .tls = true};
}

static void sign_in(int argc, char **argv, SSL_CTX *context) {
    bool is_started = strcmp(argv[1], "start") == 0, is_gateway = is_started || strcmp(argv[1], "gateway") == 0;
    int threads = atoi(argv[2]);
    run *runs = calloc((size_t)threads, sizeof *runs);
    double start = now();
    for (int i = 0; i < threads; i++) {
        run *self = &runs[i];
        self->unit = is_started ? sign_in_by_start : is_gateway ? sign_in_at_gateway : sign_in_at_apache;
        self->worker.begin = is_started ? argv[7] : NULL;
        self->deadline = start + atof(argv[3]);
        self->microseconds = calloc(MOST_UNITS, sizeof *self->microseconds);
        self->worker.context = context;
        self->worker.issuer = issuer_at(argv[4]);
        self->worker.server = tls_port(argv[5]);
        self->worker.browser = tls_port(argv[is_gateway ? 6 : 5]);
        self->worker.public_port = (unsigned short)atoi(argv[is_started ? 6 : argc - 1]);
        pthread_create(&self->thread, NULL, work, self);
    }
    for (int i = 0; i < threads; i++) pthread_join(runs[i].thread, NULL);
    report(runs, (size_t)threads, now() - start);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    SSL_CTX *context = client_context();
    if (context == NULL) return 1;
    if (((argc == 7 || argc == 8) && strcmp(argv[1], "gateway") == 0) ||
        (argc == 8 && strcmp(argv[1], "start") == 0) || (argc == 6 && strcmp(argv[1], "apache") == 0)) {
        sign_in(argc, argv, context);
        return 0;
    }
    FILE *file = argc == 5 && strcmp(argv[1], "replay") == 0 ? fopen(argv[4], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "see the head of main.c for the usage\n");
        return 2;
    }
    run *self = calloc(1, sizeof *self);
    self->worker.context = context;
    self->worker.server = tls_port(argv[2]);
    self->expected_status = atoi(argv[3]);
    self->microseconds = calloc(MOST_UNITS, sizeof *self->microseconds);
    double start = now();
    replay(self, file);
    report(self, 1, now() - start);
    return 0;
}
