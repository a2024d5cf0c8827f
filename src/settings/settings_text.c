/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of settings, in memory of one's own. */
#include "settings/settings_text.h"

#include <string.h>

#include "base/context.h"

/* The field of a choice; NULL: the setting is none. */
static const char **text_of(dcpn_settings *settings, size_t k)
{
    const dcpn_setting *setting = dcpn_setting_at(k);
    if (setting->kind != DCPN_KIND_CHOICE) return NULL;
    return (const char **)(void *)((char *)settings + setting->offset);
}

dcpn_status dcpn_settings_own_texts(dcpn_context *context, dcpn_settings *settings, char **texts)
{
    size_t bytes = 0;
    for (size_t k = 0; k < dcpn_setting_count(); k++)
        if (text_of(settings, k)) bytes += strlen(*text_of(settings, k)) + 1;
    char *next = *texts = dcpn_allocate(context, bytes, 1);
    if (!next) return DCPN_MEMORY;
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const char **text = text_of(settings, k);
        if (!text) continue;
        size_t length = strlen(*text) + 1;
        *text = memcpy(next, *text, length);
        next += length;
    }
    return DCPN_OK;
}
