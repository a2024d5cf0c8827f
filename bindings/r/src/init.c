/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that R may call, and nothing else. */
#include "dcpn_r.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#define FUNCTION(NAME, ARGUMENTS) {#NAME, (DL_FUNC)&NAME, ARGUMENTS}

void R_init_dcpn(DllInfo *library);

void attribute_visible R_init_dcpn(DllInfo *library)
{
    static const R_CallMethodDef functions[] = {
        FUNCTION(dcpn_r_fit, 5),      FUNCTION(dcpn_r_path, 5),  FUNCTION(dcpn_r_cv, 6),
        FUNCTION(dcpn_r_read, 3),     FUNCTION(dcpn_r_settings, 0), FUNCTION(dcpn_r_parts, 1),
        FUNCTION(dcpn_r_wants_classes, 1), {NULL, NULL, 0}};
    R_registerRoutines(library, NULL, functions, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
