/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's array files from the parts of a data set; the bytes are little-endian on any machine. */
#include <stdio.h>
#include <string.h>

#include "data/npy_array.h"
#include "data/rows.h"
#include "data/writers.h"

enum { ALIGNMENT = 64, PREAMBLE = 10 };

void dcpn_npy_put_integer(const struct sink *sink, int64_t value, int bytes)
{
    char little[8];
    for (int k = 0; k < bytes; k++) little[k] = (char)((uint64_t)value >> (8 * k));
    sink->put(sink->to, little, (size_t)bytes);
}

void dcpn_npy_put_double(const struct sink *sink, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    dcpn_npy_put_integer(sink, bits, 8);
}

/* Blanks fill it up, so that the data start at a multiple of 64 bytes. */
void dcpn_npy_put_header(const struct sink *sink, const char *type, int64_t rows, int64_t columns)
{
    char shape[64] = "()", text[4 * ALIGNMENT];
    if (columns >= 0)
        snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)rows, (long long)columns);
    else if (rows >= 0)
        snprintf(shape, sizeof shape, "(%lld,)", (long long)rows);
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    while ((PREAMBLE + length + 1) % ALIGNMENT) text[length++] = ' ';
    text[length++] = '\n';
    sink->put(sink->to, "\x93NUMPY\x01", 8);
    dcpn_npy_put_integer(sink, length, 2);
    sink->put(sink->to, text, (size_t)length);
}

dcpn_status dcpn_npy_put_matrix(const struct sink *sink, const dcpn_dataset *dataset)
{
    struct row row;
    double *dense = dcpn_allocate(dataset->context, (size_t)dataset->features, sizeof *dense);
    dcpn_status status = dense ? dcpn_row_open(dataset, &row) : DCPN_MEMORY;
    if (status == DCPN_OK) {
        dcpn_npy_put_header(sink, "<f8", dataset->rows, dataset->features);
        for (int64_t i = 0; i < dataset->rows; i++) {
            dcpn_row_load(dataset, i, &row);
            dcpn_row_spread(&row, dataset->features, dense);
            for (int64_t j = 0; j < dataset->features; j++) dcpn_npy_put_double(sink, dense[j]);
        }
        dcpn_row_close(&row);
    }
    dcpn_free(dataset->context, dense);
    return status;
}

/* ---- Texts --------------------------------------------------------------------------------------------------------*/

/* The next code of a UTF-8 text; bytes that are not UTF-8 stand for themselves. */
static uint32_t next_code(const char **at)
{
    const unsigned char *c = (const unsigned char *)*at;
    int more = c[0] >= 0xF0 && c[0] < 0xF8 ? 3 : c[0] >= 0xE0 ? 2 : c[0] >= 0xC0 ? 1 : 0;
    uint32_t code = more == 3 ? c[0] & 0x07U : more == 2 ? c[0] & 0x0FU : c[0] & 0x1FU;
    for (int k = 1; k <= more; k++) {
        if ((c[k] & 0xC0) != 0x80) more = 0;
        code = code << 6 | (c[k] & 0x3FU);
    }
    *at += more + 1;
    return more ? code : c[0];
}

static int64_t code_count(const char *text)
{
    int64_t count = 0;
    for (; *text; count++) next_code(&text);
    return count;
}

void dcpn_npy_put_texts(const struct sink *sink, char *const *texts, int64_t count)
{
    char type[32];
    int64_t longest = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t length = code_count(texts[k]);
        if (length > longest) longest = length;
    }
    snprintf(type, sizeof type, "<U%lld", (long long)longest);
    dcpn_npy_put_header(sink, type, count, -1);
    for (int64_t k = 0; k < count; k++) {
        int64_t put = 0;
        for (const char *at = texts[k]; *at; put++) dcpn_npy_put_integer(sink, next_code(&at), 4);
        for (; put < longest; put++) dcpn_npy_put_integer(sink, 0, 4);
    }
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

static void put_in_file(void *to, const char *bytes, size_t length)
{
    dcpn_output_write(to, bytes, length);
}

dcpn_status dcpn_write_npy(const dcpn_dataset *dataset, const char *path)
{
    struct output_file file;
    const struct sink sink = {put_in_file, &file};
    DCPN_TRY(dcpn_check_beside(dataset, path));
    DCPN_TRY(dcpn_output_open(dataset->context, path, &file));
    dcpn_status status = dcpn_npy_put_matrix(&sink, dataset);
    if (status != DCPN_OK) {
        dcpn_output_abandon(&file);
        return status;
    }
    DCPN_TRY(dcpn_output_commit(&file));
    return dcpn_write_beside(dataset, path);
}
