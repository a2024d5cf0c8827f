/* SPDX-License-Identifier: BSD-3-Clause */
/* Of far more features than rows a descent looks at all columns again and again, and nearly none matters. So it glances at a
 * copy in bytes, and reads what may matter. The copy is taken as A is read for the first time, and costs less than a look. */
#include "working_set/wide.h"

#include "matrix/copy_rows.h"

enum {
    WIDE = 8,       /* features for each row: of fewer, many matter */
    LEAST = 500,    /* features, */
    MANY = 1 << 19, /* and entries for a fit by itself: fewer are soon read */
};

int dcpn_can_shorten(const dcpn_solver *s)
{
    const struct objective *F = &s->algorithm->objective;
    if (!s->active_set || !s->settings.screening || s->checkpoint || s->compact.column || s->parts.balance) return 0;
    if (s->reads_all || F->loss.own || !dcpn_penalty_separable(&F->penalty)) return 0;
    return dcpn_matrix_is_full(s->problem->A);
}

/* The columns as the solver has them, standardised or not. */
static const dcpn_matrix *columns_of(const dcpn_solver *solver)
{
    return solver->standardized ? solver->standardized : solver->problem->A;
}

/* A search looks so often that any copy pays. A path has a screen instead, but for its searches; a short list is given the
 * glance that it has. */
static int pays(const dcpn_solver *s)
{
    const struct objective *F = &s->algorithm->objective;
    if (!dcpn_can_shorten(s) || !dcpn_solver_can_glance(s) || (F->glance && !s->glance)) return 0;
    if (F->features < WIDE * F->rows || F->features < LEAST) return 0;
    return s->search || (!F->screen && F->features * F->rows >= MANY && dcpn_byte_copy_takes_in_place(columns_of(s)));
}

static dcpn_status make(dcpn_solver *solver)
{
    const dcpn_matrix *A = columns_of(solver);
    struct byte_copy *coarse;
    DCPN_TRY(dcpn_byte_copy_room(solver->context, A->rows, A->columns, &coarse));
    DCPN_TRY(dcpn_glance_new(solver->context, coarse, &solver->glance));
    solver->glance->A = A;
    solver->glance->is_stale = 1;
    dcpn_solver_set_glance(solver, solver->glance);
    return DCPN_OK;
}

void dcpn_wide_free(dcpn_solver *solver)
{
    if (!solver->glance) return;
    dcpn_solver_set_glance(solver, NULL);
    dcpn_glance_free(solver->context, solver->glance);
    solver->glance = NULL;
}

dcpn_status dcpn_wide_start(dcpn_solver *solver)
{
    if (pays(solver)) return solver->glance ? DCPN_OK : make(solver);
    dcpn_wide_free(solver);
    return DCPN_OK;
}
