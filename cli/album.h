/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report. */
#ifndef DCPN_CLI_ALBUM_H
#define DCPN_CLI_ALBUM_H

#include "plot/figure.h"
#include "results.h"
#include "trace.h"

enum { DCPN_CLI_MOST_PICTURES = 32 };

struct picture {
    const char *id;      /* the name of its file, without .svg, and its place in the page */
    const char *heading; /* of its section; NULL: it goes with the one before it */
    char caption[600];
    int is_small; /* several of them stand side by side */
    struct figure figure;
};

struct album {
    const struct cli *cli;
    const struct results *results;
    struct choice choice;
    size_t count;
    struct picture pictures[DCPN_CLI_MOST_PICTURES];
    void **memory; /* all that the figures borrow */
    size_t memory_count;
};

/* Makes the figures; trace may be NULL. Returns the exit code. The album is to be freed in any case, before the
 * results. */
int dcpn_cli_album_make(const struct results *results, struct choice choice, const struct trace *trace,
                        struct album *album);
const struct picture *dcpn_cli_album_find(const struct album *album, const char *id);
void dcpn_cli_album_free(struct album *album);

/* Allocates memory that figures borrow, for the files that make them. It returns NULL, and says so, if memory is
 * short. */
void *dcpn_cli_album_allocate(struct album *album, int64_t count, size_t size);
/* Adds a picture; returns NULL if the album is full. */
struct picture *dcpn_cli_album_add(struct album *album, const char *id, const char *title);
int dcpn_cli_album_add_coefficients(struct album *album);
int dcpn_cli_album_add_cv(struct album *album);
/* Adds the figures of rows that were held out, or none if the file has no scores of such rows at the model that is
 * shown. */
int dcpn_cli_album_add_held_out(struct album *album);
/* Adds small figures of the coefficients of the other paths, each with the choice of its own. */
int dcpn_cli_album_add_other_paths(struct album *album);
/* Adds the numbers of features of the chosen path as a second scale. */
int dcpn_cli_album_add_top(struct album *album, struct figure *figure);
int dcpn_cli_album_add_trace(struct album *album, const struct trace *trace);
/* Marks the lambdas that cross-validation chose, on the path of the choice or on any; if there are none, that of the
 * model shown. */
int dcpn_cli_album_mark_lambdas(struct album *album, struct figure *figure, int of_all_paths);
/* The lambdas of the chosen path. */
double *dcpn_cli_album_lambdas(struct album *album);
/* The name of a measure of a cross-validation on an axis. */
const char *dcpn_cli_measure_label(const char *measure);

#endif
