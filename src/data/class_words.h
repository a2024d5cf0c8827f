/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of two classes is the positive one, by the words that they are called. */
#ifndef DCPN_SRC_CLASS_WORDS_H
#define DCPN_SRC_CLASS_WORDS_H

#include "data/names.h"

/* Does the first of two names say that it is the positive class, by itself or because of what the second one is?
 * Examples are "case" beside "control" and "yes" beside "no". */
int dcpn_first_is_positive(struct word first, struct word second);

#endif
