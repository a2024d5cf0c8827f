/* SPDX-License-Identifier: BSD-3-Clause */
/* The loss as the solver sees it: f(x) = phi(u), u = A x + offset, on all rows at once. */
#ifndef DCPN_SRC_LOSS_H
#define DCPN_SRC_LOSS_H

#include "base/arena.h"
#include "dcpn/extend.h"

/* Either a sum over rows or `own`, the caller's smooth function of the whole vector u. The rows take `rows`, or in
 * turns `rows` and `unlabelled` if there are runs, but the last one `balance` if that has ops. The three tables share y
 * and w. */
struct loss {
    dcpn_loss rows, unlabelled, balance;
    const int64_t *runs; /* where each run of rows begins: first one with labels (of 0 rows, perhaps), then one without,
                          * and so on; NULL: all have labels */
    int64_t run_count;
    const dcpn_smooth *own; /* NULL: a sum over rows */
    int first_only;         /* phi1 in the place of phi: the convex problems of DCA */
    int is_exact;           /* sums over rows are exact, and over all ranks */
    dcpn_context *context;  /* its threads share the blocks of rows */
    double *partial;        /* one sum per block */
    double *trial;          /* own: the point u + t du */
};

void dcpn_loss_layout(struct loss *loss, struct arena *arena);

double dcpn_loss_value(const struct loss *loss, const double *u);
/* phi(u + t du) - phi(u) */
double dcpn_loss_change(const struct loss *loss, const double *u, const double *du, double t);
/* The same for several t. Where sums are exact they are one message. */
enum { DCPN_MOST_TRIALS = 4 };
void dcpn_loss_changes(const struct loss *loss, const double *u, const double *du, int count, const double *t,
                       double *changes);
void dcpn_loss_slope1(const struct loss *loss, const double *u, double *r); /* phi1'(u) */
void dcpn_loss_slope2(const struct loss *loss, const double *u, double *r); /* phi2'(u) */
/* On some rows, of a loss that is a sum over rows. */
void dcpn_loss_slope1_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r);
void dcpn_loss_slope2_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r);
void dcpn_loss_curvature1(const struct loss *loss, const double *u, double *c); /* phi1''(u), the diagonal */
void dcpn_loss_curvature2(const struct loss *loss, const double *u, double *c); /* phi2''(u), if the loss has it */
void dcpn_loss_touching1(const struct loss *loss, const double *u, double *c);  /* its parabolas, or phi1''(u) */
double dcpn_loss_curvature1_sup(const struct loss *loss);                       /* of one row, weight 1; 0: not known */
void dcpn_loss_shares(const struct loss *loss, const double *u, double *s); /* of a loss with several scores a row */
double dcpn_loss_least(const struct loss *loss); /* inf phi, each row by itself: what the deviance counts from */

/* Some rows, gathered: room for each of them. */
struct some_rows {
    int64_t count, *rows;
    double *du; /* the change of u */
    double *u, *y, *w;
};
void dcpn_some_rows_layout(struct some_rows *some, int64_t most, struct arena *arena);
/* phi(u + t du) - phi(u), du being 0 on all other rows. Not for the caller's own. */
double dcpn_loss_change_on(const struct loss *loss, const double *u, double t, struct some_rows *some);
/* Adds its terms, of the rows of this rank, to a sum that does not depend on who adds. */
struct full_sum;
void dcpn_loss_add_change_on(const struct loss *loss, const double *u, double t, struct some_rows *some,
                             struct full_sum *sum);

int dcpn_loss_has_scores(const struct loss *loss); /* several a row, that share something */
int dcpn_loss_is_coupled(
    const struct loss *loss); /* no sum over rows: product1 is there, and nothing on some rows alone */
void dcpn_loss_product1(const struct loss *loss, const double *u, const double *E, double *out);
int dcpn_loss_has_phi2(const struct loss *loss);
int dcpn_loss_has_curvature(const struct loss *loss);  /* a diagonal */
int dcpn_loss_has_curvature2(const struct loss *loss); /* phi2 is not 0, and its second derivative is known */

/* The logarithm of the probability of class k of ordered ones, where score + intercepts[k] are the log odds of a class
 * above it. */
double dcpn_ordinal_log_share(int64_t classes, const double *intercepts, double score, int64_t k);

/* of rows with a label */
extern const dcpn_loss_ops dcpn_loss_squared, dcpn_loss_logistic, dcpn_loss_squared_hinge, dcpn_loss_huber,
    dcpn_loss_welsch, dcpn_loss_quantile, dcpn_loss_poisson, dcpn_loss_negative_binomial, dcpn_loss_gamma,
    dcpn_loss_multinomial, dcpn_loss_ordinal, dcpn_loss_cox, dcpn_loss_smooth_ramp;
/* of rows without one */
extern const dcpn_loss_ops dcpn_loss_transductive, dcpn_loss_symmetric_gaussian, dcpn_loss_symmetric_sigmoid,
    dcpn_loss_symmetric_ramp, dcpn_loss_symmetric_squared_hinge;

#endif
