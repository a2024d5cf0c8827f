/* SPDX-License-Identifier: BSD-3-Clause */
/* Student's t distribution; with infinite freedom it is the normal one. */
#ifndef DCPN_SRC_STUDENT_H
#define DCPN_SRC_STUDENT_H

/* P(|T| > t) */
double dcpn_student_beyond(double freedom, double t);
/* t with P(|T| <= t) = level, 0 < level < 1 */
double dcpn_student_within(double freedom, double level);

#endif
