/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers that were chosen: how soon, how far, how many. A user chooses settings; these are what the library chose.
 *
 * A comment says what a number is and what is known of it. "Measured": values were compared. "Measured with it": the
 * part that uses it was measured with this value, and no record of others was kept. "Not tuned": it was set and left.
 * The documents tell more of most measurements. A comment followed by several numbers is about all of them.
 *
 * Sizes of tiles, buffers and tables, and the number of entries from which threads pay, never change a result and stand
 * beside their loops. */
#ifndef DCPN_SRC_TUNING_H
#define DCPN_SRC_TUNING_H

/* ---- objective/lipschitz.c: the curvature of f1 along a direction, by the power method ---- */

/* Steps of the power method. Not tuned. */
enum { POWER_ITERATIONS = 30 };

/* A bound may be so much above the largest eigenvalue, as a share of itself. 0.1 takes 50 to 60 products, 0.01 150. */
static const double LANCZOS_SLACK = 0.1;

/* The probability that it is none. */
static const double LANCZOS_DOUBT = 1e-12;

/* A direction of this share of the first image is rounding: no further one is orthogonal to those before. Not tuned. */
static const double LANCZOS_ENDS = 1e-14;

/* ---- metric/hessian.c: H = A'WA + ridge I + diag(mu) ---- */

/* mu_j is this share of the diagonal entry that column j could have at the largest curvature. Not tuned. */
static const double HESSIAN_MU = 1e-8;

/* No weight in W is below this share of the largest curvature at the point. Measured: 1e-6 of the largest curvature
 * that there can be made separable data crawl (classic, lambda 2, theta 0.2: 465 iterations, 46 with this). */
static const double HESSIAN_FLOOR = 1e-11;

/* The floor itself is no lower than this share of the largest curvature that there can be. Not tuned. */
static const double HESSIAN_LEAST_FLOOR = 1e-14;

/* The curvature of a non-convex loss does not go below this share of phi1''. Measured with it: clipping at all takes
 * 3 to 11 times fewer passes on four problems with unlabelled rows than the curvature of phi1; other shares were not
 * compared. */
static const double HESSIAN_CLIP = 0.01;

/* ---- metric/identity.c: H = L I ---- */

/* L is this many times the largest eigenvalue found, which the power method approaches from below. Not tuned. */
static const double IDENTITY_MARGIN = 1.05;

/* L is multiplied by this after a step that did not have to be shortened. Not tuned. */
static const double IDENTITY_RELAXATION = 0.8;

/* Barzilai and Borwein's L stays within this factor of the first one. Not tuned. */
static const double IDENTITY_RANGE = 1e8;

/* ---- metric/lbfgs.c: H = B + m I ---- */

/* m as a share of the bound on B. Not tuned; it is what keeps H >= m I after rounding. */
static const double LBFGS_FLOOR = 1e-10;

/* A pair is kept if s'y is above this share of |s| |y|. Not tuned. */
static const double LBFGS_LEAST_CURVATURE = 1e-8;

/* ---- metric/seed.c: B_0 of seeded L-BFGS, the Hessian on the coordinates K that matter ---- */

/* Coordinates in K, at most. Not tuned. */
enum { SEED_MOST = 1024 };

/* Stretches of rows, evenly spaced, into which the sample falls: rows may be sorted. Not tuned. */
enum { SEED_RUNS = 128 };

/* Rows of the sample, at least. Measured: the paper's toy problem, T = 50, ends before a second H_KK is formed,
 * after 25.8 passes; 27.3 with fewer rows. */
enum { SEED_LEAST_ROWS = 8192 };

/* Rows of the sample for each coordinate of K, with which the eigenvalues on K are right to about half. Not tuned. */
enum { SEED_ROWS_A_COLUMN = 16 };

/* Updates before the first seed; earlier x does not tell which coordinates matter. Measured: a seed from the third
 * step on brings less than half of the gain. */
enum { SEED_FIRST_AFTER = 7 };

/* Updates, at least, between one seed and the next. Not tuned. */
enum { SEED_NEXT_AFTER = 16 };

/* A new seed is due when one in so many of the largest coordinates is not in K. Not tuned. */
enum { SEED_STRAYED = 8 };

/* Forming the seed may take the time of so many passes over A for each update since the last one. Not tuned. */
static const double SEED_PASSES = 0.5;

/* The first K has the coordinates whose weight |x_j| sqrt(H_jj) is at least this share of the largest. Not tuned. */
static const double SEED_MATTERS = 0.02;

/* A new seed is due when the sum of the curvatures has changed by this factor. Not tuned. */
static const double SEED_OTHER = 1.5;

/* A row that weighs so many times as much as the average one of the sample is always in the sample. Measured with
 * it: eight of 40000 rows 300 times as large as the others, squared loss, take 183 and 49 passes instead of no end
 * after 590, and 109. */
static const double SEED_HEAVY = 4.0;

/* This share of each diagonal entry is added to it. Not tuned. */
static const double SEED_SHIFT = 1e-6;

/* ---- subproblem/coordinate.h and coordinate_descent.c ---- */

/* The curvature of h takes no more than this share of H_jj away. Measured with it: MCP, squared loss, 20000 x 50000,
 * lambda at 0.02 of the largest, 35 passes instead of 127; other shares were not compared. */
static const double CD_MOST_BEND = 0.7;

/* Sweeps in a matrix that count as one over the data against the limit. Not tuned. */
enum { CD_MATRIX_SWEEPS = 20 };

/* Sweeps in a matrix that tell which coordinates are in use; with half of them Newton's steps follow one another
 * where the basin is settled. Not tuned. */
enum { CD_FEW_SWEEPS = 6 };

/* The curvature of h is halved so often where it leaves a matrix without a minimum, then left out. Not tuned. */
enum { CD_MOST_HALVINGS = 2 };

/* A sweep over at least so many coordinates asks whether the run is to end; a shorter one takes no longer than a
 * look at the clock. Not tuned. */
enum { CD_LONG = 256 };

/* The column that comes so many coordinates later is asked for from memory. Not tuned. */
enum { CD_SOON = 4 };

/* A matrix of more coordinates than this in which Newton's step fails is the last one of its descent. Measured with it:
 * MCP paths on 500 x 1000 of 500 pairs of equal columns 0.7 s instead of 2.8 (without matrices 0.5), on 400 x 2000,
 * AR(.9), 0.5 s instead of 2.1 (0.5), F the same in the mean. Without such a limit a fit of few columns ended over 1 %
 * higher. */
enum { CD_LAST_MATRIX = 32 };

/* The tolerance of a model falls with the violation that its first sweep leaves, but to no less than this share. Not
 * tuned. */
static const double CD_LEAST_RATIO = 0.1;

/* A path of a convex penalty goes into a matrix at once if the lambda before took more sweeps than this. Measured
 * with it and the next four: l1 on rcv1-sub as the command comes, 2.8 passes a lambda instead of 8.3; a9a 9.3
 * instead of 14.7. */
static const double CD_MANY_SWEEPS = 16.0;

/* It does so if those sweeps cost more than this share of a matrix with its factor, of which most goes to the
 * factor. */
static const double CD_IN_MATRIX = 0.1;

/* The same share for full columns, which stream by in sweeps, so that most goes to the products. Measured: l1 on
 * 5000 x 10000 takes 5.2 s, and 13.4 s with a tenth. */
static const double CD_FULL_IN_MATRIX = 1.0;

/* So many entries of a matrix are read in the time of one of a column. Not tuned. */
static const double CD_CLOSE = 4.0;

/* On a path a whole model goes into a matrix that has no more than so many times the entries of a sweep. Measured: l1
 * paths of rcv1-sub, news20 and ohscal take 1.27, 0.56 and 0.21 s, with four times the entries 2.9, 0.80 and 0.26 s,
 * and without matrices 1.18, 0.54 and 0.21 s; a9a 0.32 s, without 0.50 s. */
static const double CD_SQUARE = 1.0;

/* A violation below this share of the slope of h1 is one of a settled basin, where a known matrix is solved by
 * Newton's steps. Measured: on 100 x 20000 Newton's step at once, without such a limit, led MCP to ends 4 % higher. */
static const double CD_NEAR = 0.1;

/* In a matrix, where that costs no look at the data, a model is solved to this share of the usual tolerance.
 * Measured with it: a path of SCAD on 100 x 20000 takes 646 models instead of 1130. */
static const double CD_TIGHT = 0.03;

/* ---- subproblem/anderson.c: Anderson acceleration of sweeps ---- */

/* Differences of which a guess is made, one sweep each. Measured with it: l1 on rcv1-sub, lambda 1, to 1e-3, in the
 * natural order of words, 94 sweeps instead of 337. */
enum { ANDERSON_DEPTH = 5 };

/* This share of the trace is added to the diagonal of R'R, which is close to singular near the end. Not tuned. */
static const double ANDERSON_SHIFT = 1e-12;

/* ---- subproblem/fista.c and prox_step.c: first-order solvers of the model ---- */

/* A solve begins with this share of the L that the last one ended with, since L only grows within one. Not tuned. */
static const double FISTA_RELAXATION = 0.5;

/* s'Hs <= L s's is asked for up to this factor, for rounding. Not tuned. */
static const double PROX_STEP_SLACK = 1.0 + 1e-12;

/* After so many steps that were too long L doubles at least, so that rounding cannot keep it where it is. Two do in
 * general. */
enum { PROX_STEP_TRIALS = 20 };

/* ---- algorithm/journal_belief.c: what is believed of a checkpoint ---- */

/* F, u and the stationarity that it says may be off by this share, for rounding. Not tuned. */
static const double BELIEF_SHARE = 1e-6;

/* Times that share, and of F at the start: what F may be off by in a descent that is under way. Rounding of some
 * thousand steps; a fit to a quantile that fell from 4 to 7e-12 was off by 1e-12. */
static const double BELIEF_OF_START = 1e-6;

/* Nothing is counted as far as this. */
static const double BELIEF_MOST = 1e15;

/* ---- step/direction.c: a direction that goes down ---- */

/* Solutions of the model that are tried until one predicts that F falls. Not tuned. */
enum { DIRECTION_ATTEMPTS = 3 };

/* The tolerance is multiplied by this from one attempt to the next. Not tuned. */
static const double DIRECTION_TIGHTER = 0.01;

/* ---- step/backtrack.c: the length of a step ---- */

/* A step is halved so often before the method gives up: what is left is a rounding error. Not tuned. */
enum { STEP_HALVINGS = 60 };

/* Longer steps that are tried, at most. Measured: with the five of earlier, tau = 1e-3 and a weight of 1e6 took ten
 * thousand steps of length 32; of 330 fits at the edges 294 converge instead of 272. */
enum { STEP_MOST_LONGER = 60 };

/* If F is convex and falls by more than this share of D, longer steps are tried. Measured with this and the next:
 * over 21 l1 fits of text and a9a the passes are 0.80 of those without to within 3 % of the least F, and 0.85 to
 * 1e-4. */
static const double CONVEX_PROMISED = 0.53;

/* Each of them is so many times as long as the one before. */
static const double CONVEX_LONGER = 1.25;

/* Each has to bring so many times what the one before brought. */
static const double CONVEX_WORTHWHILE = 1.0;

/* The same three for a loss that is not convex. On a tail like exp(-u), where one unit step after the other brings a
 * constant factor, F falls by 1 - 1/e = 0.63 of D. Measured with them: a fifth fewer passes on seven text problems. */
static const double NONCONVEX_PROMISED = 0.6;
static const double NONCONVEX_LONGER = 2.0;
static const double NONCONVEX_WORTHWHILE = 1.1;

/* ---- algorithm/model.c: care after steps that had to be cut short ---- */

/* Models without the curvature of h, and metrics with that of f1 alone, after such a step. Not tuned. */
enum { CAREFUL_STEPS = 8 };

/* A step below this says that the curvature of H was too low. Measured with it: huber, 60 x 150, labels about 1000,
 * converges, and does not without such care. */
static const double SHORT_STEP = 0.25;

/* ---- algorithm: first-order methods ---- */

/* Values of L that are tried in one step, at most. Not tuned. */
enum { MOST_TRIALS = 200 };

/* L is multiplied by this within a step of proximal gradient, until the model bounds f. Not tuned. */
static const double PROX_GRADIENT_GROWTH = 2.0;

/* L is multiplied by this from one step to the next. Not tuned. */
static const double PROX_GRADIENT_RELAXATION = 0.9;

/* Barzilai and Borwein's L is kept between these two. Not tuned. */
static const double SPECTRAL_LEAST_L = 1e-20;
static const double SPECTRAL_MOST_L = 1e20;

/* Values of F that a non-monotone method looks back on. Not tuned. */
enum { SPECTRAL_RECENT = 5 };

/* F has to decrease by this share of L |d|^2 / 2. Not tuned. */
static const double GIST_SIGMA = 1e-5;

/* A change of F by less than this share is a small one, as they have it. */
static const double GIST_SMALL = 1e-5;

/* F counts as no less than this share of its value at the start when changes are compared with it. Not tuned. */
static const double GIST_LEAST_OF_START = 1e-6;

/* Small changes in a row with which GIST is done. Measured: beside a copy of its authors' rule, 448 small fits, 3
 * end higher by more than 1e-6; 27 did without this. */
enum { GIST_CALM_STEPS = 3 };

/* Small changes, of F and of x together, after which its authors' toolbox would have stopped; L is then no longer
 * the retarded one. Not tuned. */
enum { GIST_TOOLBOX_STOPS = 3 };

/* The same for SpaRSA. Not tuned. */
static const double SPARSA_SIGMA = 0.01;

/* The same for SCP. Not tuned. */
static const double SCP_SIGMA = 1e-4;

/* Steps on one convex problem of DCA, at most. Not tuned. */
enum { DCA_MOST_INNER = 10000 };

/* ---- working_set/active_set.c: descents on a set S of columns ---- */

/* Columns that may enter S at first; the number doubles. Measured: 30 save a tenth of a fit of MCP on 100 x 20000,
 * and end 5 % to a third higher there. */
enum { SET_FIRST_ROOM = 100 };

/* The same on ranks, for a convex penalty on sparse data, whose S would be all columns else: the products of its
 * columns are a message. Measured: l1 on rcv1-sub, lambda 1, 45 MB of messages with all columns, 13.8 MB with 128 (7
 * steps instead of 6), 14.4 with 256 and 15.4 with 400. */
enum { SET_FIRST_ROOM_ON_RANKS = 256 };

/* Steps on S before the others are looked at again, at most. Not tuned. */
enum { SET_MOST_STEPS = 20 };

/* u = A x is computed afresh before the last look where the columns in use hold less than one in so many entries of
 * A. Not tuned. */
enum { SET_CHEAP = 4 };

/* Products of columns of up to so many rows are kept. Measured with it and the next: 100 lambdas on 100 x 20000, MCP
 * 61 ms before, 52 ms after, SCAD 120 and 86 ms. */
enum { SET_SHORT_COLUMN = 1024 };

/* Columns of which products are kept, at most. */
enum { SET_MOST_PRODUCTS = 512 };

/* A metric that learns, and forgets with each S, stays on one for up to so many steps, or the work of so many
 * readings of A. Measured with both: MCP on 20000 x 600, columns in different units, ends after 37 passes instead of
 * none after 484; none of 28 fits takes more. */
enum { SET_LEARNING_STEPS = 120 };
enum { SET_LEARNING_PASSES = 8 };

/* Such a metric is given all columns of a dense matrix once one in so many is in use, or one in so many of the next
 * is in use or violates. Measured with both: the paper's toy problem, 43 features, 1.9 s before, 0.50 s after; 1963
 * features as before. */
enum { SET_SETTLED_TO_TAKE_ALL = 5 };
enum { SET_CONCERNED_TO_TAKE_ALL = 2 };

/* While the work on S is below this share of dense A's entries it goes on to the end at once. Measured with it: MCP,
 * 5000 x 10000, 0.3 of the largest lambda, 1.6 passes to 1e-3; other shares were not compared. */
static const double SET_CHEAP_WORK = 0.25;

/* S is solved until this share of the violation on all columns is left. Not tuned. */
static const double SET_SHARE = 0.5;

/* The same where the start is near, so that S is nearly right. Not tuned by itself; came with the reading of
 * gradients where they matter, which halved the time of paths. */
static const double SET_SHARE_ON_PATH = 0.01;

/* At last S is solved to this share of the goal. Not tuned. */
static const double SET_SAFETY = 0.3;

/* A violation below this share of the goal does not enter S. Not tuned. */
static const double SET_ENTERING = 0.5;

/* The sweeps of a step grow by this factor when they were too few. Measured with it: l1 on rcv1-sub to what
 * LIBLINEAR reaches, 10.4 passes instead of 16.3; with one sweep at first instead of two news20 takes 191 passes
 * instead of 246, and text 7.7 instead of 5.2. */
static const double SET_PATIENCE = 1.5;

/* To a rough goal violations from this share of the penalty's slope on enter: there are many. Measured with it:
 * imdb-bigram, l1, `--tol 50`, 0.93 s from file to model where LIBLINEAR takes 3.3 s. */
static const double SET_MANY = 0.1;

/* ---- working_set: which columns have to be read ---- */

/* Columns of a list of candidates for each row. Measured with it and the next two: 100 x 20000, MCP at 0.1 of the
 * largest lambda, 14 ms instead of 28, F 0.0609 instead of 0.0858. */
enum { CANDIDATES_PER_ROW = 20 };

/* A list has no fewer than so many columns. */
enum { LEAST_CANDIDATES = 1000 };

/* A list is not worth it beyond one in so many of all columns. */
enum { CANDIDATES_LARGEST_SHARE = 4 };

/* All columns are read where those that have to be hold more than one in so many of the entries: that is quicker.
 * Not tuned. */
enum { BOUNDS_WHOLE = 2 };

/* The copy in bytes is read first where more than one in so many columns would have to be read. Measured with the
 * copy: 100 lambdas on 100 x 20000, MCP 81 ms before, 59 ms after; other shares were not compared. */
enum { LOOK_MOST_READ = 32 };

/* Readings of all slopes that are remembered. Not tuned. */
enum { MOST_PAST_SLOPES = 8 };

/* ---- workspace/lookers.c: who looks how ---- */

/* A matrix is wide from so many features for each row on: of fewer, many matter. Not tuned. */
enum { WIDE_FEATURES_A_ROW = 8 };

/* A wide matrix has at least so many features. Not tuned. */
enum { WIDE_LEAST_FEATURES = 500 };

/* One descent by itself reads bytes from so many entries on; fewer are soon read. Measured with it: 100 x 20000, l1
 * 9.5 ms before and 3.7 ms after; a fit that looks but twice at a thousand rows takes a tenth longer. */
enum { BYTES_FOR_ONE_DESCENT = 1 << 19 };

/* ---- search/search.c: a search over basins ---- */

/* Slopes of the l1 path, each half of the one before. Measured: more of them after F has risen bring nothing for 26
 * % more passes. */
enum { SEARCH_MOST_LEVELS = 10 };

/* Rounds of dropping at the end. Not tuned. */
enum { SEARCH_MOST_ROUNDS = 10 };

/* Rounds of dropping on one candidate. Not tuned. */
enum { SEARCH_MOST_CANDIDATE_ROUNDS = 5 };

/* Steps of a loose descent. Not tuned. */
enum { SEARCH_MOST_STEPS = 200 };

/* The l1 path is tried where a feature in use has fewer rows than this: other supports do about as well. Measured
 * with it: 100 x 20000, SCAD at 0.1 of the largest lambda, F 0.0823 instead of 0.0824, MCP 0.0858 instead of 0.0862. */
enum { SEARCH_FEW_ROWS = 4 };

/* Data of up to so many numbers have the continuation in lambda among the candidates, since another descent takes no
 * time to speak of. Measured with it: 1200 logistic fits, F over 10 % above the best known in 3 instead of 102. */
enum { SEARCH_SMALL = 1 << 20 };

/* The l1 solutions that are starts are stationary to this share of the slope. Measured on 108 problems of text, genes
 * and wide data: with a tenth of it F is the same (0.1 %), after 15 % more passes. */
static const double SEARCH_RELAXED = 0.1;

/* The same on small data and on few candidates, where a descent takes no time to speak of. With ten times as much a
 * fit of 60 x 20 ended more than 5 % higher, and fits of 100 x 20000 5 % to a third. */
static const double SEARCH_RELAXED_QUICK = 0.01;

/* Candidates are compared when they are stationary to this share of the slope. Measured with the one before. */
static const double SEARCH_LOOSE = 0.1;

/* A loose descent ends with the step that changes F by less than this share. Measured: 1e-3 costs 0.07 points of
 * accuracy on 32 text problems, and takes the worst case from 1.07 to 1.25 times GIST's F. */
static const double SEARCH_LITTLE = 1e-4;

/* A round of dropping has to lower F by this share for another one to follow. Not tuned. */
static const double SEARCH_WORTH = 1e-6;

/* The same on a candidate. Not tuned. */
static const double SEARCH_WORTH_YET = 1e-3;

/* ---- search/gradient_start.c ---- */

/* Steps with the global prox. */
enum { GRADIENT_STEPS = 100 };

/* Three changes in a row below this share of F end them. */
static const double GRADIENT_LITTLE = 1e-3;

/* ---- search/swap_moves.c ---- */

/* Columns that are tried in the place of one that is taken out. */
enum { SWAP_TRIED = 8 };

/* Features that are taken out in vain before a round ends. Measured on 108 problems: with 20 F is 0.1 % lower, for 19 %
 * more passes; without swaps it is 1.1 % higher. */
enum { SWAP_PATIENCE = 4 };

/* Rounds over the features in use. */
enum { SWAP_MOST_ROUNDS = 5 };

/* The curvature along a column that comes in is at least this share of its bound: where rows are far out on their right
 * sides there is hardly any, and a step would be of any length. Not tuned. */
static const double SWAP_LEAST_CURVATURE = 1e-3;

/* Steps of a block that comes in. Not tuned. */
enum { SWAP_BLOCK_STEPS = 3 };

/* A swap lowers F by this share. Not tuned. */
static const double SWAP_WORTH = 1e-9;

/* ---- search/lambda_descent.c: down in lambda, and kicks ---- */

/* The l1 solution is tried as a start if it has a feature for every so many rows. Not tuned. */
enum { DESCENT_ENOUGH = 2 };

/* Kicks, one after the other, at most. Not tuned. */
enum { DESCENT_MOST_KICKS = 5 };

/* Steps of a descent after a kick. Not tuned. */
enum { DESCENT_MOST_STEPS = 200 };

/* From one lambda to the next. Measured: 0.6 saves a tenth on 100 x 20000, and ends 5 % to a third higher there. */
static const double DESCENT_STEP = 0.7;

/* The first lambda is at most so many times the wanted one: 77 descents. Not tuned; without a bound data near 1e300
 * have a first lambda that is infinite, and no end. */
static const double DESCENT_FARTHEST = 1e12;

/* An l1 solution with this share of features to rows fits anything and is no start. Not tuned. */
static const double DESCENT_TOO_MANY = 0.9;

/* A kicked point is stationary to this share of the slope. Measured: solutions of l1 that are ten times looser save
 * a tenth, and end as much higher as above. */
static const double DESCENT_CLOSE = 0.01;

/* A change by less than this share of F ends a descent after a kick, and is no reason for another kick. Not tuned. */
static const double DESCENT_VERY_LITTLE = 1e-6;

/* ---- matrix/dense.c: the products of columns beside sweeps over them ---- */

/* Entries of columns up to which sweeps over them find them in a second and in a third cache, and so many times as fast
 * as in memory; the products take the same time. Measured, products of all columns in sweeps: 1000 x 60 9.8, 5000 x 60
 * 6.4, 20000 x 300 10.3, where memory alone would make it 2.9, 2.9 and 10.4. With it paths of 1000 x 2500, columns
 * correlated 0.9, take 0.46 s instead of 0.57 by l1 and 0.39 instead of 0.46 by SCAD; with --no-gram 0.45 and 0.38. */
static const double GRAM_NEAR = 1 << 17, GRAM_FAR = 1 << 22;
static const double GRAM_SPEED_NEAR = 3.0, GRAM_SPEED_BETWEEN = 2.0;
/* Entries below which neither way takes long: there the products count as in memory, so that models are solved in
 * matrices, which is more exact. Not tuned. */
static const double GRAM_LITTLE = 1 << 13;

/* ---- problem/choose_parts.c: what `auto` chooses ---- */

/* Entries from which on dense data with no fewer rows than columns take seeded-lbfgs. Not tuned by itself: 100000 x
 * 2000 gain a third to a half of the time. */
static const double AUTO_LARGE = 1e7;

/* Rows for each feature from which on the search drops at last. Measured: 24 such problems, F beside GIST's 0.963
 * instead of 1.109; with fewer rows imdb-unigram loses 0.4 to 0.8 points of accuracy. */
enum { AUTO_MANY_ROWS = 4 };

/* Rows times features up to which the deepest search is made, which then takes some ten milliseconds. Measured with
 * it: 1200 logistic fits, 18.07 % of new rows wrong before, 17.71 % after. */
enum { AUTO_FEW_NUMBERS = 1 << 17 };

/* Pairs of L-BFGS, as in the paper. */
enum { PAPERS_MEMORY = 5 };

/* Pairs where a sweep over A costs far more than they do. Measured with it: the paper's toy problem, T = 50, 43.7
 * passes instead of 54.6. */
enum { AUTO_MEMORY = 20 };

/* ---- problem/scaled_columns.c: columns far from 0 ---- */

/* A variance below this share of the second moment is a rounding error. Not tuned. */
static const double SCALE_NOTHING = 1e-20;

/* A variance below this share of it has lost so many digits in E x^2 - m^2 that it is summed anew. Not tuned. */
static const double SCALE_LITTLE = 1e-3;

/* A mean so many deviations from 0 is taken out. Measured with it: 200 rows, means of 1e9 and deviations of 3, end
 * at F = 36.56 after 11 iterations instead of at 134 after 10000. */
static const double SCALE_FAR = 1e3;

/* Rows that tell whether a column may be such a one. Not tuned. */
enum { SCALE_GLANCES = 64 };

/* ---- problem/rotated_rows.c: the squared loss of many rows from products of columns ---- */

/* Readings of A that are foreseen without the products: those of one fit, and those of each further one down a path.
 * Measured on 100000 x 200, 20 of which matter: one fit by l1 or MCP 8 to 36; a path of 100 to 0.02 of the largest
 * lambda 84 by l1 and 148 by MCP, on columns that all matter 36 and 57 or more. */
static const double ROTATE_READINGS = 8.0, ROTATE_READINGS_A_FIT = 0.5;

/* Entries below which nothing is gained, and columns above which nothing is tried. Not tuned. */
static const double ROTATE_LEAST_ENTRIES = 2e5;
enum { ROTATE_MOST_COLUMNS = 1024 };

/* The part of a column about its mean, and of y beyond all columns, that has to be left of its squares, since so much
 * of the digits is lost. What products leave of a column that depends on others may be this share of its own with y.
 * Not tuned. */
static const double ROTATE_LEAST_VARIANCE = 1e-3, ROTATE_LEAST_REST = 1e-4, ROTATE_LEFT_OUT = 1e-13;

/* ---- problem/orthonormal_*.c: columns of a group that depend on one another ---- */

/* A column of which less than this share is left, once those before it in its group are taken out, has no direction of
 * its own: a copy leaves 1e-16, levels of a factor that add up to a constant 1e-15. */
static const double ORTHONORMAL_NOTHING = 1e-10;

/* Shares that differ by less are equal, and the first column comes first: which one is left out of levels that add up
 * to a constant does not hang on rounding. */
static const double ORTHONORMAL_TIE = 1e-9;

/* Features of a group: of 2000, with 2000 rows, 16 billion multiplications. */
enum { ORTHONORMAL_LARGEST = 2000 };

/* ---- workspace: how long and how far ---- */

/* Small changes of F in a row that end a method whose F may rise, as GIST's authors have it. */
enum { CALM_WHERE_F_MAY_RISE = 3 };

/* Lists of candidates, one after the other; what they have not settled is left to a descent on all columns. Not
 * tuned. */
enum { MOST_LISTS = 20 };

/* A descent counts as so much work at least, in entries of A, when the budget of a search is set by it: some hundredths
 * of a second. Measured: with a tenth of it two of 40 text problems, whose descents are short, end four and five times
 * as high. */
static const double SEARCH_LEAST_WORK = 1e7;

/* This share of the budget is kept for the descent to the goal from the lowest point that was found. Measured with it:
 * 100000 x 1,000,000, sparse, MCP, 30 for lambda: with a third as much the lowest point, 12 % lower, could not be
 * kept. */
static const double SEARCH_RESERVE = 0.4;

/* And so many times the work of the largest descent of the search so far. */
static const double SEARCH_TO_SETTLE = 3.0;

/* Sweeps on one model of a non-convex F, which holds for a short way. Measured: MCP paths on 150 x 300 take 0.094 s
 * instead of 0.345 s with the next number, at the same F; 32 text problems 0.96 of the passes, F 0.9995. */
enum { INNER_SWEEPS_NON_CONVEX = 40 };

/* Sweeps on one model of blocks over many classes: the Hessian of the next model is another one. Measured: paths of 20
 * lambdas to .01 lambda_max by rows take 8.2 s of processor time instead of 11.6 s with the next number on la2, 1.79
 * instead of 1.89 s on classic; 30 take 9.4 and 1.89 s. Without blocks it makes no difference. */
enum { INNER_SWEEPS_OF_CLASSES = 60 };

/* Iterations on one model of another F. Not tuned. */
enum { INNER_ITERATIONS = 200 };

/* ---- transduction: the start of rows without labels ---- */

/* The ridge, as a share of the weight of the labelled rows times the mean square of a row. Measured on four sets of
 * text: with a squared hinge, 83.70 % of the unlabelled rows are right, and 83.42 % with 2e-4 and the loss of the
 * labelled rows; on three others 81.51 and 81.45 %. */
static const double TEACHER_RIDGE = 1e-3;

/* A fit of a start ends at this tolerance or after so many steps. Measured with both: 49 passes instead of 80 on
 * seven text problems, 83.3 % of the rows right instead of 83.0 %. */
static const double START_ROUGH_TOL = 0.1;
enum { START_ROUGH_STEPS = 6 };

/* The same for methods of gradient steps. With six of them nabla-tsvm ended at 62 % right on la2 and 66 % on classic,
 * all rows in one class, with 300 at 83 % and 86 %. */
enum { START_ROUGH_GRADIENT_STEPS = 300 };

/* The same for the descents from two starts that are compared. Not tuned. */
static const double START_LOOSE_TOL = 1e-2;
enum { START_LOOSE_STEPS = 100 };

/* All unlabelled rows together have this share of the weight of the labelled ones, round by round. Not tuned by
 * themselves. */
static const double TEACHER_SHARES[] = {0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0};
enum { TEACHER_ROUNDS = sizeof TEACHER_SHARES / sizeof *TEACHER_SHARES };

/* Visits of a labelled row at first, and in each round: it weighs more than another, which makes it slower. Measured
 * with both: 0.27 s a fit instead of 0.55 with a gradient method, 83.4 % of the rows right instead of 83.2 %. */
enum { TEACHER_FIRST_VISITS = 30 };
enum { TEACHER_LABELLED_VISITS = 5 };

/* The labelled rows are left alone once no step is longer than this share of a margin. Not tuned. */
static const double TEACHER_SMALL_STEP = 1e-3;

/* Newton's steps on the constant, at most; the function is quadratic in pieces. Not tuned. */
enum { TEACHER_CONSTANT_STEPS = 10 };

/* ---- solver/null_model.c: the model without features ---- */

/* A lambda that keeps every penalised feature out. Not tuned. */
static const double NULL_ALL_OUT = 1e100;

/* The null model is fitted to this share of the slope at 0, since lambda_max inherits the error. Not tuned. */
static const double NULL_TOL = 1e-10;

/* A null model is in a flat place if its lambda_max is below this share of the one that the constant of phi1 sees.
 * Not tuned. */
static const double NULL_FLAT = 0.1;

/* A slope is a multiple of lambda if it is one up to this share, which rounding may take. Not tuned. */
static const double NULL_LINEAR = 1e-12;

/* The score of a class of which a fold has no row: exp of it is 0 beside any other. Not tuned. */
static const double NULL_NO_SHARE = -1e4;

/* The share of the weight of all rows that a class in an order has where a fold has no row of it, so that its
 * boundaries stay apart. Not tuned. */
static const double ORDERED_NO_ROW = 1e-5;

/* Halvings of an interval, and doublings that lead to one: enough for any doubles. */
enum { NULL_BISECTIONS = 200 };
enum { NULL_DOUBLINGS = 1100 };

/* ---- path/batch.c: several lambdas on one list of columns ---- */

/* Points, at most. Measured with it and the next four: 100 lambdas on 100 x 20000, MCP 0.22 s instead of 0.47, SCAD
 * 0.32 instead of 0.65. */
enum { BATCH_AT_ONCE = 8 };

/* A list is not worth it beyond one in so many of all columns. */
enum { BATCH_LARGEST_SHARE = 4 };

/* A search has at least so many columns for each row. */
enum { BATCH_PER_ROW = 10 };

/* A list does not go further down than this share of the slope of the penalty, */
static const double BATCH_LEAST_STRONG = 0.4;

/* and it goes down at least to this. */
static const double BATCH_MOST_STRONG = 0.7;

/* A column from this share of the slope of the penalty on is of interest to the search. Not tuned. */
static const double BATCH_NEAR = 0.75;

/* ---- path/path_start.c and path_end.c ---- */

/* A start lies no further beyond the last point than so many times the way between the last two. Measured with the
 * line: l1 on rcv1-sub as the command comes, 8.3 passes a lambda instead of 11.9. */
static const double PATH_MOST_AHEAD = 2.0;

/* The features that end a path of a convex penalty, beside those that are asked for. Measured on 200 x 2000 with ten
 * that matter: the lasso predicts best with some fifty. */
enum { PATH_CROWD_CONVEX = 4 };

/* The noise that ends a path of a convex penalty, beside that which is asked for: shrinkage leaves much of what matters
 * in the residuals. */
static const double PATH_NOISE_CONVEX = 0.5;

/* A plateau of a non-convex penalty is so many lambdas long. Not tuned. */
enum { PATH_PLATEAU = 5 };

/* The last lambda of a path over the first, like glmnet's: with more rows than features, and otherwise. The latter is
 * for up to two classes: of K classes it is lower by K / 2. On the 20 classes of news20 the deviance of new rows is
 * least at 2e-3 of the largest lambda (15935 x 62061, l1), where accuracy is 79 %; at 1e-2 it is 75 %, and the least
 * lambda was always chosen. */
static const double PATH_TALL_RATIO = 1e-4, PATH_WIDE_RATIO = 1e-2;

/* A path ends where more than this share of the deviance is explained, like glmnet's. */
static const double PATH_SATURATION = 0.999;

/* A path of l1 ends where the share explained grows by less than this share of itself, like glmnet's. */
static const double PATH_NO_CHANGE = 1e-5;

/* The same for a plateau. Not tuned. */
static const double PATH_LITTLE_CHANGE = 1e-3;

/* ---- path/path_search.c: lower ends ---- */

/* Lambdas at which the l1 solution is one of the starts. Not tuned. */
enum { LOWER_TRIALS = 12 };

/* Steps after which a descent that leads nowhere ends. Not tuned. */
enum { LOWER_FEW_STEPS = 5 };

/* Sweeps on each of their models, which need not be solved well for that. Measured with the sweeps of workspace.c. */
enum { LOWER_FEW_SWEEPS = 10 };

/* Rounds of moves of single coordinates. Not tuned. */
enum { LOWER_MOST_MOVES = 10 };

/* Rounds of longer and longer lists. Not tuned. */
enum { LOWER_ROUNDS = 5 };

/* Entries of A below which it stays in a cache, and the search is thorough. Not tuned. */
enum { LOWER_SMALL = 1 << 18 };

/* The search ends at so many passes a lambda, those of the path itself among them: work, each look counted as a reading
 * of all columns, so that what lookers spare does not change where a path ends. Measured: on 100 x 8000 correlated
 * columns 2.8 ends capped-l1 6 % higher than 6, which takes no longer than 2.8 passes that were made did, and ends as
 * 12 and 60 do. */
static const double LOWER_MOST_PASSES = 6.0;

/* From so many passes of its own on a path may search for MORE times as many. Measured: without this MCP on text,
 * whose path takes 3.5 passes a lambda, ended up to three times as high. */
static const double LOWER_MANY_PASSES = 2.0;
static const double LOWER_MORE = 6;

/* The passes a lambda where A is small. Not tuned. */
static const double LOWER_MOST_PASSES_SMALL = 100;

/* The l1 solutions are stationary to this share of the slope. Not tuned. */
static const double LOWER_RELAXED = 0.1;

/* Ends are compared for the first time when they are stationary to this share of the slope. Not tuned. */
static const double LOWER_LOOSE = 0.01;

/* An end that is higher by more than this share of F is not pursued, */
static const double LOWER_NEAR = 1e-2;

/* nor is one that is higher by this after a few steps. Neither is tuned. */
static const double LOWER_FAR = 0.1;

/* An l1 solution with this share of features to rows fits anything and is no start. Measured with it: paths on 100 x
 * 20000, MCP 170 ms instead of 252, at the same F. */
static const double LOWER_CROWDED = 0.97;

/* Two points are in one basin if their coefficients differ by no more than this share. Not tuned. */
static const double LOWER_ALIKE = 0.1;

/* An end has to be lower by this share of F to be kept. Not tuned. */
static const double LOWER_BY = 1e-7;

/* ---- selection/patience.c: the end of a fold's path ---- */

/* A path ends after this share of its lambdas (1 / ...), at least so many, that were clearly worse than the best, */
enum { CV_PATIENCE_SHARE = 5, CV_LEAST_PATIENCE = 5 };

/* by this share of what the best one gains on the first. */
static const double CV_CLEARLY_WORSE = 0.05;
/* ---- path/refit.c and by_size.c: models without a penalty ---- */

/* Newton steps, the share of the decrease promised that has to come, the shortest step, the least pivot beside its
 * diagonal entry, and the decrease beside f at which the fit has ended. Not tuned. */
enum { REFIT_MOST_STEPS = 30 };
static const double REFIT_DECREASE = 1e-4;
static const double REFIT_LEAST_STEP = 1e-6;
static const double REFIT_LEAST_PIVOT = 1e-10;
static const double REFIT_NEAR = 1e-11;

/* The most features of the best models by size: their Hessian is dense. Not tuned. */
enum { BY_SIZE_MOST = 100 };

/* The most that may be asked for. Not tuned. */
enum { BY_SIZE_MOST_KEPT = 1000 };

/* Where a feature has left, so many of those that promise most are tried in its place. Measured on 60 problems of 12
 * correlated features, sets of up to 4 being enumerated (a test): of 240 sets 9 end above the best with 2, 3 with 4 and
 * with 12; 45 without a search. */
enum { BY_SIZE_TRIED = 4 };

/* The search goes on to sets of so many more than are asked for, and comes back from there. Measured likewise: 3 with 0
 * and 5, 2 with 1, 2 and 3. */
enum { BY_SIZE_BEYOND = 1 };

/* The search among sets of features ends when it has touched as many entries as so many readings of A. Not tuned. */
static const double BY_SIZE_SEARCH_PASSES = 3000.0;

/* An exchange has to lower f by this share of it. Not tuned. */
static const double BY_SIZE_GAIN = 1e-9;

/* Refits may touch as many entries as so many readings of A. Not tuned: on 200 x 2000 they need some 20. */
static const double BY_SIZE_PASSES = 400.0;

/* ---- selection/comparison.c and rules.c ---- */

/* The grid of a comparison: lambdas, and the least one with more features than rows, and with fewer. Not tuned. */
enum { COMPARISON_LAMBDAS = 50 };
static const double COMPARISON_RATIO_WIDE = 1e-2;
static const double COMPARISON_RATIO_TALL = 1e-3;

/* Paths of a comparison end at so many standard deviations of the slope of noise; at 1.5 one in seven features of noise
 * comes in. Measured on twelve settings with more rows than features or nearly, three or four draws each: a sixth to a
 * half of the time, F1 .78 as before; 1 takes twice as long. */
static const double COMPARISON_NOISE = 1.5;

/* A path is told from the best one by a difference of more than so many of its standard errors. On six settings of
 * squared data with six seeds each 2 found truer features than 1, while other numbers here were still moving. */
static const double PAIRED_ERRORS = 2.0;

/* A rule gives way to l1 where the folds tell by more than so many standard errors of the difference that l1 predicts
 * better, or of classes that it is wrong less often. On 65 settings of each loss, drawn at random, one draw of each:
 * with squares F1 is .72, .72, .73 and .71 and the error 1.002, 1.003, 1.004 and 1.024 of the best of abess and l1 with
 * 0.5, 0.75, 1 and never, abess's F1 .70; with classes .58, .59, .59 and .60, and 1.021, 1.020, 1.024 and 1.027, with
 * 1, 1.5, 2 and never, abess's .57, and on 50 small samples of texts 1.04, 1.06, 1.09 and 1.18 of l1's. */
static const double HEEDED_ERRORS = 1.0;
static const double HEEDED_WRONG_CLASSES = 1.5;

/* What a feature has to lower -2 log likelihood of the rows held out by. On twelve settings of squared data, four or
 * six draws each, F1 was .82, .83, .83 and .83 with 0.5, 1, 2 and 3, below abess's (.81) on 3, 1, 0 and 2 of them; the
 * error was .982, .982, .984 and .989 of the better one of abess's and that of l1. The rule `paired`, which it
 * replaced, had .82, 4 and .989. */
static const double EARNED_PRICE = 2.0;

/* The ridge beside the curvature of f. In a prototype on three settings of logistic data the error of refitted models
 * on new rows moved by a point between 0.0004 and 0.04. */
static const double COMPARISON_RIDGE = 0.01;

/* The ridges of refitted models beside the curvature of f. On the settings below F1 rises from .70 to .73 with squares,
 * and with classes the error falls by a half of a per cent; either ridge alone does half of that. */
static const double COMPARISON_LESS_SHRUNK = 0.15;
static const double COMPARISON_MORE_SHRUNK = 0.5;

/* A model that leaves less than this share of the deviance explains all; a criterion does not choose it. Not tuned. */
static const double CRITERION_LEAST = 1e-6;

/* Where rows tell fewer features than this from noise, and there are more features than rows, the models of two classes
 * are those of l1 unless a rule was named. Measured on two thirds of leukemia and colon-cancer (48 and 41 rows), 30
 * draws: 6.0 and 18.5 % of the other rows wrong with l1 at its best mean, 8.1 and 19.7 % at the best mean of all paths,
 * whose deviance on the folds is .37 and on new rows .56 (leukemia): of two hundred models the best is so by chance.
 * With 61 and 53 rows the limit is 4.9 and 5.1. */
enum { CRITERION_LEAST_FEATURES = 6 };

/* ---- files of cross-validations ---- */

/* Files have the scores of rows that were held out up to so many rows: some 60 bytes a row, which whoever reads a model
 * from the file reads, too. Not tuned. */
enum { CV_HELD_OUT_ROWS = 100000 };

/* ---- structured/factor.c: codes and atoms in turn ---- */

/* Sweeps over a code before the atoms have their turn, and the share of the violation at which a code is left earlier.
 * With shares of 0.1 and 0.5 digits (64 atoms) end higher after the same time. */
enum { FACTOR_CODES_SWEEPS = 10 };
static const double FACTOR_CODES_SHARE = 0.01;

/* How many steps to its minimum an atom makes, below 2. Digits, six seeds, 100 iterations: a mean F of 1.0528 with 1.8,
 * of 1.0533 with two sweeps of 1, which take twice as long; 20 non-negative atoms 0.4669 and 0.4768. 1.5 is between,
 * and so is 1.8 twice. */
static const double FACTOR_RELAXATION = 1.8;

/* How often the batches come by in drawn order, atoms moving after each, before whole passes begin. Not tuned. */
enum { FACTOR_FIRST_PASSES = 1 };

/* Steps of Newton's method for the length of an atom whose entries weigh differently; it needs fewer than ten. */
enum { FACTOR_SHORTEN_STEPS = 50 };

/* --tol of the start by l1 where the penalty is not convex. Not tuned. */
static const double FACTOR_START_TOL = 1e-3;

/* Sweeps for the codes of other rows, which get no second turn. Not tuned. */
enum { FACTOR_NEW_CODES_SWEEPS = 1000 };
/* The share of its first slope to which that of a score falls. Not tuned. */
static const double FACTOR_SCORES_SHARE = 1e-10;

/* ---- structured/precision.c: graphs ---- */

/* The curvature of h takes at most so much of that of f along an entry. */
static const double GRAPH_BEND_SHARE = 0.7;

/* The direction is solved to this share of the violation: so many sweeps, then at most so many products of conjugate
 * gradients, and that again at most so many times. */
static const double GRAPH_INNER_SHARE = 0.25;
enum { GRAPH_SWEEPS = 3, GRAPH_MOST_PRODUCTS = 50, GRAPH_ROUNDS = 3 };

/* A pivot below this share of its diagonal entry says that a matrix is not positive definite; steps are halved so
 * often; and so many steps in a row whose gain is below the rounding of F end the work. Not tuned. */
static const double GRAPH_LEAST_PIVOT = 1e-15;
enum { GRAPH_MOST_HALVES = 40, GRAPH_TINY_STEPS = 3 };

/* A covariance is singular with a pivot below this share of its diagonal entry. Not tuned. */
static const double GRAPH_SINGULAR = 1e-12;

/* --tol of the start by l1 where the penalty is not convex. Not tuned. */
static const double GRAPH_START_TOL = 1e-3;

/* Without an end that is asked for a path goes down to this share of the least lambda without an edge; it ends earlier
 * when EBIC has risen so many times in a row. Measured: above its least value for as many lambdas ended before the
 * edges that SCAD and capped-l1 find on 200 rows of 40 variables, where EBIC rises five times first. */
static const double GRAPH_MIN_RATIO = 0.05;
enum { GRAPH_PATIENCE = 8, GRAPH_FOLDS = 10 };

/* Lambdas of each variable's own path where a graph is made one variable at a time, and gamma of its EBIC. Not
 * tuned. */
enum { NEIGHBOURS_LAMBDAS = 30 };
static const double NEIGHBOURS_GAMMA = 0.5;

/* Values that are missing take so many turns at most, and end when none moves by this share of its range. Not tuned. */
enum { NEIGHBOURS_TURNS = 200 };
static const double NEIGHBOURS_STILL = 1e-9;

/* --select: by how many standard errors of the difference a combination must be better than the settings' own, which
 * stays otherwise. Four text sets, three draws of 50 labels: 84.0 % of the other rows right, with the best of the grid
 * 77.0 %, with the settings as they are 84.4 %. */
static const double SELECT_GAIN = 2.0;

/* A margin as small as this says nothing of a row: with the default tolerance equal rows of different classes end some
 * 1e-3 from a tie. */
static const double UNDECIDED_MARGIN = 0.01;
/* ---- structured/low_rank.c: completion ---- */

/* Vectors beside those of X that look for new directions, those of them that the certificate has use of, and the
 * greatest rank for which there is memory. A step lets in no more than there are: 2000 x 1000, l1 of rank 56 took 3.4 s
 * with 8, 2.8 s with 16, 2.1 s with 32. */
enum { LOW_RANK_PROBES = 32, LOW_RANK_LOOKERS = 8, LOW_RANK_MOST = 200 };

/* Rounds of the power method for a step and for the certificate, and the relative change at which a norm is known. Not
 * tuned. */
enum { LOW_RANK_ROUNDS = 2, LOW_RANK_MOST_ROUNDS = 200 };
static const double LOW_RANK_NORM = 1e-5;

/* From a violation of this share of the slope on steps are Newton's; they are solved to this share, squared, by at most
 * so many products, and halved so often. Not tuned. */
static const double LOW_RANK_NEAR = 0.5, LOW_RANK_INNER = 0.01;
enum { LOW_RANK_PRODUCTS = 30, LOW_RANK_HALVES = 8 };

/* A path ends when the error of entries held out has not been lower, by this share, for so many lambdas. Without a
 * share log went on to where l1, from which each point starts, keeps a rank of 100, for 5e-4 of the error. */
enum { LOW_RANK_PATIENCE = 3 };
static const double LOW_RANK_LOWER = 1e-3;

/* --tol of the start by l1 where the penalty is not convex; the least lambda of a path. Not tuned. */
static const double LOW_RANK_START_TOL = 5e-2, LOW_RANK_MIN_RATIO = 0.05;

/* ---- inference ---- */

/* A column varies if its deviation is above this share of its largest entry. Not tuned. */
static const double COLUMN_VARIES = 1e-10;

/* The share of the identity in the estimated correlations of features is at least this, so that they have an inverse.
 * Not tuned. The share itself is that of Ledoit and Wolf; none at all chose nothing in 200 x 300 and .75 instead of .95
 * of what matters in 300 x 100 (correlation .5, signal 3, one copy), half of it less than the whole (.61, .67 in 200 x
 * 60). */
static const double LAW_LEAST_SHRINKAGE = 1e-4;

/* Steps to the largest common distance of copies; sweeps to the best distances, and the relative change at which they
 * end. Not tuned. */
enum { ROOM_HALVES = 7, ROOM_SWEEPS = 30 };
static const double ROOM_NEAR = 1e-3;

/* Knockoffs: the target, below which target features have how many copies, and limits. Of ten features that matter a
 * rate of 0.1 is out of reach with one copy once one of them is missed; with four copies 200 x 60, correlation .8,
 * signal 3: power .67 (40 draws), share false .05. Other numbers of copies were not compared. */
static const double KNOCKOFF_FDR = 0.1, KNOCKOFF_FEW_COPIES_FROM = 0.2;
enum { KNOCKOFF_COPIES = 4, KNOCKOFF_MOST_COPIES = 20, KNOCKOFF_MOST_FEATURES = 5000 };

/* Draws of copies, and the share of the target that each draw by itself keeps to, as Ren and Barber advise. 200 x 60,
 * correlation .5, signal 3, ten that matter, rate .2, 25 draws of the data: power .85, .74 and .13 with shares of .5,
 * .7 and .9. Other numbers of draws were not compared. */
enum { KNOCKOFF_DRAWS = 5, KNOCKOFF_MOST_DRAWS = 1000 };
static const double KNOCKOFF_SHARE = 0.5;

/* Maximum likelihood: the least pivot of the Hessian as a share of its diagonal, the most steps, and the score from
 * which on a row is taken to be told for certain: classes are separated then. Not tuned. */
static const double LIKELIHOOD_LEAST_PIVOT = 1e-12, LIKELIHOOD_SEPARATES = 30.0;
enum { LIKELIHOOD_STEPS = 100 };

/* Marginal false discovery rates with the logistic loss are not known beyond this share of the deviance explained. On
 * eight draws of 200 to 400 rows they were at most .12 below the share that was really false up to there, .4 below it
 * from .8 to .9, and 0 at 1, where two thirds were false. */
static const double MFDR_EXPLAINED = 0.75;

/* Debiasing: the variance may be so many times that at the lambda that cross-validation chooses (Dezeure et al.). */
static const double INTERVALS_WIDER = 1.25;

/* Intervals: their level; the rows for each feature from which on all features are in one fit, of numbers and of
 * classes; and the method where there are fewer (2: debiased). */
static const double INTERVALS_LEVEL = 0.95, INTERVALS_ROWS = 2.0, INTERVALS_ROWS_OF_CLASSES = 20.0;
enum { INTERVALS_SPARSE_METHOD = 2 };

#endif
