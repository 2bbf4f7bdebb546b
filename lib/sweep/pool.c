/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of members, dealt to threads in their order and committed in their order by the thread that called. A block is a
 * slot of a ring: dealt, taken by a thread, done, committed, free again; so at most as many wait as there are slots. The lock
 * is held to take a slot and to give it back, never while members step. */
#include "parts.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A block takes about so many seconds and bytes, once it is known how long a member takes; the smallest has as many members
 * as step at once. */
static const double block_seconds = 0.25, block_bytes = 1 << 20;
enum { LEAST = 8 };
/* [ns] The caller looks so often whether the sweep is to end. */
enum { LOOK = 50 * 1000 * 1000 };

typedef enum place { FREE, DEALT, TAKEN, DONE } place;

typedef struct slot {
    place place;
    ph_member_block block;
} slot;

typedef struct pool {
    ph_sweep *sweep;
    const ph_sweep_job *job;
    pthread_mutex_t lock;
    pthread_cond_t dealt, done;
    slot *ring; /* (slots) */
    size_t slots;
    uint64_t next_dealt, next_taken,
        next_committed;    /* counts of blocks; their slots are these modulo `slots` */
    int64_t position, end; /* what is to be dealt next, and where that ends */
    bool open;             /* options.deal may have more */
    int64_t each;          /* of what it has dealt, so many for a thread */
    double pace;           /* [s] of one member; 0: not known yet */
    bool over;             /* threads are to end */
} pool;

typedef struct thread {
    pthread_t id;
    pool *pool;
    ph_sweep_worker *worker;
} thread;

/* ---- A thread ----------------------------------------------------------------------------------------- */

static slot *slot_of(pool *p, uint64_t number)
{
    return &p->ring[number % p->slots];
}

static void *run_thread(void *self)
{
    const thread *t = self;
    pool *p = t->pool;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->over && p->next_taken == p->next_dealt)
            pthread_cond_wait(&p->dealt, &p->lock);
        if (p->over)
            break;
        slot *s = slot_of(p, p->next_taken++);
        s->place = TAKEN;
        pthread_mutex_unlock(&p->lock);
        ph_sweep_worker_run(t->worker, &s->block);
        pthread_mutex_lock(&p->lock);
        s->place = DONE;
        pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- Dealing -------------------------------------------------------------------------------------------- */

static double member_bytes(const ph_sweep *s)
{
    return (double)s->all.rows * (double)s->n_columns * sizeof(double);
}

/* How many members the next block has: whole groups of LEAST, and towards the end fewer, so that all threads end at about
 * the same time. */
static int64_t block_size(const pool *p)
{
    const double left = (double)(p->end - p->position);
    double n = p->pace > 0 ? block_seconds / p->pace : LEAST;
    n = fmin(n, block_bytes / member_bytes(p->sweep));
    n = fmin(n, left / (2.0 * p->sweep->threads));
    n = LEAST * fmax(1, floor(n / LEAST));
    if (member_bytes(p->sweep) > 32 * block_bytes) /* of members with many rows each is a block */
        n = 1;
    if (p->job->dealt)
        n = fmin(n, (double)p->each);
    return (int64_t)fmin(n, left);
}

double ph_sweep_memory(const ph_sweep *s)
{
    const double one = member_bytes(s);
    return (2 * s->threads + 1) * (one > 32 * block_bytes ? one : fmax(block_bytes, LEAST * one));
}

/* Deals blocks as long as there are free slots. Called with the lock held. */
static ph_status deal(pool *p, ph_error *err)
{
    while (p->position < p->end && p->next_dealt - p->next_committed < p->slots) {
        slot *s = slot_of(p, p->next_dealt);
        ph_block_clear(&s->block);
        s->block.count = block_size(p);
        s->block.first = p->position;
        s->block.list = p->job->list ? p->job->list + p->position : NULL;
        ph_status status = ph_block_make_room(p->sweep, &s->block, err);
        if (status)
            return status;
        s->place = DEALT;
        p->position += s->block.count;
        p->next_dealt++;
        pthread_cond_signal(&p->dealt);
    }
    return PH_OK;
}

/* Asks for further members when all are dealt and no more blocks wait than there are threads: they are busy meanwhile, and
 * none waits here that another rank could run. Called without the lock: the thread that called alone changes what is asked. */
static ph_status ask_for_more(pool *p, uint64_t waiting, ph_error *err)
{
    ph_sweep *s = p->sweep;
    int64_t first = 0, count = 0;
    if (!p->open || p->position < p->end || waiting >= (uint64_t)s->threads ||
        p->next_dealt - p->next_committed == p->slots)
        return PH_OK;
    ph_status status = s->options.deal(s->options.self, s, &first, &count, err);
    if (status)
        return status;
    if (count < 0 || (count && (first < s->all.first || first > s->all.end - count)))
        return ph_fail(
            err, PH_E_RANGE, "%lld members from %lld on were dealt: they are not among %lld to %lld",
            (long long)count, (long long)first, (long long)s->all.first, (long long)s->all.end - 1);
    p->open = count > 0;
    p->position = first;
    p->end = first + count;
    p->each = (count + s->threads - 1) / s->threads;
    s->due += count;
    return PH_OK;
}

/* ---- The caller ------------------------------------------------------------------------------------------ */

static double wall_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

ph_status ph_sweep_ask(ph_sweep *s, ph_error *err)
{
    const ph_sweep_options *o = &s->options;
    if (s->started > 0 && wall_clock() - s->started >= s->wall_clock) {
        s->reason = "wall-clock";
        return ph_fail(err, PH_E_INTERRUPTED, "the time limit of %g s was reached", s->wall_clock);
    }
    const char *reason = NULL, *by = NULL; /* also set where it is not to end */
    if (!o->stop || !o->stop(o->self, &reason, &by))
        return PH_OK;
    s->reason = reason;
    s->by = by;
    return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
}

/* s->ahead <- members that are being run, in parts of them. Called with the lock held. */
static void look_ahead(pool *p)
{
    ph_sweep *s = p->sweep;
    const double steps = fmax(1, (double)ph_scenario_steps(s->first));
    s->ahead = 0;
    for (uint64_t i = p->next_committed; i < p->next_dealt; i++) {
        slot *at = slot_of(p, i);
        const double count = (double)at->block.count;
        s->ahead +=
            at->place == DONE
                ? count
                : fmin(count, (double)atomic_load_explicit(&at->block.done, memory_order_relaxed) / steps);
    }
}

/* The first of the blocks that are not committed is done: it is, without the lock. */
static ph_status commit_first(pool *p, ph_error *err)
{
    slot *s = slot_of(p, p->next_committed);
    ph_member_block *b = &s->block;
    pthread_mutex_unlock(&p->lock);
    p->sweep->cpu_seconds += b->cpu_seconds;
    ph_status status =
        b->status ? ph_fail(err, b->status, "%s", b->error.message) : p->job->commit(p->sweep, b, err);
    pthread_mutex_lock(&p->lock);
    if (b->count && b->cpu_seconds > 0)
        p->pace = b->cpu_seconds / (double)b->count;
    s->place = FREE;
    p->next_committed++;
    return status;
}

/* Waits until a block is done, or some time has passed. Called with the lock held. */
static void wait_for_blocks(pool *p)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&p->done, &p->lock, &until);
}

static ph_status run_blocks(pool *p, ph_error *err)
{
    ph_sweep *s = p->sweep;
    const ph_sweep_options *o = &s->options;
    ph_status status = PH_OK;
    pthread_mutex_lock(&p->lock);
    while (!status && (p->open || p->position < p->end || p->next_committed < p->next_dealt)) {
        const uint64_t waiting = p->next_dealt - p->next_taken;
        pthread_mutex_unlock(&p->lock);
        status = ph_sweep_ask(s, err);
        if (!status)
            status = ask_for_more(p, waiting, err);
        pthread_mutex_lock(&p->lock);
        if (!status)
            status = deal(p, err);
        if (!status && p->next_committed < p->next_dealt && slot_of(p, p->next_committed)->place != DONE)
            wait_for_blocks(p);
        if (!status && slot_of(p, p->next_committed)->place == DONE)
            status = commit_first(p, err);
        look_ahead(p);
        pthread_mutex_unlock(&p->lock);
        if (o->progress)
            o->progress(o->self, s);
        pthread_mutex_lock(&p->lock);
    }
    p->over = true;
    if (status)
        atomic_store(&s->halt, true);
    pthread_cond_broadcast(&p->dealt);
    pthread_mutex_unlock(&p->lock);
    return status;
}

/* ---- The pool ---------------------------------------------------------------------------------------------- */

/* Threads block all signals: they are the caller's. */
static ph_status start(thread *t, ph_error *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&t->id, NULL, run_thread, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code ? ph_fail(err, PH_E_NO_MEMORY, "no thread can be started: %s", strerror(code)) : PH_OK;
}

static ph_status run_threads(pool *p, thread *threads, ph_error *err)
{
    ph_status status = PH_OK;
    int n = 0, started = 0;
    for (; n < p->sweep->threads && !status; n++) {
        threads[n].pool = p;
        status = ph_sweep_worker_create(p->sweep, p->job->again, &threads[n].worker, err);
    }
    for (; started < p->sweep->threads && !status; started += !status)
        status = start(&threads[started], err);
    if (status) {
        pthread_mutex_lock(&p->lock);
        p->over = true;
        pthread_cond_broadcast(&p->dealt);
        pthread_mutex_unlock(&p->lock);
    } else {
        status = run_blocks(p, err);
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i].id, NULL);
    for (int i = 0; i < n; i++)
        ph_sweep_worker_free(threads[i].worker);
    return status;
}

ph_status ph_sweep_pool(ph_sweep *s, const ph_sweep_job *job, ph_error *err)
{
    const size_t slots = 2 * (size_t)s->threads + 1;
    thread *threads = calloc((size_t)s->threads, sizeof *threads);
    pool p = {
        .sweep = s, .job = job, .slots = slots, .position = job->first, .end = job->end, .open = job->dealt};
    p.ring = calloc(slots, sizeof *p.ring);
    ph_status status = PH_E_NO_MEMORY;
    atomic_store(&s->halt, false);
    s->started = wall_clock();
    if (threads && p.ring) {
        pthread_mutex_init(&p.lock, NULL);
        pthread_cond_init(&p.dealt, NULL);
        pthread_cond_init(&p.done, NULL);
        status = run_threads(&p, threads, err);
        pthread_cond_destroy(&p.done);
        pthread_cond_destroy(&p.dealt);
        pthread_mutex_destroy(&p.lock);
    } else {
        ph_fail(err, status, "out of memory");
    }
    for (size_t i = 0; i < slots && p.ring; i++)
        ph_block_free(&p.ring[i].block);
    free(p.ring);
    free(threads);
    s->ahead = 0;
    return status;
}
