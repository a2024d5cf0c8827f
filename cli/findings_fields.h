/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a result file: what is missing or null is not known, what is of another kind is refused. */
#ifndef DCPN_CLI_FINDINGS_FIELDS_H
#define DCPN_CLI_FINDINGS_FIELDS_H

#include <jansson.h>

#include "findings.h"

/* The first complaint sticks: later ones are of no interest, and their values of no use. */
struct findings_reader {
    const struct cli *cli;
    struct findings *findings;
    int code;
};

void dcpn_cli_field_refuse(struct findings_reader *reader, const char *field, const char *expected);
void *dcpn_cli_field_allocate(struct findings_reader *reader, int64_t count, size_t size);

double dcpn_cli_get_number(struct findings_reader *reader, const json_t *object, const char *key);
double dcpn_cli_need_number(struct findings_reader *reader, const json_t *object, const char *key);
int64_t dcpn_cli_get_count(struct findings_reader *reader, const json_t *object, const char *key, int64_t otherwise);
const char *dcpn_cli_get_text(struct findings_reader *reader, const json_t *object, const char *key);
/* 1, 0, or -1: not known. */
int dcpn_cli_get_truth(struct findings_reader *reader, const json_t *object, const char *key);
const json_t *dcpn_cli_get_list(struct findings_reader *reader, const json_t *object, const char *key);
/* A list of texts; NULL if there is none. */
const char **dcpn_cli_get_texts(struct findings_reader *reader, const json_t *object, const char *key, size_t *count);
/* The number of a feature, from 0. */
int64_t dcpn_cli_get_feature(struct findings_reader *reader, const json_t *number, const char *key);

#endif
