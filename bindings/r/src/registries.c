/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be chosen: the rows of settings.def and of the registries, as lists of vectors. */
#include <string.h>

#include "dcpn_r.h"

static SEXP texts_of(size_t count, const char *(*text)(const dcpn_setting *))
{
    SEXP vector = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (size_t k = 0; k < count; k++) {
        const char *found = text(dcpn_setting_at(k));
        SET_STRING_ELT(vector, (R_xlen_t)k, found ? Rf_mkCharCE(found, CE_UTF8) : NA_STRING);
    }
    UNPROTECT(1);
    return vector;
}

static const char *option_of(const dcpn_setting *s)
{
    return s->option;
}

static const char *kind_of(const dcpn_setting *s)
{
    static const char *const kinds[] = {"real", "count", "flag", "choice"};
    return kinds[s->kind];
}

static const char *choices_of(const dcpn_setting *s)
{
    return s->choices;
}

static const char *help_of(const dcpn_setting *s)
{
    return s->help;
}

static const char *group_of(const dcpn_setting *s)
{
    return s->group;
}

/* What the setting is, as a text of R. */
static SEXP text_of(const dcpn_value *value)
{
    char text[32];
    if (value->kind == DCPN_KIND_CHOICE) return Rf_mkChar(value->text);
    if (value->kind == DCPN_KIND_FLAG) return Rf_mkChar(value->count ? "TRUE" : "FALSE");
    snprintf(text, sizeof text, "%.15g", value->real);
    return Rf_mkChar(text);
}

/* The defaults are those of paths. */
static SEXP defaults(size_t count)
{
    SEXP handle = PROTECT(dcpn_r_begin(1)), vector = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    struct work *work = dcpn_r_work(handle);
    dcpn_r_need(handle, dcpn_settings_new(work->context, 1, &work->settings));
    for (size_t k = 0; k < count; k++) {
        dcpn_value value = {0};
        (void)dcpn_settings_get(work->settings, dcpn_setting_at(k)->option, &value);
        SET_STRING_ELT(vector, (R_xlen_t)k, text_of(&value));
    }
    dcpn_r_end(handle);
    UNPROTECT(2);
    return vector;
}

SEXP dcpn_r_settings(void)
{
    size_t count = dcpn_setting_count();
    struct answer answer = dcpn_r_answer(6);
    dcpn_r_add(&answer, "option", texts_of(count, option_of));
    dcpn_r_add(&answer, "kind", texts_of(count, kind_of));
    dcpn_r_add(&answer, "default", defaults(count));
    dcpn_r_add(&answer, "choices", texts_of(count, choices_of));
    dcpn_r_add(&answer, "group", texts_of(count, group_of));
    dcpn_r_add(&answer, "help", texts_of(count, help_of));
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_parts(SEXP kind)
{
    const char *word = CHAR(STRING_ELT(kind, 0));
    dcpn_part part;
    size_t count = 0;
    while (dcpn_part_at(word, count, &part)) count++;
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count)),
         formulas = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (size_t k = 0; k < count; k++) {
        dcpn_part_at(word, k, &part);
        SET_STRING_ELT(names, (R_xlen_t)k, Rf_mkChar(part.name));
        SET_STRING_ELT(formulas, (R_xlen_t)k, part.formula ? Rf_mkCharCE(part.formula, CE_UTF8) : NA_STRING);
    }
    Rf_setAttrib(formulas, R_NamesSymbol, names);
    UNPROTECT(2);
    return formulas;
}

SEXP dcpn_r_wants_classes(SEXP loss)
{
    return Rf_ScalarLogical(dcpn_loss_wants_classes(CHAR(STRING_ELT(loss, 0))));
}
