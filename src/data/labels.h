/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels of a data set: numbers, or the names of classes. */
#ifndef DCPN_SRC_LABELS_H
#define DCPN_SRC_LABELS_H

#include "data/content.h"
#include "data/names.h"
#include "dcpn/data.h"

/* How labels are written: "" in a word stands for one "; numbers may have a decimal comma. */
enum label_style { LABELS_PLAIN = 0, LABELS_QUOTED = 1, LABELS_DECIMAL_COMMA = 2 };

/* Makes labels of one word for each row: numbers if all words are numbers, classes by name if none is. A mixture is
 * refused, and so are missing labels unless options->unlabelled. The words lie in the content, which gives the place of
 * one that is refused; if the content has no bytes, the place is the number of the row. */
dcpn_status dcpn_labels_from_words(const struct content *content, const struct word *words, unsigned style,
                                   const dcpn_read_options *options, dcpn_dataset *dataset);
/* Finds labels that are not beside the rows. They are read from the second file options->labels_path, one a line or an
 * array of NumPy; without one, they are NaN if options->unlabelled and refused if not. `where` says in the refusal what
 * else would do ("a column named label", "an array y"); NULL: nothing would. */
dcpn_status dcpn_labels_elsewhere(const struct content *content, const dcpn_read_options *options, const char *where,
                                  dcpn_dataset *dataset);
/* Takes numbers as labels: finite, or NaN if options->unlabelled. The data set takes them over, also when it fails. */
dcpn_status dcpn_labels_from_numbers(const struct content *content, double *numbers, const dcpn_read_options *options,
                                     dcpn_dataset *dataset);

/* Is it what a column or an array of labels is usually called: label, labels, class, target, y, outcome, response,
 * status? */
int dcpn_word_is_label(struct word word);
/* Does it start with two numbers? Then it is not the name of a class, but a line of several columns. */
int dcpn_word_is_columns(struct word word);

#endif
