/* SPDX-License-Identifier: BSD-3-Clause */
/* A glance at all columns, and a look at those that can matter. */
#include "working_set/bounded_gradient.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "objective/objective.h"

static const double SLACK = 1e-8; /* of the slope of the penalty: far more than rounding adds to a bound */

dcpn_status dcpn_glance_new(dcpn_context *context, struct byte_copy *coarse, struct glance **glance)
{
    size_t room = (size_t)coarse->count + 2; /* an intercept, and one that is looked at and not taken */
    struct glance *made = *glance = dcpn_allocate(context, 1, sizeof *made);
    if (!made) {
        dcpn_byte_copy_free(context, coarse);
        return DCPN_MEMORY;
    }
    *made = (struct glance){.coarse = coarse, .count = -1};
    made->found = dcpn_allocate(context, room, sizeof *made->found);
    made->columns = dcpn_allocate(context, room, sizeof *made->columns);
    made->before = dcpn_allocate(context, room, sizeof *made->before);
    made->bounds = dcpn_allocate(context, room, sizeof *made->bounds);
    made->r = dcpn_allocate(context, (size_t)coarse->rows, sizeof *made->r);
    made->slopes = dcpn_allocate(context, (size_t)coarse->room, sizeof *made->slopes);
    if (made->found && made->columns && made->before && made->bounds && made->r && made->slopes) {
        for (int64_t j = 0; j < coarse->room; j++) made->slopes[j] = 0.0F;
        return DCPN_OK;
    }
    dcpn_glance_free(context, made);
    *glance = NULL;
    return DCPN_MEMORY;
}

void dcpn_glance_free(dcpn_context *context, struct glance *glance)
{
    if (!glance) return;
    dcpn_byte_copy_free(context, glance->coarse);
    dcpn_free(context, glance->found);
    dcpn_free(context, glance->columns);
    dcpn_free(context, glance->before);
    dcpn_free(context, glance->r);
    dcpn_free(context, glance->slopes);
    dcpn_free(context, glance->bounds);
    dcpn_free(context, glance);
}

static void take_columns(void *user, int64_t first, int64_t count)
{
    struct glance *glance = user;
    dcpn_byte_copy_take_some(glance->coarse, glance->A, first, count);
}

int dcpn_glance_goes_along(struct glance *glance, struct column_work *work)
{
    *work = (struct column_work){take_columns, glance};
    return glance->is_stale && dcpn_byte_copy_takes_in_place(glance->A);
}

void dcpn_glance_renew(struct glance *glance)
{
    if (glance->is_stale) dcpn_byte_copy_take(glance->coarse, glance->A);
    glance->is_stale = 0;
}

static int is_in_use(const struct objective *F, const struct point *point, int64_t j)
{
    return point->x[j] != 0.0 || F->penalty.c[j] == 0.0;
}

/* Columns whose slope may be above a share of that of the penalty. Returns how many. */
static int64_t find_above(struct glance *glance, const struct objective *F, double share)
{
    int64_t count = 0;
    glance->sought.limit = F->penalty.factors ? -1.0 : share * F->penalty.c[0];
    int64_t found = dcpn_byte_copy_list(glance->coarse, &glance->sought, glance->found, glance->bounds);
    if (!F->penalty.factors) return found;
    for (int64_t i = 0; i < found; i++) {
        glance->found[count] = glance->found[i];
        count += !(glance->bounds[i] <= share * F->penalty.c[glance->found[i]]);
    }
    return count;
}

/* From j on. Where all features are penalised that is quick. */
static int64_t next_in_use(const struct objective *F, const struct point *point, int64_t j)
{
    if (!F->penalty.factors && F->penalty.c[0] > 0.0) j = dcpn_next_nonzero(F->features, point->x, j);
    while (j < F->size && !is_in_use(F, point, j)) j++;
    return j;
}

/* Both those that were found and those in use, ascending. */
static void merge_columns(struct glance *glance, const struct objective *F, const struct point *point, int64_t found)
{
    int64_t count = 0, next = 0, used = next_in_use(F, point, 0);
    while (next < found || used < F->size) {
        int64_t j = next < found && glance->found[next] < used ? glance->found[next] : used;
        glance->columns[count++] = j;
        next += next < found && glance->found[next] == j;
        if (used == j) used = next_in_use(F, point, j + 1);
    }
    glance->count = count;
}

static void read_columns(struct objective *F, const struct point *point, const int64_t *columns, int64_t count)
{
    struct column_subset view;
    double *products = F->glance->bounds;
    dcpn_matrix_subset(&view, F->design.A, columns);
    view.base.columns = count;
    F->design.touched += view.base.ops->adjoint(&view.base, F->r, products);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = columns[i];
        point->gradient[j] = j < F->features ? products[i] + F->ridge * point->x[j] : products[i];
    }
}

/* The same r as at the last look, at another lambda or once more. With a ridge the gradient is not a matter of r alone. */
static int is_known(const struct glance *glance, const struct objective *F)
{
    return glance->knows_r && glance->count >= 0 && F->ridge == 0.0 &&
           memcmp(glance->r, F->r, (size_t)F->rows * sizeof *glance->r) == 0;
}

/* Of all columns as the copy has them. */
static void read_copy(struct glance *glance, struct objective *F, const struct point *point)
{
    glance->sought = (struct sought){.g = {glance->slopes, glance->slopes}, .c = {1.0, 0.0}};
    F->design.touched += dcpn_byte_copy_read(glance->coarse, F->r, glance->slopes, &glance->sought.reach);
    for (int64_t j = 0; j < F->features; j++) point->gradient[j] = (double)glance->slopes[j];
    dcpn_copy(F->rows, F->r, glance->r);
    glance->knows_r = 1;
}

/* Reads the columns that the last look did not read; those that it alone did are as the copy has them, as if it had not
 * been: what follows does not depend on whether there was one. */
static void read_others(struct glance *glance, struct objective *F, const struct point *point, int64_t before)
{
    int64_t count = 0, next = 0;
    for (int64_t i = 0; i < glance->count; i++) {
        for (; next < before && glance->before[next] < glance->columns[i]; next++)
            point->gradient[glance->before[next]] = (double)glance->slopes[glance->before[next]];
        int was_read = next < before && glance->before[next] == glance->columns[i];
        next += was_read;
        if (!was_read) glance->found[count++] = glance->columns[i];
    }
    for (; next < before; next++)
        point->gradient[glance->before[next]] = (double)glance->slopes[glance->before[next]];
    read_columns(F, point, glance->found, count);
}

void dcpn_glance_look(struct objective *F, const struct point *point)
{
    struct glance *glance = F->glance;
    int64_t before = is_known(glance, F) ? glance->count : 0, *swapped = glance->before;
    glance->before = glance->columns;
    glance->columns = swapped;
    if (before == 0) read_copy(glance, F, point);
    merge_columns(glance, F, point, find_above(glance, F, 1.0 - SLACK));
    read_others(glance, F, point, before);
}

void dcpn_glance_read(struct objective *F, const struct point *point, double share)
{
    struct glance *glance = F->glance;
    int64_t count = 0;
    if (glance->count < 0) return;
    glance->knows_r = 0; /* what is read now is listed nowhere */
    int64_t found = find_above(glance, F, fmin(share, 1.0 - SLACK));
    for (int64_t i = 0; i < found; i++) {
        glance->found[count] = glance->found[i];
        count += !is_in_use(F, point, glance->found[i]);
    }
    read_columns(F, point, glance->found, count);
}
