/* SPDX-License-Identifier: BSD-3-Clause */
/* libdcpn: sparse learning with non-convex losses and penalties, by the DC proximal Newton algorithm.
 *
 * The smallest complete program (compile with: cc first.c $(pkg-config --cflags --libs dcpn)):
 *
 *     #include <dcpn/dcpn.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         dcpn_context *context = dcpn_context_new(NULL);
 *         dcpn_settings *settings = NULL;
 *         dcpn_model *model = NULL;
 *         if (dcpn_settings_new(context, 0, &settings) == DCPN_OK &&
 *             dcpn_settings_set_all(settings, "lambda=2 penalty=mcp") == DCPN_OK &&
 *             dcpn_fit_file(context, "data.svm", settings, &model) == DCPN_OK)
 *             printf("%g features, F = %g\n", dcpn_model_number(model, "nonzeros"),
 *                    dcpn_model_number(model, "objective"));
 *         else
 *             fprintf(stderr, "%s\n", dcpn_last_error(context));
 *         dcpn_model_free(model);
 *         dcpn_settings_free(settings);
 *         dcpn_context_free(context);
 *     }
 */
#ifndef DCPN_DCPN_H
#define DCPN_DCPN_H

#include "base.h"
#include "collective.h"
#include "cv.h"
#include "data.h"
#include "extend.h"
#include "factor.h"
#include "graph.h"
#include "hazard.h"
#include "inference.h"
#include "complete.h"
#include "handles.h"
#include "model.h"
#include "neighbours.h"
#include "path.h"
#include "problem.h"
#include "results.h"
#include "selection.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads data in any format, fits (settings NULL: the defaults), and makes the model. */
DCPN_API dcpn_status dcpn_fit_file(dcpn_context *context, const char *path, const dcpn_settings *settings,
                                   dcpn_model **model);

#ifdef __cplusplus
}
#endif
#endif
