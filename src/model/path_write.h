/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_PATH_WRITE_H
#define DCPN_SRC_PATH_WRITE_H

#include "base/json_text.h"
#include "dcpn/path.h"

/* Functions that write what a file has besides for each path and each point: a cross-validation adds something. Either
 * may be NULL. */
struct path_additions {
    void (*of_path)(struct json_writer *json, const void *user, int64_t path);
    void (*of_point)(struct json_writer *json, const void *user, int64_t path, int64_t point);
    const void *user;
};

/* "local", "searched" or "by-size". */
const char *dcpn_path_kind_name(const dcpn_path *path);
/* Refuses texts that are NULL and numbers that are none; names are those of so many features and classes. */
dcpn_status dcpn_provenance_check(dcpn_context *context, const dcpn_provenance *provenance, int64_t features,
                                  int64_t classes);
/* Refuses paths with parts of the caller's own, which a file cannot name, and a provenance that lacks what it
 * announces. */
dcpn_status dcpn_paths_check(const dcpn_paths *paths, const dcpn_provenance *provenance);
/* Writes the whole file but the outermost braces and the timing, which comes last. */
void dcpn_write_paths(struct json_writer *json, const char *format, const dcpn_paths *paths,
                      const dcpn_provenance *provenance, const struct path_additions *additions);
void dcpn_write_timing(struct json_writer *json, const dcpn_paths *paths, const dcpn_provenance *provenance,
                       double time_s);

#endif
