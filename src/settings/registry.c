/* SPDX-License-Identifier: BSD-3-Clause */
/* The registries. A new part is one file and one line here; names, help and tests follow. */
#include "settings/registry.h"

#include <string.h>

static const dcpn_loss_ops *const losses[] = {
    &dcpn_loss_squared,
    &dcpn_loss_logistic,
    &dcpn_loss_squared_hinge,
    &dcpn_loss_huber,
    &dcpn_loss_welsch,
    &dcpn_loss_smooth_ramp,
    &dcpn_loss_quantile,
    &dcpn_loss_poisson,
    &dcpn_loss_negative_binomial,
    &dcpn_loss_gamma,
    &dcpn_loss_multinomial,
    &dcpn_loss_ordinal,
    &dcpn_loss_cox,
};

static const dcpn_loss_ops *const unlabelled_losses[] = {
    &dcpn_loss_transductive,
    &dcpn_loss_symmetric_gaussian,
    &dcpn_loss_symmetric_sigmoid,
    &dcpn_loss_symmetric_ramp,
    &dcpn_loss_symmetric_squared_hinge,
};

static const dcpn_penalty_ops *const penalties[] = {
    &dcpn_penalty_l1,
    &dcpn_penalty_capped_l1,
    &dcpn_penalty_scad,
    &dcpn_penalty_mcp,
    &dcpn_penalty_log,
    &dcpn_penalty_lp,
    &dcpn_penalty_exponential,
};

static const struct composition *const compositions[] = {
    &dcpn_composition_norm,
    &dcpn_composition_sum,
    &dcpn_composition_sparse,
    &dcpn_composition_latent,
    &dcpn_composition_tree,
    &dcpn_composition_entry,
};

static const struct metric_ops *const metrics[] = {
    &dcpn_metric_identity,
    &dcpn_metric_identity_backtracked,
    &dcpn_metric_barzilai_borwein,
    &dcpn_metric_lbfgs,
    &dcpn_metric_seeded_lbfgs,
    &dcpn_metric_hessian,
};

static const struct subsolver_ops *const subsolvers[] = {
    &dcpn_subsolver_forward_backward,
    &dcpn_subsolver_fista,
    &dcpn_subsolver_coordinate_descent,
};

static const struct algorithm_ops *const algorithms[] = {
    &dcpn_algorithm_dcpn,
    &dcpn_algorithm_gist,
    &dcpn_algorithm_dca,
    &dcpn_algorithm_scp,
    &dcpn_algorithm_multi_stage,
    &dcpn_algorithm_proximal_gradient,
    &dcpn_algorithm_fista,
    &dcpn_algorithm_proximal_newton,
    &dcpn_algorithm_sparsa,
};

/* Chapelle and Zien, Semi-supervised classification by low density separation, 2005: their nabla-TSVM. Their constraint
 * on the mean score is the balance, their conjugate gradients are gradients with spectral steps. */
static const struct preset nabla_tsvm = {
    .name = "nabla-tsvm",
    .formula = "--loss squared-hinge --unlabelled-loss symmetric-gaussian --sharpness 3 --unlabelled-weight 1 "
               "--balance 1 --intercept --annealing --penalty l1 --lambda 0 --ridge 1 --algorithm gist",
    .note = "Chapelle and Zien 2005: the transductive SVM with all features, minimised in the primal",
};

static const struct preset *const presets[] = {&nabla_tsvm};

#define COUNT(REGISTRY) (sizeof(REGISTRY) / sizeof *(REGISTRY))

/* kind, type, finder, table, the settings an entry reads, what else is to be said of it */
#define REGISTRIES                                                                                                     \
    REGISTRY("loss", dcpn_loss_ops, dcpn_find_loss, losses, part->parameter, part->split)                             \
    REGISTRY("unlabelled-loss", dcpn_loss_ops, dcpn_find_unlabelled_loss, unlabelled_losses, part->parameter,          \
             part->split)                                                                                              \
    REGISTRY("penalty", dcpn_penalty_ops, dcpn_find_penalty, penalties, part->parameters, NULL)                        \
    REGISTRY("grouping", struct composition, dcpn_find_composition, compositions, NULL, NULL)                          \
    REGISTRY("metric", struct metric_ops, dcpn_find_metric, metrics, NULL, NULL)                                       \
    REGISTRY("subsolver", struct subsolver_ops, dcpn_find_subsolver, subsolvers, NULL, NULL)                           \
    REGISTRY("algorithm", struct algorithm_ops, dcpn_find_algorithm, algorithms, NULL, part->reference) \
    REGISTRY("preset", struct preset, dcpn_find_preset, presets, NULL, part->note)

#define REGISTRY(KIND, TYPE, FIND, TABLE, READS, NOTE)                                                                 \
    const TYPE *FIND(const char *name)                                                                                 \
    {                                                                                                                  \
        for (size_t i = 0; i < COUNT(TABLE); i++)                                                                      \
            if (strcmp(TABLE[i]->name, name) == 0) return TABLE[i];                                                    \
        return NULL;                                                                                                   \
    }
REGISTRIES
#undef REGISTRY

static void describe_algorithm(const struct algorithm_ops *algorithm, dcpn_part *out)
{
    out->f1 = algorithm->assumes.f1;
    out->f2 = algorithm->assumes.f2;
    out->h1 = algorithm->assumes.h1;
    out->h2 = algorithm->assumes.h2;
    out->H = algorithm->assumes.H;
}

int dcpn_loss_wants_classes(const char *loss)
{
    const dcpn_loss_ops *found = loss ? dcpn_find_loss(loss) : NULL;
    return found && found->targets == DCPN_CLASSES;
}

int dcpn_loss_takes_many_classes(const char *loss)
{
    const dcpn_loss_ops *found = loss ? dcpn_find_loss(loss) : NULL;
    return found && (found->targets == DCPN_MANY_CLASSES || found->targets == DCPN_ORDERED_CLASSES);
}

int dcpn_part_at(const char *kind, size_t index, dcpn_part *out)
{
#define REGISTRY(KIND, TYPE, FIND, TABLE, READS, NOTE)                                                                 \
    if (strcmp(kind, KIND) == 0 && index < COUNT(TABLE)) {                                                             \
        const TYPE *part = TABLE[index];                                                                               \
        *out = (dcpn_part){.name = part->name, .formula = part->formula, .settings = READS, .note = NOTE};             \
        if (strcmp(kind, "algorithm") == 0) describe_algorithm(algorithms[index], out);                                \
        return 1;                                                                                                      \
    }
    if (!kind || !out) return 0;
    REGISTRIES
#undef REGISTRY
    return 0;
}
