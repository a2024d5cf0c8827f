/* SPDX-License-Identifier: BSD-3-Clause */
/* Multinomial loss of K classes: a row has K scores and one class c, and
 *     phi(u_1 ... u_K) = log(exp(u_1) + ... + exp(u_K)) - u_c,  slope p - e_c,  Hessian diag(p) - p p',  p = softmax(u)
 * The Hessian is at most (1/2) I. Score k of row i is u[k rows + i], and y there is 1 in row i's own class, else 0; w
 * is the same in all of them. The loops go over some rows at a time, class by class, so that they are done with
 * vectors. */
#include <math.h>

#include "base/elementary.h"
#include "base/level.h"
#include "base/vector.h"
#include "loss/loss.h"

enum { CHUNK = 64 };

/* u of some rows: the largest score, the class that has it, and the sum of exp(u - top) over all others. */
struct chunk {
    int64_t first, count, stride, classes;
    double top[CHUNK], at[CHUNK], rest[CHUNK];
};

/* The score k of row first + i at u + t du. */
struct line {
    const double *u, *du; /* du NULL: u itself */
    double t;
};

static inline double score(const struct line *line, int64_t where)
{
    return line->du ? line->u[where] + line->t * line->du[where] : line->u[where];
}

static inline void look(struct chunk *c, const struct line *line)
{
    for (int64_t i = 0; i < c->count; i++) {
        c->top[i] = score(line, c->first + i);
        c->at[i] = c->rest[i] = 0.0;
    }
    for (int64_t k = 1; k < c->classes; k++)
        for (int64_t i = 0; i < c->count; i++) {
            double u = score(line, k * c->stride + c->first + i);
            c->at[i] = u > c->top[i] ? (double)k : c->at[i];
            c->top[i] = u > c->top[i] ? u : c->top[i];
        }
    for (int64_t k = 0; k < c->classes; k++)
        for (int64_t i = 0; i < c->count; i++) {
            double e = portable_exp(score(line, k * c->stride + c->first + i) - c->top[i]);
            c->rest[i] += c->at[i] == (double)k ? 0.0 : e;
        }
}

static inline struct chunk chunk_at(const dcpn_loss *loss, int64_t first, int64_t end)
{
    int64_t count = end - first < CHUNK ? end - first : CHUNK;
    return (struct chunk){.first = first, .count = count, .stride = loss->rows, .classes = loss->width};
}

/* What a class's part of a row is made from. p = share / (1 + rest), 1 - p = other / (1 + rest), neither by a
 * difference that cancels: if class k is the top, its share is 1 and all others are the rest. */
struct part {
    double share, other;
};

static inline struct part part_of(const struct chunk *c, double u, int64_t k, int64_t i)
{
    double e = portable_exp(u - c->top[i]);
    int is_top = c->at[i] == (double)k;
    return (struct part){is_top ? 1.0 : e, is_top ? c->rest[i] : 1.0 + c->rest[i] - e};
}

static double value(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    double sum = 0.0;
    for (int64_t first = begin; first < end; first += CHUNK) {
        struct chunk c = chunk_at(loss, first, end);
        double own[CHUNK] = {0.0};
        look(&c, &(struct line){.u = u});
        for (int64_t k = 0; k < c.classes; k++)
            for (int64_t i = 0; i < c.count; i++) {
                int64_t at = k * c.stride + first + i;
                own[i] += loss->y[at] != 0.0 ? c.top[i] - u[at] : 0.0;
            }
        for (int64_t i = 0; i < c.count; i++) sum += loss->w[first + i] * (own[i] + portable_log1p(c.rest[i]));
    }
    return sum;
}

/* ---- changes ---- */

/* Over a step that is short in all scores, s: with q = sum p_k (exp(s_k) - 1), which is small,
 *     log(1 + q) - s_c = sum (p_k - [k = c]) s_k + (log(1 + q) - q) + sum p_k (exp(s_k) - 1 - s_k)
 * where the first sum, that of slopes times steps, is the only one of first order. */
static const double SHORT = 0.25;

static inline double short_change(const dcpn_loss *loss, const struct chunk *c, const struct line *line, int64_t i)
{
    double by_slope = 0.0, q = 0.0, beyond = 0.0, whole = 1.0 + c->rest[i];
    for (int64_t k = 0; k < c->classes; k++) {
        int64_t at = k * c->stride + c->first + i;
        double s = line->t * line->du[at], remainder = exponential_remainder(s);
        struct part part = part_of(c, line->u[at], k, i);
        by_slope += (loss->y[at] != 0.0 ? -part.other : part.share) * s;
        q += part.share * (s + remainder);
        beyond += part.share * remainder;
    }
    return (by_slope + beyond) / whole + logarithm_remainder(q / whole);
}

static inline double long_change(const dcpn_loss *loss, const struct chunk *from, const struct chunk *to,
                                 const struct line *line, int64_t i)
{
    double own = 0.0;
    for (int64_t k = 0; k < from->classes; k++) {
        int64_t at = k * from->stride + from->first + i;
        own += loss->y[at] != 0.0 ? line->t * line->du[at] : 0.0;
    }
    return (to->top[i] - from->top[i] - own) + (portable_log1p(to->rest[i]) - portable_log1p(from->rest[i]));
}

static double change(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du, double t)
{
    double sum = 0.0;
    const struct line line = {u, du, t};
    for (int64_t first = begin; first < end; first += CHUNK) {
        struct chunk from = chunk_at(loss, first, end), to = from;
        double longest[CHUNK] = {0.0};
        int any_long = 0;
        look(&from, &(struct line){.u = u});
        for (int64_t k = 0; k < from.classes; k++)
            for (int64_t i = 0; i < from.count; i++)
                longest[i] = fmax(longest[i], fabs(t * du[k * from.stride + first + i]));
        for (int64_t i = 0; i < from.count; i++) any_long |= !(longest[i] <= SHORT);
        if (any_long) look(&to, &line);
        for (int64_t i = 0; i < from.count; i++)
            sum += loss->w[first + i] * (longest[i] <= SHORT ? short_change(loss, &from, &line, i)
                                                             : long_change(loss, &from, &to, &line, i));
    }
    return sum;
}

/* ---- slopes and curvatures ---- */

enum wanted { SLOPE, SHARE, CURVATURE };

static inline void map(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out,
                       enum wanted wanted)
{
    for (int64_t first = begin; first < end; first += CHUNK) {
        struct chunk c = chunk_at(loss, first, end);
        look(&c, &(struct line){.u = u});
        for (int64_t k = 0; k < c.classes; k++)
            for (int64_t i = 0; i < c.count; i++) {
                int64_t at = k * c.stride + first + i;
                struct part part = part_of(&c, u[at], k, i);
                double w = loss->w[first + i], whole = 1.0 + c.rest[i];
                double slope = wanted == SLOPE && loss->y[at] != 0.0 ? -part.other : part.share;
                double curvature = part.share * (part.other / whole);
                out[at] = w * ((wanted == SLOPE ? slope : wanted == SHARE ? part.share : curvature) / whole);
            }
    }
}

static void slope1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out)
{
    map(loss, begin, end, u, out, SLOPE);
}

static void shares(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out)
{
    map(loss, begin, end, u, out, SHARE);
}

/* The diagonal of the Hessian of a row. */
static void curvature1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out)
{
    map(loss, begin, end, u, out, CURVATURE);
}

static double curvature1_sup(const dcpn_loss *loss)
{
    (void)loss;
    return 0.5;
}

const dcpn_loss_ops dcpn_loss_multinomial = {
    .name = "multinomial",
    .formula = "log(sum_k exp(u_k)) - u_y, one score u_k for each class",
    .targets = DCPN_MANY_CLASSES,
    .value = value,
    .value1 = value,
    .change = change,
    .change1 = change,
    .slope1 = slope1,
    .curvature1 = curvature1,
    .curvature1_sup = curvature1_sup,
    .shares = shares,
};
