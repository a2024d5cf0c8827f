/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's array files: the header, which is a Python dictionary, and the elements. */
#include "data/npy_array.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "data/place.h"

enum { MAGIC_LENGTH = 6, VERSION_1_START = 10, VERSION_2_START = 12 };

static const char magic[] = "\x93NUMPY";

/* ---- The header ---------------------------------------------------------------------------------------------------*/

struct header {
    const struct content *content;
    const char *at, *end;
};

static dcpn_status refuse_header(const struct header *header, const char *what)
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *end = header->end - header->at > 16 ? header->at + 16 : header->end;
    return dcpn_fail(header->content->context, DCPN_DATA,
                     "%s: byte %lld of the header: found %s, expected %s; the file is damaged", header->content->name,
                     (long long)(header->at - header->content->bytes), dcpn_quote(header->at, end, quote), what);
}

static void skip_space(struct header *header)
{
    while (header->at < header->end && (*header->at == ' ' || *header->at == '\n')) header->at++;
}

static int take(struct header *header, const char *text)
{
    size_t length = strlen(text);
    skip_space(header);
    if ((size_t)(header->end - header->at) < length || memcmp(header->at, text, length) != 0) return 0;
    header->at += length;
    return 1;
}

static dcpn_status take_string(struct header *header, struct word *word)
{
    skip_space(header);
    char quote = header->at < header->end ? *header->at : '\0';
    if (quote != '\'' && quote != '"') return refuse_header(header, "a text in quotes");
    const char *start = header->at + 1, *stop = memchr(start, quote, (size_t)(header->end - start));
    if (!stop) return refuse_header(header, "a closing quote");
    *word = (struct word){start, stop - start};
    header->at = stop + 1;
    return DCPN_OK;
}

static dcpn_status take_shape(struct header *header, struct npy_array *array)
{
    if (!take(header, "(")) return refuse_header(header, "a shape in parentheses");
    for (array->dimensions = 0; !take(header, ")");) {
        int64_t length;
        const char *after = dcpn_parse_integer(header->at, header->end, &length);
        if (!after || length < 0) return refuse_header(header, "the length of a dimension");
        if (array->dimensions == NPY_MOST_DIMENSIONS) return refuse_header(header, "at most 32 dimensions");
        array->shape[array->dimensions++] = length;
        header->at = after;
        take(header, "L"); /* Python 2 */
        if (!take(header, ",") && (header->at == header->end || *header->at != ')'))
            return refuse_header(header, "a comma or a parenthesis");
    }
    return DCPN_OK;
}

static dcpn_status refuse_type(const struct header *header, struct word type)
{
    char quote[DCPN_QUOTE_LENGTH];
    int is_object = memchr(type.start, 'O', (size_t)type.length) != NULL;
    return dcpn_fail(header->content->context, DCPN_DATA, "%s: found %s of type %s, expected %s; %s",
                     header->content->name, is_object ? "an array of Python objects," : "an array",
                     dcpn_quote(type.start, type.start + type.length, quote),
                     "float16, float32, float64, integers, booleans or texts",
                     is_object ? "objects are never loaded, since that would run code of the file: save the array with "
                                 "a dtype of its own"
                               : "save it with another dtype");
}

static int is_known(char kind, int64_t size)
{
    switch (kind) {
    case 'f':
        return size == 2 || size == 4 || size == 8;
    case 'i':
    case 'u':
        return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
        return size == 1;
    case 'S':
    case 'U':
        return size >= 0 && size <= INT32_MAX;
    default:
        return 0;
    }
}

static int is_little_endian_host(void)
{
    const uint16_t one = 1;
    char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static dcpn_status take_type(struct header *header, struct npy_array *array)
{
    struct word type;
    skip_space(header);
    if (header->at < header->end && *header->at == '[')
        return dcpn_fail(
            header->content->context, DCPN_DATA,
            "%s: found an array of records, expected one of numbers; save its fields as arrays of their own",
            header->content->name);
    DCPN_TRY(take_string(header, &type));
    const char *end = type.start + type.length;
    int has_order = type.length > 0 && strchr("<>|=", type.start[0]) && type.start[0];
    const char *kind = type.start + has_order;
    if (kind >= end || dcpn_parse_integer(kind + 1, end, &array->size) != end || !is_known(*kind, array->size))
        return refuse_type(header, type);
    array->kind = *kind;
    if (array->kind == 'U') array->size *= 4;
    array->is_reversed = has_order && type.start[0] == (is_little_endian_host() ? '>' : '<');
    return DCPN_OK;
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static dcpn_status take_item(struct header *header, struct npy_array *array, int *has)
{
    struct word key;
    DCPN_TRY(take_string(header, &key));
    if (!take(header, ":")) return refuse_header(header, "a colon");
    if (dcpn_word_equals(key, "descr")) {
        *has |= HAS_TYPE;
        return take_type(header, array);
    }
    if (dcpn_word_equals(key, "shape")) {
        *has |= HAS_SHAPE;
        return take_shape(header, array);
    }
    if (!dcpn_word_equals(key, "fortran_order")) return refuse_header(header, "descr, fortran_order or shape");
    *has |= HAS_ORDER;
    array->is_fortran = take(header, "True");
    return array->is_fortran || take(header, "False") ? DCPN_OK : refuse_header(header, "True or False");
}

static dcpn_status parse_header(struct header *header, struct npy_array *array)
{
    int has = 0;
    if (!take(header, "{")) return refuse_header(header, "a dictionary");
    while (!take(header, "}")) {
        DCPN_TRY(take_item(header, array, &has));
        if (take(header, ",")) continue;
        if (header->at == header->end || *header->at != '}') return refuse_header(header, "a comma or a brace");
    }
    skip_space(header);
    if (header->at < header->end) return refuse_header(header, "the end of the header");
    return has == HAS_ALL ? DCPN_OK : refuse_header(header, "descr, fortran_order and shape");
}

/* The number in `bytes` bytes, the lowest first. */
static size_t little_endian(const char *at, int bytes)
{
    size_t number = 0;
    for (int k = bytes - 1; k >= 0; k--) number = number << 8 | (unsigned char)at[k];
    return number;
}

static dcpn_status find_header(const struct content *content, struct header *header)
{
    int version = content->size >= VERSION_1_START ? content->bytes[MAGIC_LENGTH] : 0;
    size_t start = version == 1 ? VERSION_1_START : VERSION_2_START;
    if (content->size < VERSION_1_START || memcmp(content->bytes, magic, MAGIC_LENGTH) != 0)
        return dcpn_fail(content->context, DCPN_DATA, "%s: found no NumPy array, expected one (.npy)", content->name);
    if (version < 1 || version > 3)
        return dcpn_fail(content->context, DCPN_DATA, "%s: found version %d of NumPy's format, expected 1, 2 or 3",
                         content->name, version);
    size_t length = content->size < start ? SIZE_MAX : little_endian(content->bytes + 8, version == 1 ? 2 : 4);
    if (content->size < start || length > content->size - start)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found the end of the file within the header of a NumPy array; "
                         "the file is cut short",
                         content->name);
    const char *text = content->bytes + start;
    *header = (struct header){.content = content, .at = text, .end = text + length};
    return DCPN_OK;
}

static dcpn_status check_size(const struct content *content, struct npy_array *array, const char *data)
{
    int64_t bytes, there = content->bytes + (int64_t)content->size - data;
    int overflows = 0;
    array->count = 1;
    for (int k = 0; k < array->dimensions; k++)
        overflows |= __builtin_mul_overflow(array->count, array->shape[k], &array->count);
    overflows |= __builtin_mul_overflow(array->count, array->size, &bytes);
    array->data = data;
    if (!overflows && bytes == there) return DCPN_OK;
    if (!overflows && bytes < there)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found %lld bytes behind the array, expected the end of the file; save one array in it",
                         content->name, (long long)(there - bytes));
    return dcpn_fail(
        content->context, DCPN_DATA,
        "%s: found %lld bytes for the array, expected %s%lld; the file is cut short, or its header is wrong",
        content->name, (long long)there, overflows ? "more than " : "",
        overflows ? (long long)INT64_MAX : (long long)bytes);
}

dcpn_status dcpn_npy_open(const struct content *content, struct npy_array *array)
{
    struct header header = {0};
    *array = (struct npy_array){0};
    DCPN_TRY(find_header(content, &header));
    const char *data = header.end;
    DCPN_TRY(parse_header(&header, array));
    return check_size(content, array, data);
}

int dcpn_npy_begins(const char *bytes, size_t size)
{
    return size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

/* ---- Elements -----------------------------------------------------------------------------------------------------*/

int dcpn_npy_is_integer(const struct npy_array *array)
{
    return array->kind == 'i' || array->kind == 'u' || array->kind == 'b';
}

int dcpn_npy_is_numeric(const struct npy_array *array)
{
    return array->kind == 'f' || dcpn_npy_is_integer(array);
}

int dcpn_npy_is_vector(const struct npy_array *array)
{
    return array->dimensions == 1 || (array->dimensions == 2 && (array->shape[0] == 1 || array->shape[1] == 1));
}

/* The bits of an element in the byte order of the machine, at the low end of a number. */
static uint64_t bits_of(const struct npy_array *array, int64_t k)
{
    const char *at = array->data + k * array->size;
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (array->size) {
    case 8:
        memcpy(&eight, at, 8);
        return array->is_reversed ? __builtin_bswap64(eight) : eight;
    case 4:
        memcpy(&four, at, 4);
        return array->is_reversed ? __builtin_bswap32(four) : four;
    case 2:
        memcpy(&two, at, 2);
        return array->is_reversed ? __builtin_bswap16(two) : two;
    default:
        return (unsigned char)*at;
    }
}

int64_t dcpn_npy_integer(const struct npy_array *array, int64_t k)
{
    uint64_t bits = bits_of(array, k);
    if (array->kind == 'b') return bits != 0;
    if (array->kind == 'u') return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    switch (array->size) {
    case 8:
        return (int64_t)bits;
    case 4:
        return (int32_t)bits;
    case 2:
        return (int16_t)bits;
    default:
        return (int8_t)bits;
    }
}

/* IEEE half precision: 1 bit of sign, 5 of exponent, 10 of fraction. */
static double half_number(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023), sign = bits >> 15 & 1 ? -1.0 : 1.0;
    if (exponent == 31) return fraction > 0.0 ? (double)NAN : sign * HUGE_VAL;
    return sign * (exponent ? ldexp(1024.0 + fraction, exponent - 25) : ldexp(fraction, -24));
}

double dcpn_npy_number(const struct npy_array *array, int64_t k)
{
    uint64_t bits = bits_of(array, k);
    if (array->kind == 'f' && array->size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (array->kind == 'f' && array->size == 2) return half_number((uint32_t)bits & 0xffff);
    if (array->kind == 'f') {
        float value;
        uint32_t low = (uint32_t)bits;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    return array->kind == 'u' ? (double)bits : (double)dcpn_npy_integer(array, k);
}
