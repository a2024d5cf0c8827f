/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives an algorithm from a start to an end. What is policy lives here: when to stop, what is saved and what is shown.
 * What is mathematics lives in the algorithm.
 *
 * The work of a descent is counted in entries of A: those that its steps touch, and all of them for each look. What
 * lookers and kept products spare is counted nevertheless, so that a limit on the work, like every other, ends a
 * descent at the same step with and without them. */
#include <math.h>

#include "algorithm/algorithm.h"
#include "algorithm/journal.h"

static int is_stationary(struct algorithm *a, double goal)
{
    return a->stationarity <= goal && a->residual <= goal && (!a->ops->is_done || a->ops->is_done(a));
}

/* Did F change by little, and not just in passing from falling to rising? */
static int is_calm(const struct algorithm *a, const struct effort *effort, int *calm)
{
    int is_small = fabs(a->search.change) <= effort->little * fabs(a->point.value - a->search.change);
    *calm = is_small ? *calm + 1 : 0;
    return effort->little > 0.0 && *calm >= effort->calm;
}

static double work_of(const struct algorithm *a)
{
    return (double)a->objective.design.touched + (double)a->objective.design.beside;
}

static void look(struct algorithm *a, struct descent *d)
{
    dcpn_algorithm_look(a);
    d->work += (double)a->objective.design.A->entries;
}

/* Recomputes u from x, on ranks alone. Each rank has only its part of u, so that u is not saved there but follows
 * from x between two steps; any number of ranks thus goes on from the same u. */
static void stand_at_x(struct algorithm *a)
{
    if (!a->objective.design.A->ops->by_ranks || a->is_afresh) return;
    dcpn_point_add_columns(&a->objective, &a->point);
    dcpn_objective_forget_product(&a->objective);
    a->is_by_columns = 1;
}

/* Makes one step. Returns 0, with the outcome set, if there was none. */
static int step(struct algorithm *a, const struct effort *effort, struct watch *watch, struct descent *d)
{
    double before = work_of(a);
    a->is_afresh = a->is_by_columns = 0;
    int stepped = a->ops->step(a);
    if (stepped) stand_at_x(a);
    d->work += work_of(a) - before;
    d->inner += a->direction.iterations;
    d->trials += a->search.trials;
    if (!stepped) d->outcome = a->stationarity <= effort->goal ? DCPN_CONVERGED : DCPN_STALLED;
    d->steps += stepped;
    watch->steps += stepped;
    return stepped;
}

/* Makes steps from a point that has been looked at. Returns 1 if the last point has been looked at as well. */
static int iterate(struct algorithm *a, const struct effort *effort, struct watch *watch,
                   struct journal_stream *journal, int *calm, struct descent *d)
{
    for (;;) {
        dcpn_watch_step(watch, a, effort->is_shown);
        d->outcome = DCPN_CONVERGED;
        if (is_stationary(a, effort->goal)) return 1;
        d->outcome = DCPN_MAX_ITERATIONS;
        if (d->steps >= effort->steps || (effort->work > 0.0 && d->work >= effort->work)) return 1;
        dcpn_journal_consider(journal, a, *calm, d);
        if (dcpn_watch_ends(watch)) {
            if (!watch->is_cut) dcpn_journal_stop(journal, a, *calm, d);
            d->outcome = watch->reason;
            return 1;
        }
        if (!step(a, effort, watch, d)) {
            if (watch->is_cut && dcpn_watch_ends(watch)) d->outcome = watch->reason;
            return 1;
        }
        if (is_calm(a, effort, calm)) {
            d->outcome = DCPN_RELATIVE_CHANGE;
            return 0;
        }
        look(a, d);
    }
}

/* Evaluates the end from x alone, since u = A x may have been carried along by updates, and looks at it if need be. */
static void certify(struct algorithm *a, const struct effort *effort, int has_looked, struct descent *d)
{
    if (!a->is_afresh) {
        dcpn_point_evaluate(&a->objective, &a->point);
        a->is_by_columns = 0;
    }
    int is_known = a->is_afresh && has_looked;
    a->is_afresh = 1;
    if (effort->is_loose || is_known) return;
    look(a, d);
    if (d->outcome == DCPN_STALLED && a->stationarity <= effort->goal) d->outcome = DCPN_CONVERGED;
}

struct descent dcpn_descend(struct algorithm *a, const struct effort *effort, struct watch *watch)
{
    struct descent d = {.outcome = DCPN_CONVERGED};
    struct journal_stream *journal = watch->is_over ? NULL : watch->journal; /* what follows an early end is not kept */
    int calm = 0;
    a->goal = effort->goal;
    dcpn_algorithm_set_watch(a, watch);
    dcpn_journal_open(journal, a, effort);
    if (dcpn_journal_replay(journal, a, effort, watch, &d)) return d;
    a->ops->start(a, effort);
    a->is_afresh = 1;
    a->is_by_columns = 0;
    int64_t touched = dcpn_journal_restore(journal, a, effort, &calm, &d);
    if (touched < 0)
        look(a, &d);
    else
        dcpn_algorithm_look(a); /* this look was counted before the run was saved */
    if (touched >= 0) a->objective.design.touched = touched;
    do {
        int has_looked = iterate(a, effort, watch, journal, &calm, &d);
        certify(a, effort, has_looked, &d);
        dcpn_watch_step(watch, a, effort->is_shown);
    } while (!effort->is_loose && d.outcome == DCPN_CONVERGED && effort->goal > 0.0 && a->stationarity > effort->goal);
    if (a->ops->sweeps) d.sweeps = a->ops->sweeps(a);
    int was_told = watch->is_over && d.outcome == watch->reason;
    dcpn_journal_close(journal, a, !was_told, &d);
    return d;
}
