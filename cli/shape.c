/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of a penalty in both units, that of the problem and raw. */
#include "shape.h"
#include "unread.h"

#include <math.h>
#include <string.h>

static double parameter_of(const dcpn_settings *settings, const char *name)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        if (strcmp(setting->option, name) == 0)
            return *(const double *)(const void *)((const char *)settings + setting->offset);
    }
    return (double)NAN;
}

/* Theta travels with lambda: where that is not one number it is printed as a multiple of it. */
static int travels(const char *name)
{
    return strcmp(name, "theta") == 0;
}

void dcpn_cli_print_shape(FILE *stream, const dcpn_settings *settings, double unit)
{
    const char *name = dcpn_cli_shape_of(settings->penalty);
    if (name && unit > 0.0)
        fprintf(stream, "%s %.6g (raw: %.6g)", name, parameter_of(settings, name), dcpn_raw_shape(settings, unit));
}

void dcpn_cli_print_shape_of_path(FILE *stream, const dcpn_path *path)
{
    dcpn_settings at_1 = path->settings;
    const char *name = dcpn_cli_shape_of(at_1.penalty);
    if (!name || (!path->varying && !(path->shape_unit > 0.0))) return;
    fprintf(stream, ", %s = %.6g", name, path->varying ? path->value : parameter_of(&at_1, name));
    if (!(path->shape_unit > 0.0)) return;
    at_1.lambda = 1.0;
    fprintf(stream, " (raw: %.6g%s)", dcpn_raw_shape(&at_1, path->shape_unit), travels(name) ? " lambda" : "");
}
