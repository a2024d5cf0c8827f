/* SPDX-License-Identifier: BSD-3-Clause */
/* Options in sentences. The library writes them like the command, --max-iter; other programs that use it get
 * max-iter. */
#ifndef DCPN_SRC_SENTENCE_H
#define DCPN_SRC_SENTENCE_H

#include <stddef.h>

/* Puts the prefix in the place of the dashes of each option. What does not fit into `room` bytes is left out. */
void dcpn_sentence_set_prefix(char *sentence, size_t room, const char *prefix);
/* The name of the first option, without the dashes; "" if there is none. */
void dcpn_sentence_first_option(const char *sentence, char *name, size_t room);

#endif
