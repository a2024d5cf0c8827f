/* SPDX-License-Identifier: BSD-3-Clause */
/* A group has the weight that it was given, or the root of its size where blocks have a norm and 1 where they have not.
 * Columns without entries are no members, but count for the size. */
#include "problem/grouped_columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/sort.h"

struct making {
    dcpn_context *context;
    const dcpn_problem *given;
    const struct composition *composition;
    struct grouped_columns *groups;
    int64_t *place; /* of a feature among the columns, from 1; 0: it is none */
    int64_t *group; /* that a feature was last found in, from 1; 0: none */
    int64_t *found; /* nested groups: how many features of each stand in the present one */
    int64_t *order; /* likewise: the groups by their size */
};

static dcpn_status refuse_overlap(const struct making *m, int64_t feature, int64_t group)
{
    return dcpn_fail(m->context, DCPN_USAGE,
                     "groups: found feature %lld in the groups %lld and %lld, expected it in one: --grouping %s does "
                     "not take groups that overlap; latent and sum do, and tree takes nested ones",
                     (long long)feature + 1, (long long)m->group[feature], (long long)group + 1, m->composition->name);
}

static dcpn_status refuse_crossing(const struct making *m, int64_t feature, int64_t group)
{
    return dcpn_fail(m->context, DCPN_USAGE,
                     "groups: found feature %lld in the groups %lld and %lld, each of which has features that the "
                     "other has not, expected one within the other: --grouping tree takes nested groups; latent and "
                     "sum take any",
                     (long long)feature + 1, (long long)m->group[feature], (long long)group + 1);
}

/* Refuses a group that has some but not all features of one that was added before; a smaller one was. */
static dcpn_status check_nesting(const struct making *m, int64_t group)
{
    const struct given_groups *groups = &m->given->groups;
    const int64_t *member = groups->member + groups->start[group];
    int64_t size = groups->start[group + 1] - groups->start[group];
    for (int64_t i = 0; i < size; i++) m->found[m->group[member[i]]]++;
    int64_t crossing = -1;
    for (int64_t i = 0; i < size; i++) {
        int64_t inner = m->group[member[i]];
        if (inner > 0 && m->found[inner] != groups->start[inner] - groups->start[inner - 1]) crossing = member[i];
    }
    for (int64_t i = 0; i < size; i++) m->found[m->group[member[i]]] = 0;
    return crossing < 0 ? DCPN_OK : refuse_crossing(m, crossing, group);
}

/* Within a block that has one term, features cannot have factors of their own. */
static dcpn_status check_factors(const struct making *m, int64_t group)
{
    const dcpn_problem *p = m->given;
    const int64_t *member = p->groups.member + p->groups.start[group];
    if (!p->factors || m->composition->takes_inner) return DCPN_OK;
    for (int64_t i = 1; i < p->groups.start[group + 1] - p->groups.start[group]; i++)
        if (p->factors[member[i]] != p->factors[member[0]])
            return dcpn_fail(
                m->context, DCPN_USAGE,
                "groups: found the penalty factors %g of feature %lld and %g of feature %lld in group %lld, expected "
                "one for a group; give the group a weight",
                p->factors[member[0]], (long long)member[0] + 1, p->factors[member[i]], (long long)member[i] + 1,
                (long long)group + 1);
    return DCPN_OK;
}

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void end_block(struct grouped_columns *groups, int64_t end, double weight, double extent)
{
    int64_t begin = groups->start[groups->count];
    if (end == begin) return; /* none of its features is a column */
    qsort(groups->member + begin, (size_t)(end - begin), sizeof *groups->member, compare);
    groups->extent[groups->count] = extent;
    groups->weight[groups->count++] = weight;
    groups->start[groups->count] = end;
}

static double weight_of(const struct making *m, int64_t group)
{
    const dcpn_problem *p = m->given;
    if (p->groups.weight && !isnan(p->groups.weight[group])) return p->groups.weight[group];
    return m->composition->separable_h1 ? 1.0 : sqrt((double)(p->groups.start[group + 1] - p->groups.start[group]));
}

static dcpn_status add_group(struct making *m, int64_t group)
{
    const dcpn_problem *p = m->given;
    int64_t end = m->groups->start[m->groups->count];
    DCPN_TRY(check_factors(m, group));
    if (m->composition->overlap == DCPN_OVERLAP_NESTED) DCPN_TRY(check_nesting(m, group));
    for (int64_t k = p->groups.start[group]; k < p->groups.start[group + 1]; k++) {
        int64_t feature = p->groups.member[k];
        int may_overlap =
            m->composition->overlap == DCPN_OVERLAP_SHARED || m->composition->overlap == DCPN_OVERLAP_NESTED;
        if (m->group[feature] && !may_overlap)
            return refuse_overlap(m, feature, group);
        m->group[feature] = group + 1;
        if (m->place[feature]) m->groups->member[end++] = m->place[feature] - 1;
    }
    end_block(m->groups, end, weight_of(m, group), (double)(p->groups.start[group + 1] - p->groups.start[group]));
    return DCPN_OK;
}

static void add_single(struct making *m, int64_t feature)
{
    int64_t end = m->groups->start[m->groups->count];
    if (m->group[feature] || !m->place[feature]) return;
    m->groups->member[end] = m->place[feature] - 1;
    end_block(m->groups, end + 1, 1.0, 1.0);
}

static dcpn_status fill(struct making *m, const int64_t *column, int64_t columns)
{
    int64_t features = dcpn_problem_features(m->given);
    for (int64_t k = 0; k < columns; k++) m->place[column ? column[k] : k] = k + 1;
    for (int64_t g = 0; g < m->given->groups.count; g++) DCPN_TRY(add_group(m, m->order ? m->order[g] : g));
    for (int64_t j = 0; j < features; j++) add_single(m, j);
    return DCPN_OK;
}

/* Orders the groups by their size, so that those within others come first; of equal ones any may. */
static dcpn_status order_by_size(struct making *m)
{
    const struct given_groups *groups = &m->given->groups;
    double *size = dcpn_allocate(m->context, (size_t)groups->count, sizeof *size);
    m->order = dcpn_allocate(m->context, (size_t)groups->count, sizeof *m->order);
    m->found = dcpn_allocate(m->context, (size_t)groups->count + 1, sizeof *m->found);
    int is_made = size && m->order && m->found;
    for (int64_t g = 0; is_made && g <= groups->count; g++) m->found[g] = 0;
    for (int64_t g = 0; is_made && g < groups->count; g++) {
        size[g] = (double)(groups->start[g + 1] - groups->start[g]);
        m->order[g] = g;
    }
    if (is_made) dcpn_sort_by(size, m->order, groups->count);
    dcpn_free(m->context, size);
    return is_made ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status make(struct making *m, const int64_t *column, int64_t columns)
{
    const dcpn_problem *p = m->given;
    int64_t features = dcpn_problem_features(p), most = p->groups.count + features;
    m->groups->start = dcpn_allocate(m->context, (size_t)most + 1, sizeof *m->groups->start);
    m->groups->member =
        dcpn_allocate(m->context, (size_t)(p->groups.start[p->groups.count] + features), sizeof *m->groups->member);
    m->groups->weight = dcpn_allocate(m->context, (size_t)most, sizeof *m->groups->weight);
    m->groups->extent = dcpn_allocate(m->context, (size_t)most, sizeof *m->groups->extent);
    m->place = dcpn_allocate(m->context, 2 * (size_t)features, sizeof *m->place);
    if (!m->groups->start || !m->groups->member || !m->groups->weight || !m->groups->extent || !m->place)
        return DCPN_MEMORY;
    m->group = m->place + features;
    for (int64_t j = 0; j < 2 * features; j++) m->place[j] = 0;
    m->groups->start[0] = 0;
    if (m->composition->overlap == DCPN_OVERLAP_NESTED) DCPN_TRY(order_by_size(m));
    return fill(m, column, columns);
}

dcpn_status dcpn_grouped_columns_new(dcpn_context *context, const dcpn_problem *given, const int64_t *column,
                                     int64_t columns, const struct composition *composition,
                                     struct grouped_columns *groups)
{
    struct making making = {.context = context, .given = given, .composition = composition, .groups = groups};
    *groups = (struct grouped_columns){0};
    if (!composition) return DCPN_OK;
    dcpn_status status = make(&making, column, columns);
    dcpn_free(context, making.place);
    dcpn_free(context, making.found);
    dcpn_free(context, making.order);
    return status;
}

dcpn_status dcpn_grouped_classes_new(dcpn_context *context, int64_t columns, int64_t scores,
                                     struct grouped_columns *groups)
{
    *groups = (struct grouped_columns){.count = columns};
    groups->start = dcpn_allocate(context, (size_t)columns + 1, sizeof *groups->start);
    groups->member = dcpn_allocate(context, (size_t)(columns * scores), sizeof *groups->member);
    groups->weight = dcpn_allocate(context, (size_t)columns, sizeof *groups->weight);
    groups->extent = dcpn_allocate(context, (size_t)columns, sizeof *groups->extent);
    if (!groups->start || !groups->member || !groups->weight || !groups->extent) return DCPN_MEMORY;
    for (int64_t j = 0; j <= columns; j++) groups->start[j] = j * scores;
    for (int64_t j = 0; j < columns; j++) {
        groups->weight[j] = 1.0;
        groups->extent[j] = (double)scores;
        for (int64_t k = 0; k < scores; k++) groups->member[j * scores + k] = k * columns + j;
    }
    return DCPN_OK;
}

/* Fills the blocks of a group, one for each score or one for all of them. */
static void repeat_block(const struct grouped_columns *of_one, int64_t b, const struct scores_of_groups *how,
                         struct grouped_columns *groups)
{
    int64_t count = of_one->start[b + 1] - of_one->start[b], *end = &groups->start[groups->count];
    const int64_t *member = of_one->member + of_one->start[b];
    for (int64_t k = 0; k < how->scores; k++) {
        int64_t from = k == 0 || !how->are_together ? *end : end[1];
        for (int64_t m = 0; m < count; m++) groups->member[from + m] = k * how->columns + member[m];
        end[1] = from + count;
        groups->weight[groups->count] = of_one->weight[b];
        groups->extent[groups->count] = of_one->extent[b] * (double)(how->are_together ? how->scores : 1);
        if (how->are_together && k + 1 < how->scores) continue;
        groups->count++;
        end++;
    }
}

dcpn_status dcpn_grouped_scores_new(dcpn_context *context, const struct grouped_columns *of_one,
                                    const struct scores_of_groups *how, struct grouped_columns *groups)
{
    int64_t blocks = of_one->count * (how->are_together ? 1 : how->scores);
    *groups = (struct grouped_columns){0};
    groups->start = dcpn_allocate(context, (size_t)blocks + 1, sizeof *groups->start);
    groups->member =
        dcpn_allocate(context, (size_t)(how->scores * of_one->start[of_one->count]), sizeof *groups->member);
    groups->weight = dcpn_allocate(context, (size_t)blocks, sizeof *groups->weight);
    groups->extent = dcpn_allocate(context, (size_t)blocks, sizeof *groups->extent);
    if (!groups->start || !groups->member || !groups->weight || !groups->extent) return DCPN_MEMORY;
    groups->start[0] = 0;
    for (int64_t b = 0; b < of_one->count; b++) repeat_block(of_one, b, how, groups);
    return DCPN_OK;
}

void dcpn_grouped_columns_free(dcpn_context *context, struct grouped_columns *groups)
{
    dcpn_free(context, groups->start);
    dcpn_free(context, groups->member);
    dcpn_free(context, groups->weight);
    dcpn_free(context, groups->extent);
}
