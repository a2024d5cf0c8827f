/* SPDX-License-Identifier: BSD-3-Clause */
/* One metric on one small problem, at some iterate, for the tests of metrics. */
#ifndef DCPN_TESTS_CONFORMANCE_SCENE_H
#define DCPN_TESTS_CONFORMANCE_SCENE_H

#include "base/rng.h"
#include "support/conformance_problem.h"

enum { SCENE_SIZE = 16, SCENE_ITERATES = 9 };

/* One metric on one problem, at some iterate. */
struct scene {
    const struct small_problem *data;
    dcpn_solver *solver;
    struct algorithm *a;
    struct metric *H;
    struct naive F;
    int64_t size;
    char name[128];
    double M[SCENE_SIZE * SCENE_SIZE];
    int iterate;
    double x_before[SCENE_SIZE], gradient1_before[SCENE_SIZE]; /* for a check that looks at pairs */
    int64_t safeguards_before;
};

typedef void scene_check(struct scene *scene);

/* Checks a metric on every loss and several problems, along a few iterates; majorize: where it can majorise. */
void with_metric(const char *metric, int majorize, scene_check *check);
void on_every_metric(int majorize, scene_check *check);

/* A solver for the squared loss on the first recipe, at x = 0, its metric updated once. */
void begin_scene(struct scene *scene, struct small_problem *data, const char *metric, int64_t memory);
void end_scene(struct scene *scene, struct small_problem *data);

void move_randomly(struct scene *scene, struct rng *rng, double length);
/* Updates the metric after a step t: its lower bound. */
double updated(struct scene *scene, double t);
/* Rounding of one entry of a product with H. */
double product_rounding(const struct scene *scene);

/* Checks for any metric. */
void check_symmetric(struct scene *scene);
void check_bounds(struct scene *scene);

#endif
