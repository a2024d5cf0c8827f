/* SPDX-License-Identifier: BSD-3-Clause */
/* Are the elements of a MATLAB file whole? matio does not ask, and takes memory that it never filled for numbers. */
#ifndef DCPN_IMPORT_MAT_ELEMENTS_H
#define DCPN_IMPORT_MAT_ELEMENTS_H

#include "data/content.h"

/* Checks a file of version 5: that elements lie within the file and within each other, that compressed ones expand to
 * what their checksums say, and that arrays have the numbers that their dimensions announce. */
dcpn_status mat_check_elements(const struct content *content);

#endif
