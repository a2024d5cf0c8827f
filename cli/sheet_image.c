/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as an image within a page: a bitmap of 24 bits in the text of the page, lines from the bottom up, each padded
 * to four bytes. */
#include "sheet_image.h"

#include <math.h>
#include <string.h>

enum { HEAD = 54 };

/* Bytes go out as texts of four characters for three of them. */
struct base64 {
    FILE *out;
    uint32_t held;
    int count;
};

static void put(struct base64 *b, unsigned byte)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    b->held = b->held << 8 | byte;
    if (++b->count < 3) return;
    for (int shift = 18; shift >= 0; shift -= 6) fputc(letters[b->held >> shift & 63], b->out);
    b->held = 0;
    b->count = 0;
}

static void end(struct base64 *b)
{
    int missing = (3 - b->count) % 3;
    for (int k = 0; k < missing; k++) put(b, 0); /* zeros behind the bitmap, which its head does not count */
}

static void put_number(struct base64 *b, uint32_t number, int bytes)
{
    for (int k = 0; k < bytes; k++) put(b, number >> (8 * k) & 255);
}

static void put_head(struct base64 *b, int64_t rows, int64_t columns)
{
    uint32_t size = (uint32_t)(rows * ((3 * columns + 3) / 4 * 4));
    put(b, 'B');
    put(b, 'M');
    put_number(b, HEAD + size, 4);
    put_number(b, 0, 4);
    put_number(b, HEAD, 4);
    put_number(b, 40, 4);
    put_number(b, (uint32_t)columns, 4);
    put_number(b, (uint32_t)rows, 4);
    put_number(b, 1, 2);
    put_number(b, 24, 2);
    put_number(b, 0, 4);
    put_number(b, size, 4);
    for (int k = 0; k < 4; k++) put_number(b, 0, 4);
}

/* Blue, green and red of a share between -1 and 1: from white to the two colours of the figures. */
static void put_colour(struct base64 *b, double share)
{
    static const double full[2][3] = {{168.0, 104.0, 0.0}, {10.0, 80.0, 200.0}};
    double size = fmin(fabs(share), 1.0);
    for (int k = 0; k < 3; k++) put(b, (unsigned)lround(255.0 + size * (full[share < 0.0][k] - 255.0)));
}

double dcpn_cli_image_largest(int64_t count, const double *numbers)
{
    double largest = 0.0;
    for (int64_t k = 0; k < count; k++) largest = fmax(largest, fabs(numbers[k]));
    return largest;
}

void dcpn_cli_image_print(FILE *out, int64_t rows, int64_t columns, const double *numbers, double largest,
                          const char *words)
{
    struct base64 b = {.out = out};
    fprintf(out, "<img alt=\"%s\" title=\"%s\" src=\"data:image/bmp;base64,", words, words);
    put_head(&b, rows, columns);
    for (int64_t i = rows - 1; i >= 0; i--) {
        for (int64_t j = 0; j < columns; j++)
            put_colour(&b, largest > 0.0 ? numbers[i * columns + j] / largest : 0.0);
        for (int64_t k = 3 * columns; k % 4 != 0; k++) put(&b, 0);
    }
    end(&b);
    fputs("\">\n", out);
}
