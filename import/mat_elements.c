/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of a MATLAB file of version 5: a tag of type and size, then data up to the next multiple of 8 bytes. */
#include "mat_elements.h"

#include <string.h>
#include <zlib.h>

#include "refusal.h"

enum { HEADER = 128, TAG = 8, DEEPEST = 16, LEAST_ROOM = 1 << 16, LARGEST_STEP = 1 << 30 };
enum { MATRIX = 14, COMPRESSED = 15 };
enum { CELL = 1, FIRST_NUMBERS = 6, LAST_NUMBERS = 15, COMPLEX = 0x800 };

struct walk {
    const struct content *content;
    int is_swapped; /* written by a machine of the other byte order */
    size_t place;   /* of the element at hand in the file, for the refusal */
};

struct element {
    uint32_t type;
    const char *data;
    size_t size;
};

static dcpn_status refuse(const struct walk *walk, const char *what)
{
    return dcpn_fail(walk->content->context, DCPN_DATA, "%s: byte %zu: found %s, expected a whole array; " DAMAGED,
                     walk->content->name, walk->place, what);
}

static uint32_t number_at(const struct walk *walk, const char *bytes)
{
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return walk->is_swapped ? __builtin_bswap32(number) : number;
}

/* Reads the element at *at and moves on. Up to 4 bytes of data can be in the tag itself, with their number in the upper
 * half of the type. Compressed elements are not filled up, and the last of all need not be. */
static dcpn_status next_element(const struct walk *walk, const char **at, const char *end, struct element *element)
{
    *element = (struct element){0};
    if (end - *at < TAG) return refuse(walk, "an element that ends within its first 8 bytes");
    uint32_t type = number_at(walk, *at);
    int is_small = type >> 16 != 0;
    *element = (struct element){.type = is_small ? type & 0xFFFF : type,
                                .data = *at + (is_small ? 4 : TAG),
                                .size = is_small ? type >> 16 : number_at(walk, *at + 4)};
    if (is_small ? element->size > 4 : element->size > (size_t)(end - element->data))
        return refuse(walk, "an element that announces more bytes than follow");
    *at = is_small ? *at + TAG : element->data + element->size;
    size_t filling = is_small || type == COMPRESSED ? 0 : -element->size % 8;
    *at += filling < (size_t)(end - *at) ? filling : (size_t)(end - *at);
    return DCPN_OK;
}

/* ---- Arrays -------------------------------------------------------------------------------------------------------*/

/* Bytes of one number of a type; 0: it is not one of numbers or characters. */
static size_t number_size(uint32_t type)
{
    static const unsigned char sizes[] = {[1] = 1, [2] = 1,  [3] = 2,  [4] = 2,  [5] = 4,  [6] = 4, [7] = 4,
                                          [9] = 8, [12] = 8, [13] = 8, [16] = 1, [17] = 2, [18] = 4};
    return type < sizeof sizes ? sizes[type] : 0;
}

static dcpn_status count_elements(const struct walk *walk, const struct element *dimensions, uint64_t *count)
{
    *count = 1;
    if (dimensions->type != 5 || dimensions->size < 8 || dimensions->size % 4)
        return refuse(walk, "an array without dimensions");
    for (size_t k = 0; k < dimensions->size; k += 4)
        if (__builtin_mul_overflow(*count, number_at(walk, dimensions->data + k), count) || *count > INT64_MAX)
            return refuse(walk, "an array with more elements than can be counted");
    return DCPN_OK;
}

static dcpn_status check_matrix(struct walk *walk, const struct element *matrix, int depth);

/* A cell for each place of the array. */
static dcpn_status check_cells(struct walk *walk, const char *at, const char *end, uint64_t count, int depth)
{
    struct element cell;
    for (uint64_t k = 0; k < count; k++) {
        DCPN_TRY(next_element(walk, &at, end, &cell));
        if (cell.type != MATRIX) return refuse(walk, "a cell that is no array");
        if (cell.size) DCPN_TRY(check_matrix(walk, &cell, depth + 1));
    }
    return DCPN_OK;
}

/* The numbers of a full array: real parts, and imaginary ones. */
static dcpn_status check_numbers(const struct walk *walk, const char *at, const char *end, uint64_t count, int parts)
{
    struct element numbers;
    for (int k = 0; k < parts; k++) {
        DCPN_TRY(next_element(walk, &at, end, &numbers));
        size_t size = number_size(numbers.type);
        if (size == 0 || numbers.size % size || numbers.size / size != count)
            return refuse(walk, "an array that has not as many numbers as its dimensions announce");
    }
    return DCPN_OK;
}

static dcpn_status check_matrix(struct walk *walk, const struct element *matrix, int depth)
{
    struct element flags, dimensions, name, rest;
    const char *at = matrix->data, *end = matrix->data + matrix->size;
    uint64_t count;
    if (depth > DEEPEST) return refuse(walk, "arrays within arrays within arrays");
    DCPN_TRY(next_element(walk, &at, end, &flags));
    if (flags.type != 6 || flags.size != 8) return refuse(walk, "an array without a type");
    uint32_t about = number_at(walk, flags.data), class = about & 0xFF;
    if (class > LAST_NUMBERS) return DCPN_OK; /* objects, which are not read */
    DCPN_TRY(next_element(walk, &at, end, &dimensions));
    DCPN_TRY(count_elements(walk, &dimensions, &count));
    DCPN_TRY(next_element(walk, &at, end, &name));
    int parts = about & COMPLEX ? 2 : 1;
    if (class == CELL) return check_cells(walk, at, end, count, depth);
    if (class >= FIRST_NUMBERS) return check_numbers(walk, at, end, count, parts);
    while (at < end) DCPN_TRY(next_element(walk, &at, end, &rest));
    return DCPN_OK;
}

/* ---- Compressed elements ------------------------------------------------------------------------------------------*/

struct expansion {
    char *bytes;
    size_t size, capacity;
};

/* Never a step beyond what one call of inflate can take. */
static dcpn_status expand_more(struct walk *walk, z_stream *stream, struct expansion *plain, int *is_finished)
{
    if (plain->size == plain->capacity) {
        size_t larger = plain->capacity ? 2 * plain->capacity : LEAST_ROOM;
        char *grown = dcpn_grow(walk->content->context, plain->bytes, plain->size, larger, 1);
        if (!grown) return DCPN_MEMORY;
        plain->bytes = grown;
        plain->capacity = larger;
    }
    size_t room = plain->capacity - plain->size;
    stream->next_out = (unsigned char *)plain->bytes + plain->size;
    stream->avail_out = room < LARGEST_STEP ? (unsigned)room : LARGEST_STEP;
    int code = inflate(stream, Z_NO_FLUSH);
    plain->size = (size_t)((char *)stream->next_out - plain->bytes);
    *is_finished = code == Z_STREAM_END;
    if (code == Z_OK || code == Z_STREAM_END) return DCPN_OK;
    return code == Z_MEM_ERROR ? DCPN_MEMORY : refuse(walk, "a compressed element that does not expand");
}

static dcpn_status expand(struct walk *walk, const struct element *element, struct expansion *plain)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)element->data, .avail_in = (unsigned)element->size};
    int is_finished = 0;
    if (inflateInit(&stream) != Z_OK) return DCPN_MEMORY;
    dcpn_status status = DCPN_OK;
    while (status == DCPN_OK && !is_finished) status = expand_more(walk, &stream, plain, &is_finished);
    inflateEnd(&stream);
    return status;
}

static dcpn_status check_plain(struct walk *walk, const struct expansion *plain)
{
    struct element element;
    const char *at = plain->bytes;
    DCPN_TRY(next_element(walk, &at, plain->bytes + plain->size, &element));
    return element.type == MATRIX && element.size ? check_matrix(walk, &element, 0) : DCPN_OK;
}

static dcpn_status check_compressed(struct walk *walk, const struct element *element)
{
    struct expansion plain = {0};
    dcpn_status status = expand(walk, element, &plain);
    if (status == DCPN_OK) status = check_plain(walk, &plain);
    dcpn_free(walk->content->context, plain.bytes);
    return status;
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

dcpn_status mat_check_elements(const struct content *content)
{
    const char *at = content->bytes + HEADER, *end = content->bytes + content->size;
    uint16_t order;
    memcpy(&order, content->bytes + HEADER - 2, sizeof order);
    struct walk walk = {.content = content, .is_swapped = order != 0x4D49};
    while (at < end) {
        struct element element;
        walk.place = (size_t)(at - content->bytes);
        DCPN_TRY(next_element(&walk, &at, end, &element));
        if (element.type == COMPRESSED) DCPN_TRY(check_compressed(&walk, &element));
        if (element.type == MATRIX && element.size) DCPN_TRY(check_matrix(&walk, &element, 0));
    }
    return DCPN_OK;
}
