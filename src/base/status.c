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

const char *dcpn_status_meaning(dcpn_status status)
{
    return statuses[status].meaning;
}

int dcpn_status_exit_code(dcpn_status status)
{
    return statuses[status].exit_code;
}

const char *dcpn_outcome_name(dcpn_outcome outcome)
{
    return outcomes[outcome].name;
}

const char *dcpn_outcome_meaning(dcpn_outcome outcome)
{
    return outcomes[outcome].meaning;
}
