/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix with its labels. */
#include <sys/mman.h>

#include "base/context.h"
#include "dcpn/data.h"

void dcpn_dataset_free(dcpn_dataset *dataset)
{
    if (!dataset) return;
    dcpn_matrix_free(dataset->matrix);
    dcpn_free(dataset->context, dataset->labels);
    dcpn_free(dataset->context, dataset->feature_names);
    dcpn_free(dataset->context, dataset->label_names);
    if (dataset->mapped)
        munmap(dataset->borrowed, dataset->mapped);
    else
        dcpn_free(dataset->context, dataset->borrowed);
    dcpn_free(dataset->context, dataset);
}
