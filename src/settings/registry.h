/* SPDX-License-Identifier: BSD-3-Clause */
/* The registries: every part by its name. NULL if there is none of that name. */
#ifndef DCPN_SRC_REGISTRY_H
#define DCPN_SRC_REGISTRY_H

#include "algorithm/algorithm.h"
#include "dcpn/solver.h"

const dcpn_loss_ops *dcpn_find_loss(const char *name);
const dcpn_loss_ops *dcpn_find_unlabelled_loss(const char *name);
const dcpn_penalty_ops *dcpn_find_penalty(const char *name);
const struct composition *dcpn_find_composition(const char *name);
const struct metric_ops *dcpn_find_metric(const char *name);
const struct subsolver_ops *dcpn_find_subsolver(const char *name);
const struct algorithm_ops *dcpn_find_algorithm(const char *name);

/* Settings that belong together under one name. */
struct preset {
    const char *name;
    const char *formula; /* the settings, as options */
    const char *note;
};
const struct preset *dcpn_find_preset(const char *name);

#endif
