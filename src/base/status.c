/* SPDX-License-Identifier: BSD-3-Clause */
/* Status and outcome: their texts, from errors.def and outcomes.def. */
#include "dcpn/base.h"

static const struct {
    int exit_code;
    const char *meaning;
} statuses[] = {
#define DCPN_STATUS(NAME, EXIT_CODE, MEANING) [DCPN_##NAME] = {EXIT_CODE, MEANING},
#include "dcpn/errors.def"
#undef DCPN_STATUS
};

static const struct {
    const char *name, *meaning;
} outcomes[] = {
#define DCPN_OUTCOME(NAME, TEXT, MEANING) [DCPN_##NAME] = {TEXT, MEANING},
#include "dcpn/outcomes.def"
#undef DCPN_OUTCOME
};

static int is_status(dcpn_status status)
{
    return (size_t)status < sizeof statuses / sizeof *statuses;
}

static int is_outcome(dcpn_outcome outcome)
{
    return (size_t)outcome < sizeof outcomes / sizeof *outcomes;
}

const char *dcpn_status_meaning(dcpn_status status)
{
    return is_status(status) ? statuses[status].meaning : "no status of this library";
}

int dcpn_status_exit_code(dcpn_status status)
{
    return is_status(status) ? statuses[status].exit_code : 1;
}

const char *dcpn_outcome_name(dcpn_outcome outcome)
{
    return is_outcome(outcome) ? outcomes[outcome].name : "unknown";
}

const char *dcpn_outcome_meaning(dcpn_outcome outcome)
{
    return is_outcome(outcome) ? outcomes[outcome].meaning : "no outcome of this library";
}

int dcpn_has_converged(dcpn_outcome outcome)
{
    return outcome == DCPN_CONVERGED || outcome == DCPN_RELATIVE_CHANGE;
}
