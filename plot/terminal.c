/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts as text: eight dots to a character where there is Unicode, one letter a point where there is not. */
#include "figure.h"

#include "axis.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 240, MOST_ROWS = 80, COLOURS = 7, Y_LABELS = 9, BAR_EVERY = 4 };

enum ground { BLANK, SHADED, MARKED };

struct cell {
    unsigned char dots; /* of a Braille character; not 0: something is drawn */
    signed char colour; /* of the last series that was drawn here; -1: of a faint one */
    unsigned char ground;
    char letter; /* of the name of a mark; 0: none */
};

struct canvas {
    FILE *out;
    const struct figure *figure;
    const struct figure_terminal *terminal;
    struct figure_axis x, y;
    int columns, rows, name_columns; /* of the plot, and right of it */
    struct cell cells[MOST_ROWS][MOST_COLUMNS];
    const char *names[MOST_ROWS]; /* right of each row; NULL: none */
    int name_colours[MOST_ROWS];
};

/* ---- Texts ---- */

/* Prints a text, but no character that could steer the terminal. Returns the columns used. */
static int print_text(const struct canvas *canvas, const char *text, int most)
{
    size_t length = strlen(text);
    int used = 0;
    for (size_t at = 0; at < length && used < most;) {
        uint32_t code;
        size_t size = dcpn_figure_text_decode(text + at, length - at, &code);
        int is_control = !dcpn_figure_text_is_harmless(code);
        int columns = code >= 0x1100 && !(code >= 0x2000 && code < 0x2E80) ? 2 : 1;
        if (used + columns > most) break;
        if (is_control || (code >= 0x80 && !canvas->terminal->is_unicode && code != 0x3BB && code != 0x2212))
            fputc('?', canvas->out);
        else if (code == 0x3BB && !canvas->terminal->is_unicode && used + 6 <= most)
            fputs("lambda", canvas->out), columns = 6;
        else if (code == 0x2212 && !canvas->terminal->is_unicode)
            fputc('-', canvas->out);
        else
            fwrite(text + at, 1, size, canvas->out);
        used += columns;
        at += size;
    }
    return used;
}

static void set_colour(const struct canvas *canvas, int colour)
{
    static const char *const codes[COLOURS] = {"34", "33", "32", "35", "36", "31", "37"};
    if (canvas->terminal->has_colour) fprintf(canvas->out, "\033[%sm", colour < 0 ? "90" : codes[colour % COLOURS]);
}

static void reset_colour(const struct canvas *canvas)
{
    if (canvas->terminal->has_colour) fputs("\033[0m", canvas->out);
}

/* ---- Dots ---- */

static int dots_across(const struct canvas *canvas)
{
    return canvas->terminal->is_unicode ? 2 : 1;
}

static int dots_down(const struct canvas *canvas)
{
    return canvas->terminal->is_unicode ? 4 : 1;
}

static double across(const struct canvas *canvas, double x)
{
    double share = dcpn_figure_axis_share(&canvas->x, x);
    return (canvas->figure->x_falling ? 1.0 - share : share) * (canvas->columns * dots_across(canvas) - 1);
}

static double down(const struct canvas *canvas, double y)
{
    return (1.0 - dcpn_figure_axis_share(&canvas->y, y)) * (canvas->rows * dots_down(canvas) - 1);
}

static void set_dot(struct canvas *canvas, double x, double y, int colour)
{
    static const unsigned char bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    int column = (int)lround(x), row = (int)lround(y), w = dots_across(canvas), h = dots_down(canvas);
    if (column < 0 || row < 0 || column >= canvas->columns * w || row >= canvas->rows * h) return;
    struct cell *cell = &canvas->cells[row / h][column / w];
    cell->dots |= bits[row % h][column % w];
    cell->colour = (signed char)colour;
}

static void draw_segment(struct canvas *canvas, double x1, double y1, double x2, double y2, int colour)
{
    double steps = ceil(fmax(fabs(x2 - x1), fabs(y2 - y1)));
    for (double i = 0.0; i <= steps; i += 1.0) {
        double share = steps > 0.0 ? i / steps : 0.0;
        set_dot(canvas, x1 + share * (x2 - x1), y1 + share * (y2 - y1), colour);
    }
}

static int has_place(const struct canvas *canvas, const struct figure_series *series, size_t i)
{
    return dcpn_figure_axis_takes(&canvas->x, series->x[i]) && dcpn_figure_axis_takes(&canvas->y, series->y[i]);
}

static void draw_bar(struct canvas *canvas, const struct figure_series *series, size_t i, int colour)
{
    if (!series->deviation || !isfinite(series->deviation[i])) return;
    double low = fmax(series->y[i] - fabs(series->deviation[i]), canvas->y.low);
    double high = fmin(series->y[i] + fabs(series->deviation[i]), canvas->y.high), x = across(canvas, series->x[i]);
    draw_segment(canvas, x, down(canvas, low), x, down(canvas, high), colour);
}

/* Draws some of the bars, behind the line. */
static void draw_bars(struct canvas *canvas, const struct figure_series *series)
{
    double last = -1e9;
    for (size_t i = 0; i < series->count && series->deviation; i++) {
        if (!has_place(canvas, series, i)) continue;
        double x = across(canvas, series->x[i]);
        if (fabs(x - last) < BAR_EVERY * dots_across(canvas)) continue;
        draw_bar(canvas, series, i, -1);
        last = x;
    }
}

static void draw_series(struct canvas *canvas, size_t index)
{
    const struct figure_series *series = &canvas->figure->series[index];
    int colour = series->look == DCPN_FIGURE_FAINT ? -1 : (int)(index % 52), has_last = 0;
    double last_x = 0.0, last_y = 0.0;
    draw_bars(canvas, series);
    for (size_t i = 0; i < series->count; i++) {
        if (!has_place(canvas, series, i)) continue;
        double x = across(canvas, series->x[i]), y = down(canvas, series->y[i]);
        draw_segment(canvas, has_last ? last_x : x, has_last ? last_y : y, x, y, colour);
        last_x = x, last_y = y, has_last = 1;
    }
    if (!has_last || colour < 0 || !*series->name || !canvas->name_columns) return;
    int row = (int)(lround(last_y) / dots_down(canvas));
    for (int away = 0; away < canvas->rows; away++) /* the nearest free row */
        for (int side = -1; side <= 1; side += 2) {
            int at = row + side * away;
            if (at < 0 || at >= canvas->rows || canvas->names[at]) continue;
            canvas->names[at] = series->name;
            canvas->name_colours[at] = colour;
            return;
        }
}

/* ---- The ground ---- */

/* Writes a mark's label, up to the colon, right of its line, or left of it where there is no room. */
static void write_mark(struct canvas *canvas, const char *label, int row, int column)
{
    int length = (int)strcspn(label, ":");
    if (column + length >= canvas->columns && column >= length) column -= length + 1;
    for (int i = 0; i < length && column + 1 < canvas->columns; i++)
        if ((unsigned char)label[i] < 0x80) canvas->cells[row][++column].letter = label[i];
}

static void lay_ground(struct canvas *canvas)
{
    const struct figure *figure = canvas->figure;
    for (size_t i = 0; i < figure->shades.count; i++) {
        double a = across(canvas, figure->shades.spans[i].from), b = across(canvas, figure->shades.spans[i].to);
        int first = (int)fmax(0.0, ceil(fmin(a, b) / dots_across(canvas)));
        int last = (int)fmin(canvas->columns - 1, floor(fmax(a, b) / dots_across(canvas)));
        for (int row = 0; row < canvas->rows; row++)
            for (int column = first; column <= last; column++) canvas->cells[row][column].ground = SHADED;
    }
    for (size_t i = 0; i < figure->mark_count; i++) {
        double x = dcpn_figure_axis_takes(&canvas->x, figure->marks[i].at) ? across(canvas, figure->marks[i].at) : -1.0;
        int column = (int)(lround(x) / dots_across(canvas));
        for (int row = 0; x >= 0.0 && column < canvas->columns && row < canvas->rows; row++)
            canvas->cells[row][column].ground = MARKED;
        if (x >= 0.0 && column < canvas->columns) write_mark(canvas, figure->marks[i].label, (int)i, column);
    }
}

/* ---- Printing ---- */

static void print_braille(const struct canvas *canvas, unsigned dots)
{
    const char bytes[] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F))};
    fwrite(bytes, 1, sizeof bytes, canvas->out);
}

static void print_ground(const struct canvas *canvas, unsigned char ground)
{
    static const char *const unicode[] = {" ", "\xE2\x96\x91", "\xE2\x95\x8E"}, *const ascii[] = {" ", ":", "|"};
    set_colour(canvas, -1);
    fputs(canvas->terminal->is_unicode ? unicode[ground] : ascii[ground], canvas->out);
    reset_colour(canvas);
}

static void print_cell(const struct canvas *canvas, const struct cell *cell)
{
    if (cell->letter || !cell->dots) { /* a label is short, and worth more than the dots under it */
        if (cell->letter)
            fputc(cell->letter, canvas->out);
        else if (cell->ground == BLANK)
            fputc(' ', canvas->out);
        else
            print_ground(canvas, cell->ground);
        return;
    }
    set_colour(canvas, cell->colour);
    if (canvas->terminal->is_unicode)
        print_braille(canvas, cell->dots);
    else
        fputc(cell->colour < 0 ? '.' : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[cell->colour],
              canvas -> out);
    reset_colour(canvas);
}

static void print_y_label(const struct canvas *canvas, int row)
{
    char label[24] = "";
    for (size_t i = 0; i < canvas->y.tick_count; i++) {
        const struct figure_tick *tick = &canvas->y.ticks[i];
        if (tick->label[0] && lround(down(canvas, tick->value)) / dots_down(canvas) == row)
            snprintf(label, sizeof label, "%.4g", tick->value);
    }
    fprintf(canvas->out, "%*s %s", Y_LABELS, label,
            canvas->terminal->is_unicode ? (*label ? "\xE2\x94\xA4" : "\xE2\x94\x82") : (*label ? "+" : "|"));
}

static int is_blank(const struct cell *cell)
{
    return !cell->dots && !cell->letter && cell->ground == BLANK;
}

static void print_row(const struct canvas *canvas, int row)
{
    int last = canvas->columns;
    while (last > 0 && !canvas->names[row] && is_blank(&canvas->cells[row][last - 1])) last--;
    print_y_label(canvas, row);
    for (int column = 0; column < last; column++) print_cell(canvas, &canvas->cells[row][column]);
    if (canvas->names[row]) {
        fputc(' ', canvas->out);
        set_colour(canvas, canvas->name_colours[row]);
        if (!canvas->terminal->is_unicode)
            fprintf(canvas->out, "%c ",
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[canvas->name_colours[row]]);
        print_text(canvas, canvas->names[row], canvas->name_columns - 3);
        reset_colour(canvas);
    }
    fputc('\n', canvas->out);
}

/* Places a number below (or above) the plot, centred at its x, if there is room for it. */
static void place_number(const struct canvas *canvas, char *line, double x, const char *number)
{
    int length = (int)strlen(number), middle = Y_LABELS + 2 + (int)(lround(across(canvas, x)) / dots_across(canvas));
    int first = middle - length / 2;
    if (first < 2 || first + length + 1 >= MOST_COLUMNS) return;
    for (int i = first - 2; i <= first + length + 1; i++)
        if (line[i] != ' ') return;
    memcpy(line + first, number, (size_t)length);
}

static void print_line(const struct canvas *canvas, char line[MOST_COLUMNS + 1])
{
    size_t length = MOST_COLUMNS;
    while (length > 0 && line[length - 1] == ' ') length--;
    line[length] = '\0';
    fprintf(canvas->out, "%s\n", line);
}

static void print_x_axis(const struct canvas *canvas)
{
    char line[MOST_COLUMNS + 1];
    fprintf(canvas->out, "%*s %s", Y_LABELS, "", canvas->terminal->is_unicode ? "\xE2\x94\x94" : "+");
    for (int column = 0; column < canvas->columns; column++)
        fputs(canvas->terminal->is_unicode ? "\xE2\x94\x80" : "-", canvas->out);
    fputc('\n', canvas->out);
    memset(line, ' ', sizeof line);
    for (size_t i = 0; i < canvas->x.tick_count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%.4g", canvas->x.ticks[i].value);
        if (canvas->x.ticks[i].label[0]) place_number(canvas, line, canvas->x.ticks[i].value, number);
    }
    print_line(canvas, line);
    fprintf(canvas->out, "%*s", Y_LABELS + 2, "");
    if (canvas->figure->x_label) print_text(canvas, canvas->figure->x_label, canvas->columns);
    fputc('\n', canvas->out);
}

static void print_top(const struct canvas *canvas)
{
    const struct figure *figure = canvas->figure;
    char line[MOST_COLUMNS + 1];
    if (!figure->top.count) return;
    memset(line, ' ', sizeof line);
    for (size_t i = 0; i < figure->top.count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)figure->top.values[i]);
        if (dcpn_figure_axis_shows(&canvas->x, figure->top.x[i])) place_number(canvas, line, figure->top.x[i], number);
    }
    print_line(canvas, line);
}

static void print_head(const struct canvas *canvas)
{
    const struct figure *figure = canvas->figure;
    if (figure->title) print_text(canvas, figure->title, canvas->terminal->columns);
    fputs("\n", canvas->out);
    if (figure->y_label) print_text(canvas, figure->y_label, canvas->terminal->columns / 2);
    if (figure->top.count && figure->top.label) {
        fputs(" (at the top: ", canvas->out);
        print_text(canvas, figure->top.label, canvas->terminal->columns / 3);
        fputs(")", canvas->out);
    }
    fputc('\n', canvas->out);
}

static void print_legend(const struct canvas *canvas)
{
    const struct figure *figure = canvas->figure;
    for (size_t i = 0; i < figure->mark_count; i++) {
        print_ground(canvas, MARKED);
        fputc(' ', canvas->out);
        print_text(canvas, figure->marks[i].label, canvas->terminal->columns - 2);
        fputc('\n', canvas->out);
    }
    if (figure->shades.count && figure->shades.label) {
        print_ground(canvas, SHADED);
        fputc(' ', canvas->out);
        print_text(canvas, figure->shades.label, canvas->terminal->columns - 2);
        fputc('\n', canvas->out);
    }
}

/* ---- The whole ---- */

static void include(struct canvas *canvas, const struct figure_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (!has_place(canvas, series, i)) continue;
        double deviation = series->deviation && isfinite(series->deviation[i]) ? fabs(series->deviation[i]) : 0.0;
        dcpn_figure_axis_include(&canvas->x, series->x[i]);
        dcpn_figure_axis_include(&canvas->y, series->y[i]);
        if (canvas->y.is_log) continue;
        dcpn_figure_axis_include(&canvas->y, series->y[i] - deviation);
        dcpn_figure_axis_include(&canvas->y, series->y[i] + deviation);
    }
}

static void arrange(struct canvas *canvas)
{
    const struct figure *figure = canvas->figure;
    double widest = 0.0;
    dcpn_figure_axis_begin(&canvas->x, figure->x_log);
    dcpn_figure_axis_begin(&canvas->y, figure->y_log);
    for (size_t i = 0; i < figure->series_count; i++) {
        include(canvas, &figure->series[i]);
        if (figure->series[i].look != DCPN_FIGURE_FAINT)
            widest = fmax(widest, (double)strlen(figure->series[i].name) + 3.0);
    }
    int columns = canvas->terminal->columns < MOST_COLUMNS - 20 ? canvas->terminal->columns : MOST_COLUMNS - 20;
    canvas->name_columns = widest > 3.0 ? (int)fmin(widest + 1.0, columns / 3.0) : 0;
    canvas->columns = columns - Y_LABELS - 2 - canvas->name_columns;
    canvas->rows = canvas->terminal->rows < MOST_ROWS ? canvas->terminal->rows - 6 : MOST_ROWS;
    if (canvas->rows < 6) canvas->rows = 6;
    dcpn_figure_axis_finish(&canvas->x, canvas->columns / 12);
    dcpn_figure_axis_finish(&canvas->y, canvas->rows / 3);
}

void dcpn_figure_print(FILE *stream, const struct figure *figure, const struct figure_terminal *terminal)
{
    struct canvas canvas = {.out = stream, .figure = figure, .terminal = terminal};
    arrange(&canvas);
    lay_ground(&canvas);
    for (int is_faint = 1; is_faint >= 0; is_faint--)
        for (size_t i = figure->series_count; i-- > 0;)
            if ((figure->series[i].look == DCPN_FIGURE_FAINT) == is_faint) draw_series(&canvas, i);
    print_head(&canvas);
    print_top(&canvas);
    for (int row = 0; row < canvas.rows; row++) print_row(&canvas, row);
    print_x_axis(&canvas);
    print_legend(&canvas);
}
