/* SPDX-License-Identifier: BSD-3-Clause */
/* When enough of a path is known: its measure has been clearly worse than its best for long. */
#ifndef DCPN_SRC_PATIENCE_H
#define DCPN_SRC_PATIENCE_H

#include <stdint.h>

struct patience {
    int64_t limit;     /* lambdas in a row; 0: endless */
    double sign;       /* times this, the smaller the measure is the better */
    double first, best;
    int64_t worse;     /* lambdas since the last one that was not clearly worse than the best */
    int64_t seen;
};

/* Makes the patience for a path of so many lambdas. `asked` is how many of them in a row may be clearly worse than
 * the best; 0 stands for the usual share of them, and a negative number for endless patience. */
struct patience dcpn_patience_new(int64_t asked, int64_t lambdas, int larger_is_better);
/* Takes the measure at the next lambda. NaN means that it is not defined there and is passed over. */
void dcpn_patience_see(struct patience *patience, double value);
int dcpn_patience_is_over(const struct patience *patience);

#endif
