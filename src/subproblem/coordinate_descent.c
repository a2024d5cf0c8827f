/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate descent on the quadratic model: with q_j = v_j + (Hd)_j,
 *     x_j + d_j <- soft(x_j + d_j - q_j / H_jj, c_j / H_jj)
 * in turn. A sweep over all coordinates is followed by sweeps over those in use, until they are solved. Every few of
 * them Anderson acceleration makes a guess; and where many are needed, they go on in the matrix H_UU, U in use.
 *
 * An intercept is correlated with every column that is not centred, and would make all of them slow. Where its moves
 * cost nothing it follows each move of another to where the model is least: the sweeps are then those of columns
 * centred with the weights of H, H_ij - H_i0 H_0j / H_00, and it is none of the coordinates in turn. */
#include <math.h>

#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "subproblem/anderson.h"
#include "subproblem/coordinate.h"
#include "subproblem/matrix_sweep.h"
#include "subproblem/orthant.h"
#include "subproblem/subproblem.h"

struct coordinate_descent {
    struct subsolver subsolver;
    int64_t *in_use;
    double *y; /* x + d on the coordinates in use */
    struct anderson anderson;
    int is_over; /* the driver wants to end */
    struct rng rng;
    /* The model on few coordinates, H being a matrix. */
    int64_t most, *all, *each; /* in the order of a sweep, and ascending */
    double *G, *v, *x, *d;
    struct orthant orthant;
    struct penalty h1;
    double *lower, *upper; /* of h1, if it has bounds */
    double *bend;          /* the curvature of h in the diagonal of G */
    struct matrix_metric H;
};

static const char *refusal(const struct metric_ops *metric, const struct loss *loss, int separable_penalty)
{
    if (!separable_penalty) return "coordinate-descent needs a separable penalty; use fista or forward-backward";
    if (!metric->walk.exists(loss))
        return "coordinate-descent needs the diagonal of the Hessian, which this f does not give; use fista or "
               "forward-backward";
    return NULL;
}

static void layout_small_model(struct coordinate_descent *solver, struct arena *arena)
{
    int64_t most = solver->most = solver->subsolver.most_in_matrix;
    solver->all = dcpn_arena_integers(arena, most);
    dcpn_orthant_layout(&solver->orthant, most, arena);
    solver->each = dcpn_arena_integers(arena, most);
    solver->G = dcpn_arena_scratch(arena, most * most);
    solver->v = dcpn_arena_scratch(arena, most);
    solver->x = dcpn_arena_scratch(arena, most);
    solver->d = dcpn_arena_scratch(arena, most);
    solver->h1.c = dcpn_arena_scratch(arena, most);
    solver->lower = dcpn_arena_scratch(arena, most);
    solver->upper = dcpn_arena_scratch(arena, most);
    solver->bend = dcpn_arena_scratch(arena, most);
    solver->H = (struct matrix_metric){{.ops = &dcpn_metric_matrix}, solver->G, dcpn_arena_scratch(arena, most)};
}

static void layout(struct subsolver *subsolver, struct arena *arena)
{
    struct coordinate_descent *solver = (struct coordinate_descent *)subsolver;
    solver->in_use = dcpn_arena_integers(arena, subsolver->size);
    solver->y = dcpn_arena_scratch(arena, subsolver->size);
    dcpn_anderson_layout(&solver->anderson, subsolver->size, arena);
    layout_small_model(solver, arena);
}

static void prepare(struct subsolver *subsolver)
{
    dcpn_rng_seed(&((struct coordinate_descent *)subsolver)->rng, 1);
}

static void state_of(struct subsolver *subsolver, struct state *state)
{
    DCPN_STATE(state, ((struct coordinate_descent *)subsolver)->rng);
}

/* Shuffles the list. In their natural order coordinates that belong together, like frequent words, follow each
 * other, and sweeps converge several times more slowly than in a random order. */
static void shuffle(struct rng *rng, int64_t count, int64_t *list)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t other = (int64_t)dcpn_rng_below(rng, (uint64_t)i + 1), kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
}

static double sweep(const struct quadratic_model *model, const int64_t *list, int64_t count, double *d)
{
    double largest = 0.0;
    void (*soon)(const struct metric *, int64_t) = model->H->ops->walk.soon;
    if (model->H->ops == &dcpn_metric_matrix && !model->h1->lower) return dcpn_matrix_sweep(model, list, count, d);
    for (int64_t i = 0; i < count; i++) {
        if (soon && i + CD_SOON < count) soon(model->H, list[i + CD_SOON]);
        largest = fmax(largest, dcpn_coordinate_minimize(model, list[i], d));
    }
    return largest;
}

/* Lists the coordinates in use, ascending. */
static int64_t find_in_use(struct coordinate_descent *solver, const struct quadratic_model *model, const double *d)
{
    int64_t count = 0;
    for (int64_t j = 0; j < dcpn_coordinates_in_turn(model); j++)
        if (d[j] != 0.0 || model->x[j] + d[j] != 0.0) solver->in_use[count++] = j;
    return count;
}

static double sweep_all(const struct quadratic_model *model, double *d)
{
    double largest = dcpn_coordinate_settle_intercept(model, d);
    void (*soon)(const struct metric *, int64_t) = model->H->ops->walk.soon;
    for (int64_t j = 0; j < dcpn_coordinates_in_turn(model); j++) {
        if (soon && j + CD_SOON < dcpn_coordinates_in_turn(model)) soon(model->H, j + CD_SOON);
        largest = fmax(largest, dcpn_coordinate_minimize(model, j, d));
    }
    return largest;
}

/* ---- Acceleration: a guess from the last sweeps, taken if the model is lower there ---- */

/* Tries a guess from the last sweeps. It is made for y = x + d, so that a coordinate that was 0 at all points is
 * exactly 0 in it. */
static void accelerate(struct coordinate_descent *solver, const struct quadratic_model *model, const int64_t *list,
                       int64_t count, double *d)
{
    double *y = solver->y;
    for (int64_t i = 0; i < count; i++) y[i] = model->x[list[i]] + d[list[i]];
    if (!dcpn_anderson_take(&solver->anderson, count, y)) return;
    for (int64_t i = 0; i < count; i++)
        solver->anderson.guess[i] = dcpn_penalty_clamp(model->h1, list[i], solver->anderson.guess[i]);
    dcpn_coordinates_take_if_lower(model, list, count, y, solver->anderson.guess, d);
}

/* ---- In a matrix: Newton's step to the minimum over the orthant of y = x + d, where h1 is linear ---- */

/* Is the coordinate at an edge of its box? A sweep would have moved it into the box if the model were lower there. */
static int is_held(const struct penalty *h1, int64_t i, double y)
{
    return h1->lower && (y <= h1->lower[i] || y >= h1->upper[i]);
}

/* Lists the coordinates whose y is neither 0 nor at an edge, and computes their residuals, minus the slopes of the
 * model. */
static void enter_orthant(struct coordinate_descent *solver, const struct quadratic_model *model, const double *d)
{
    struct orthant *orthant = &solver->orthant;
    orthant->count = 0;
    for (int64_t i = 0; i < model->size; i++) {
        double y = solver->y[i] = model->x[i] + d[i];
        if (y == 0.0 || is_held(model->h1, i, y)) continue;
        orthant->list[orthant->count++] = i;
        orthant->residual[i] = -(model->v[i] + solver->H.Gd[i] + copysign(model->h1->c[i], y));
    }
}

/* Returns how far along the step the first y reaches 0, or an edge of its box; 1 if none does. */
static double way_to_boundary(const struct coordinate_descent *solver, int64_t size)
{
    const struct penalty *h1 = &solver->h1;
    double t = 1.0;
    for (int64_t i = 0; i < size; i++) {
        double y = solver->y[i], s = solver->orthant.step[i];
        if (y * s < 0.0 && -y / s < t) t = -y / s;
        if (h1->lower && s != 0.0) t = fmin(t, ((s > 0.0 ? h1->upper[i] : h1->lower[i]) - y) / s);
    }
    return t;
}

/* Computes y + t step. Coordinates that would cross 0 are put at 0, and those that would leave their box at its
 * edge. */
static const double *step_to(struct coordinate_descent *solver, int64_t size, double t)
{
    double *reached = solver->orthant.image;
    for (int64_t i = 0; i < size; i++) {
        reached[i] = dcpn_penalty_clamp(&solver->h1, i, solver->y[i] + t * solver->orthant.step[i]);
        if (solver->y[i] * reached[i] <= 0.0) reached[i] = 0.0;
    }
    return reached;
}

/* Makes Newton's step with a factor, as far as the boundary of the orthant. Returns 0 if the model has no minimum
 * there. */
static int newton_in_orthant(struct coordinate_descent *solver, const struct quadratic_model *model, double *d)
{
    int64_t size = model->size;
    enter_orthant(solver, model, d);
    if (!dcpn_orthant_factor(&solver->orthant, size, solver->G)) return 0;
    dcpn_coordinates_move_to(model, solver->each, size, step_to(solver, size, way_to_boundary(solver, size)), d);
    solver->anderson.count = 0;
    return 1;
}

/* Makes Newton's step without a factor, by at most `most` products, and returns how many were made. It takes the
 * whole step, with coordinates that cross 0 left there, if the model is lower then; else it goes to the boundary of
 * the orthant. */
static int64_t iterate_in_orthant(struct coordinate_descent *solver, const struct quadratic_model *model, double enough,
                                  int64_t most, double *d)
{
    int64_t size = model->size;
    enter_orthant(solver, model, d);
    int64_t made = dcpn_orthant_iterate(&solver->orthant, size, solver->G, enough, most);
    if (!dcpn_coordinates_take_if_lower(model, solver->each, size, solver->y, step_to(solver, size, 1.0), d))
        dcpn_coordinates_move_to(model, solver->each, size, step_to(solver, size, way_to_boundary(solver, size)), d);
    solver->anderson.count = 0;
    return made;
}

/* ---- Sweeps over the coordinates in use, by walks or, once those have cost as much, in a matrix H_UU ---- */

static double cycle(struct coordinate_descent *solver, const struct quadratic_model *model, int64_t *list,
                    int64_t count, double enough, int64_t *sweeps_left, double *d);

/* Forms H on the coordinates in use, with the intercept where it follows to and with the curvature of h. */
static void form_matrix(struct coordinate_descent *solver, const struct quadratic_model *model, int64_t count)
{
    const int64_t *U = solver->in_use;
    model->H->ops->gram.form(model->H, U, count, solver->G);
    for (int64_t a = 0; a < count && model->intercept_follows; a++) {
        double pull = dcpn_coordinate_pull(model, U[a]);
        for (int64_t b = 0; b < count; b++)
            solver->G[a * count + b] += pull * model->H->ops->walk.coupling(model->H, U[b]);
    }
    for (int64_t a = 0; a < count; a++) solver->G[a * count + a] += solver->bend[a] = dcpn_coordinate_bend(model, U[a]);
}

/* Returns the model on the coordinates solver->in_use alone, around the present d. */
static struct quadratic_model restrict_model(struct coordinate_descent *solver, const struct quadratic_model *model,
                                             int64_t count, const double *d)
{
    int has_moved = dcpn_norm_max(model->size, d) > 0.0;
    solver->h1.lower = model->h1->lower ? solver->lower : NULL;
    solver->h1.upper = model->h1->lower ? solver->upper : NULL;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = solver->in_use[i];
        if (model->h1->lower) solver->lower[i] = model->h1->lower[j];
        if (model->h1->lower) solver->upper[i] = model->h1->upper[j];
        solver->v[i] = model->v[j];
        if (has_moved)
            solver->v[i] += model->H->ops->walk.product(model->H, d, j) + dcpn_coordinate_bend(model, j) * d[j];
        solver->x[i] = model->x[j] + d[j];
        solver->h1.c[i] = model->h1->c[j];
        solver->all[i] = solver->each[i] = i;
        solver->d[i] = 0.0;
    }
    form_matrix(solver, model, count);
    solver->H.metric.size = count;
    solver->H.metric.ops->walk.start(&solver->H.metric, solver->d);
    return (struct quadratic_model){&solver->H.metric, solver->v, solver->x, &solver->h1, count, NULL, 0};
}

/* y = x + d of the small model. */
static const double *sum_of(struct coordinate_descent *solver, int64_t count)
{
    for (int64_t i = 0; i < count; i++) solver->y[i] = solver->x[i] + solver->d[i];
    return solver->y;
}

/* Counts sweeps in a matrix as work, which touches no data. */
static void count_sweeps(const struct quadratic_model *model, int64_t count, int64_t sweeps)
{
    model->H->objective->design.beside += (int64_t)((double)sweeps * (double)count * (double)count / CD_CLOSE);
}

/* Sweeps in a matrix until the model is solved. Such sweeps cost little, and many of them count as one. When they
 * have cost as much as a factorisation, about n^3 / 6 products at n^2 a sweep, Newton's step is tried. If the
 * curvature of h leaves a large matrix without a minimum, the model is left as far as it is, and no matrix is formed
 * in the rest of the descent, since its next models are much like this one. */
static void cycle_in_matrix(struct coordinate_descent *solver, const struct quadratic_model *model, double enough,
                            int64_t *sweeps_left, double *d)
{
    struct quadratic_model small = restrict_model(solver, model, find_in_use(solver, model, d), d);
    int64_t left = CD_MATRIX_SWEEPS * *sweeps_left, patience = small.size / 6 + 10;
    while (left > 0 && !solver->is_over) {
        int64_t some = patience < left ? patience : left;
        left -= some;
        if (!(cycle(solver, &small, solver->all, small.size, enough, &some, solver->d) > enough)) break;
        if (newton_in_orthant(solver, &small, solver->d) || !model->bend || small.size <= CD_LAST_MATRIX) continue;
        solver->subsolver.has_failed = 1;
        break;
    }
    count_sweeps(model, small.size, CD_MATRIX_SWEEPS * *sweeps_left - left);
    *sweeps_left = left / CD_MATRIX_SWEEPS;
    dcpn_coordinates_move_to(model, solver->in_use, small.size, sum_of(solver, small.size), d);
}

/* Solves the model on solver->in_use in a matrix. A few sweeps find the coordinates that stay in use, and products
 * with the matrix do the rest; when those have cost as much as a factorisation, that is done instead. Returns the
 * sweeps and products made. */
static int64_t solve_in_matrix(struct coordinate_descent *solver, const struct quadratic_model *model, double enough,
                               int64_t most, double *d)
{
    struct quadratic_model small = restrict_model(solver, model, dcpn_coordinates_in_turn(model), d);
    int64_t made = 0, patience = small.size / 6 + 10;
    while (made < most && !solver->is_over) {
        int64_t left = CD_FEW_SWEEPS;
        double violation = cycle(solver, &small, solver->all, small.size, enough, &left, solver->d);
        made += CD_FEW_SWEEPS - left;
        if (!(violation > enough)) break;
        if (made < patience) {
            made += iterate_in_orthant(solver, &small, enough, patience - made, solver->d);
        } else {
            newton_in_orthant(solver, &small, solver->d);
            patience = made + small.size / 6 + 10;
        }
    }
    dcpn_coordinates_move_to(model, solver->in_use, small.size, sum_of(solver, small.size), d);
    count_sweeps(model, small.size, made);
    return made;
}

/* Asks whether to end, but not after a short sweep, which takes no longer than to look at the clock. */
static int should_end(const struct subsolver *subsolver, int64_t count)
{
    return count >= CD_LONG && subsolver->should_end && subsolver->should_end(subsolver->driver);
}

static double cycle(struct coordinate_descent *solver, const struct quadratic_model *model, int64_t *list,
                    int64_t count, double enough, int64_t *sweeps_left, double *d)
{
    const struct metric_ops *H = model->H->ops;
    int may_form = H->gram.sweeps && count <= solver->most && !solver->subsolver.has_failed;
    double violation = HUGE_VAL, enough_sweeps = may_form ? H->gram.sweeps(model->H, list, count) : HUGE_VAL;
    solver->anderson.count = 0;
    shuffle(&solver->rng, count, list);
    for (int64_t made = 0; violation > enough && *sweeps_left > 0 && !solver->is_over; made++, (*sweeps_left)--) {
        if ((double)made > enough_sweeps) {
            cycle_in_matrix(solver, model, enough, sweeps_left, d);
            return enough;
        }
        violation = sweep(model, list, count, d);
        solver->is_over = should_end(&solver->subsolver, count);
        if (violation > enough && solver->subsolver.extrapolates) accelerate(solver, model, list, count, d);
    }
    return violation;
}

/* Reduces the curvature of h, with which the model has no minimum, to a share of it. */
static void straighten(struct coordinate_descent *solver, int64_t size, double kept)
{
    for (int64_t i = 0; i < size; i++) {
        double less = (kept - 1.0) * solver->bend[i];
        solver->G[i * size + i] += less;
        solver->H.Gd[i] += less * solver->d[i];
        solver->bend[i] *= kept;
    }
}

/* Returns the violation to which a model is to be solved, after its first sweep. at_start is its violation at d = 0. */
static double enough_for(double tolerance, double violation, double at_start)
{
    return tolerance * fmin(fmax(violation / at_start, CD_LEAST_RATIO), 1.0);
}

/* Is the descent near its end? There the basin is settled, and Newton's step solves a model at once. Further away a
 * model that is solved well leads into other basins, and no lower ones. */
static int is_near_end(const struct quadratic_model *model, double at_start)
{
    return at_start < CD_NEAR * dcpn_norm_max(model->size, model->h1->c);
}

/* Solves the model on all coordinates, whose matrix is known. Returns the sweeps made. */
static int64_t solve_in_known_matrix(struct coordinate_descent *solver, const struct quadratic_model *model,
                                     double at_start, double tolerance, int64_t most, double *d)
{
    struct quadratic_model small = restrict_model(solver, model, dcpn_coordinates_in_turn(model), d);
    int is_near = is_near_end(&small, at_start), failures = 0;
    int64_t left = most, patience = is_near ? CD_FEW_SWEEPS / 2 : small.size / 6 + 10;
    double enough = CD_TIGHT * tolerance;
    while (left > 0 && !solver->is_over) {
        double violation = sweep(&small, solver->each, small.size, solver->d);
        if (left-- == most && !is_near) enough = enough_for(tolerance, violation, at_start);
        if (violation <= enough) break;
        int64_t some = patience < left ? patience : left, in_use = find_in_use(solver, &small, solver->d);
        left -= some;
        violation = cycle(solver, &small, solver->in_use, in_use, enough, &some, solver->d);
        left += some;
        if (violation > enough && !newton_in_orthant(solver, &small, solver->d))
            straighten(solver, small.size, failures++ < CD_MOST_HALVINGS ? 0.5 : 0.0);
    }
    dcpn_coordinates_move_to(model, solver->each, small.size, sum_of(solver, small.size), d);
    count_sweeps(model, small.size, most - left);
    return most - left;
}

/* The largest violation at d = 0, where q = v. */
static double violation_at_start(const struct quadratic_model *model)
{
    double largest = 0.0;
    for (int64_t j = 0; j < model->size; j++)
        largest = fmax(largest, dcpn_coordinate_violation(model, j, model->x[j], model->v[j]));
    return largest;
}

/* Is the last coordinate an intercept that may go anywhere, at no cost? */
static int intercept_can_follow(const struct quadratic_model *model)
{
    const struct metric *H = model->H;
    int64_t last = model->size - 1;
    int is_free =
        model->h1->c[last] == 0.0 && (!model->h1->lower || isinf(model->h1->lower[last] - model->h1->upper[last]));
    return H->ops->walk.coupling && H->objective->size - H->objective->features == 1 && is_free;
}

/* Counts the entries of the columns that take turns. */
static double entries_in_turn(const struct quadratic_model *model)
{
    const dcpn_matrix *A = model->H->objective->design.A;
    double entries = 0.0;
    for (int64_t j = 0; j < dcpn_coordinates_in_turn(model); j++) entries += (double)A->ops->column_entries(A, j);
    return entries;
}

/* Should the whole model go into a matrix at once? That pays if the last descent of a path took many sweeps, as this
 * one then will, and if sweeps in a matrix take no longer than sweeps over the data, whose entries are far apart. */
static int belongs_in_matrix(struct coordinate_descent *solver, const struct quadratic_model *model)
{
    const struct metric_ops *H = model->H->ops;
    int64_t count = dcpn_coordinates_in_turn(model);
    if (!(solver->subsolver.foreseen > CD_MANY_SWEEPS) || !H->gram.sweeps) return 0;
    double entries = entries_in_turn(model), all = (double)count * (double)model->H->objective->rows;
    if (count > solver->most || (double)count * (double)count > CD_SQUARE * 2.0 * entries) return 0;
    for (int64_t j = 0; j < count; j++) solver->in_use[j] = j;
    double share = entries >= all ? CD_FULL_IN_MATRIX : CD_IN_MATRIX;
    return solver->subsolver.foreseen > share * H->gram.sweeps(model->H, solver->in_use, count);
}

/* Are products of columns kept from model to model, and columns not much shorter than rows of the matrix? How many
 * of the products are there already is not asked, because what a descent does must not depend on the descents before
 * it. */
static int belongs_in_kept_matrix(struct coordinate_descent *solver, const struct quadratic_model *model)
{
    const struct metric_ops *H = model->H->ops;
    int64_t count = dcpn_coordinates_in_turn(model);
    if (!H->gram.is_kept || count > solver->most || !H->gram.is_kept(model->H)) return 0;
    if ((double)count * (double)count > CD_CLOSE * 2.0 * entries_in_turn(model)) return 0;
    for (int64_t j = 0; j < count; j++) solver->in_use[j] = j;
    return 1;
}

/* Each violation in a sweep is seen when its coordinate has its turn, so that they belong to many points. Where
 * columns are correlated they are far below the violations at any one point. So what counts is how far they fall
 * from the first sweep on. */
static int64_t solve(struct subsolver *subsolver, const struct quadratic_model *asked, double tolerance,
                     int64_t max_iterations, double *d)
{
    struct coordinate_descent *solver = (struct coordinate_descent *)subsolver;
    struct quadratic_model followed = *asked, *model = &followed;
    int64_t sweeps_left = max_iterations;
    double at_start = violation_at_start(model), enough = 0.0;
    model->intercept_follows = intercept_can_follow(model);
    model->H->ops->walk.start(model->H, d);
    solver->is_over = 0;
    subsolver->models++;
    if (belongs_in_matrix(solver, model)) {
        dcpn_coordinate_settle_intercept(model, d);
        int64_t made = solve_in_matrix(solver, model, CD_TIGHT * tolerance, CD_MATRIX_SWEEPS * max_iterations, d);
        subsolver->made +=
            fmin((double)made, subsolver->foreseen); /* sweeps over the data would not have been tighter */
        return made / CD_MATRIX_SWEEPS + 1;
    }
    if (belongs_in_kept_matrix(solver, model)) {
        dcpn_coordinate_settle_intercept(model, d);
        int64_t made = solve_in_known_matrix(solver, model, at_start, tolerance, CD_MATRIX_SWEEPS * max_iterations, d);
        subsolver->made += (double)made;
        return made / CD_MATRIX_SWEEPS + 1;
    }
    while (sweeps_left > 0 && !solver->is_over) {
        double violation = sweep_all(model, d);
        if (sweeps_left-- == max_iterations) enough = enough_for(tolerance, violation, at_start);
        if (violation <= enough) break;
        cycle(solver, model, solver->in_use, find_in_use(solver, model, d), enough, &sweeps_left, d);
    }
    subsolver->made += (double)(max_iterations - sweeps_left);
    return max_iterations - sweeps_left;
}

const struct subsolver_ops dcpn_subsolver_coordinate_descent = {
    .name = "coordinate-descent",
    .formula = "x_j + d_j <- soft(x_j + d_j - q_j / H_jj, c_j / H_jj), q = v + H d",
    .state_size = sizeof(struct coordinate_descent),
    .walks = 1,
    .refusal = refusal,
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .state = state_of,
};
