/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a figure: shaded ground, grid, axes with their labels, and marks. */
#include "drawing.h"

#include <math.h>
#include <string.h>

enum { MARK_ROW = 18, TOP_APART = 14 };

/* ---- Labels of the axes ---- */

/* Draws a label, with smaller letters if it would not fit into the room. */
static void draw_label(const struct drawing *drawing, const char *class, const char *text, double room, double x,
                       double y, const char *anchor)
{
    if (!text || !*text) return;
    double font = fmin(DCPN_FIGURE_FONT, DCPN_FIGURE_FONT * room / dcpn_figure_pixels(text, DCPN_FIGURE_FONT));
    fprintf(drawing->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", class, x, y, anchor);
    if (font < DCPN_FIGURE_FONT) fprintf(drawing->out, " style=\"font-size:%.1fpx\"", font);
    fputs(">", drawing->out);
    dcpn_figure_print_text(drawing, text);
    fputs("</text>\n", drawing->out);
}

static void draw_labels(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    double room = drawing->width - DCPN_FIGURE_MARGIN;
    draw_label(drawing, "label", figure->y_label, room, DCPN_FIGURE_MARGIN / 2.0, drawing->label_baseline, "start");
    draw_label(drawing, "label", figure->x_label, room, (drawing->left + drawing->right) / 2.0,
               drawing->bottom + DCPN_FIGURE_TICK + 2.0 * DCPN_FIGURE_ROW - 2.0, "middle");
    if (figure->top.count)
        draw_label(drawing, "label", figure->top.label, room, drawing->right, drawing->top - DCPN_FIGURE_ROW - 10.0,
                   "end");
}

/* ---- Ticks ---- */

static void draw_tick_label(const struct drawing *drawing, const struct figure_tick *tick, double x, double y,
                            const char *anchor)
{
    fprintf(drawing->out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s", x, y, anchor,
            tick->label);
    if (tick->exponent[0]) fprintf(drawing->out, "<tspan class=\"up\" dy=\"-5\">%s</tspan>", tick->exponent);
    fputs("</text>\n", drawing->out);
}

static void draw_grid_line(const struct drawing *drawing, const struct figure_tick *tick, double x1, double y1,
                           double x2, double y2)
{
    fprintf(drawing->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", tick->label[0] ? "grid" : "small", x1,
            y1, x2, y2);
}

static void draw_x_tick(const struct drawing *drawing, const struct figure_tick *tick)
{
    double x = dcpn_figure_across(drawing, tick->value);
    draw_grid_line(drawing, tick, x, drawing->top, x, drawing->bottom + (tick->label[0] ? DCPN_FIGURE_TICK : 0));
    if (tick->label[0])
        draw_tick_label(drawing, tick, x, drawing->bottom + DCPN_FIGURE_TICK + DCPN_FIGURE_FONT + 2.0, "middle");
}

static void draw_y_tick(const struct drawing *drawing, const struct figure_tick *tick)
{
    double y = dcpn_figure_down(drawing, tick->value);
    draw_grid_line(drawing, tick, drawing->left - (tick->label[0] ? DCPN_FIGURE_TICK : 0), y, drawing->right, y);
    if (tick->label[0]) draw_tick_label(drawing, tick, drawing->left - DCPN_FIGURE_TICK - 4.0, y + 4.5, "end");
}

/* Draws the second scale, with a number wherever there is room for one. */
static void draw_top(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    double taken_until = -1e9;
    for (size_t i = 0; i < figure->top.count; i++) {
        char label[24];
        if (!dcpn_figure_axis_shows(&drawing->x, figure->top.x[i])) continue;
        snprintf(label, sizeof label, "%lld", (long long)figure->top.values[i]);
        double x = dcpn_figure_across(drawing, figure->top.x[i]);
        double half = dcpn_figure_pixels(label, DCPN_FIGURE_FONT) / 2.0;
        if (x - half < taken_until + TOP_APART) continue;
        fprintf(drawing->out,
                "<path class=\"frame\" d=\"M%.1f %.1fv-4\"/><text class=\"tick\" x=\"%.1f\" y=\"%.1f\" "
                "text-anchor=\"middle\">%s</text>\n",
                x, drawing->top, x, drawing->top - 8.0, label);
        taken_until = x + half;
    }
}

/* ---- Ground ---- */

static void draw_shades(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->figure->shades.count; i++) {
        double from = dcpn_figure_across(drawing, drawing->figure->shades.spans[i].from);
        double to = dcpn_figure_across(drawing, drawing->figure->shades.spans[i].to);
        double left = fmax(fmin(from, to), drawing->left), right = fmin(fmax(from, to), drawing->right);
        if (right > left)
            fprintf(drawing->out, "<rect class=\"shade\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                    left, drawing->top, right - left, drawing->plot_height);
    }
}

static void draw_zero(const struct drawing *drawing)
{
    if (drawing->y.is_log || !(drawing->y.low < 0.0 && drawing->y.high > 0.0)) return;
    fprintf(drawing->out, "<path class=\"zero\" d=\"M%.1f %.1fH%.1f\"/>\n", drawing->left,
            dcpn_figure_down(drawing, 0.0), drawing->right);
}

void dcpn_figure_draw_frame(const struct drawing *drawing)
{
    draw_shades(drawing);
    for (size_t i = 0; i < drawing->x.tick_count; i++) draw_x_tick(drawing, &drawing->x.ticks[i]);
    for (size_t i = 0; i < drawing->y.tick_count; i++) draw_y_tick(drawing, &drawing->y.ticks[i]);
    draw_zero(drawing);
    fprintf(drawing->out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            drawing->left, drawing->top, drawing->right - drawing->left, drawing->plot_height);
    draw_top(drawing);
    draw_labels(drawing);
}

/* ---- Marks ---- */

/* Does the label of a mark stand left of its line? It stands away from the other marks if there is room, else on the
 * side with more room. */
static int stands_left(const struct drawing *drawing, const struct figure_mark *mark, double x)
{
    double needed = dcpn_figure_pixels(mark->label, DCPN_FIGURE_FONT) + 12.0;
    double room_left = x - drawing->left, room_right = drawing->right - x;
    int others = 0;
    for (size_t i = 0; i < drawing->figure->mark_count; i++) {
        double other = dcpn_figure_across(drawing, drawing->figure->marks[i].at);
        others += (other > x) - (other < x);
    }
    if (others > 0 && needed < room_left) return 1;
    if (others < 0 && needed < room_right) return 0;
    return room_left > room_right;
}

static void draw_mark_label(const struct drawing *drawing, const struct figure_mark *mark, double x, double y)
{
    int to_the_left = stands_left(drawing, mark, x);
    double room = (to_the_left ? x - drawing->left : drawing->right - x) - 8.0;
    draw_label(drawing, "label halo", mark->label, room, to_the_left ? x - 6.0 : x + 6.0, y,
               to_the_left ? "end" : "start");
}

/* May the labels of two marks share a row? They may if they stand on the outer sides of both lines. */
static int share_a_row(const struct drawing *drawing)
{
    const struct figure_mark *marks = drawing->figure->marks;
    if (drawing->figure->mark_count != 2) return 0;
    double first = dcpn_figure_across(drawing, marks[0].at), second = dcpn_figure_across(drawing, marks[1].at);
    int first_left = stands_left(drawing, &marks[0], first), second_left = stands_left(drawing, &marks[1], second);
    return first < second ? first_left && !second_left : second_left && !first_left;
}

void dcpn_figure_draw_marks(const struct drawing *drawing)
{
    int is_one_row = share_a_row(drawing);
    const struct figure *figure = drawing->figure;
    for (size_t i = 0; i < figure->level_count; i++)
        if (dcpn_figure_axis_takes(&drawing->y, figure->levels[i].at))
            fprintf(drawing->out, "<path class=\"mark-line\" d=\"M%.1f %.1fH%.1f\"/>\n", drawing->left,
                    dcpn_figure_down(drawing, figure->levels[i].at), drawing->right);
    for (size_t i = 0; i < figure->mark_count; i++)
        if (dcpn_figure_axis_takes(&drawing->x, figure->marks[i].at))
            fprintf(drawing->out, "<path class=\"mark-line\" d=\"M%.1f %.1fV%.1f\"/>\n",
                    dcpn_figure_across(drawing, figure->marks[i].at), drawing->top, drawing->bottom);
    for (size_t i = 0; i < figure->mark_count; i++) {
        if (!dcpn_figure_axis_takes(&drawing->x, figure->marks[i].at)) continue;
        double x = dcpn_figure_across(drawing, figure->marks[i].at);
        draw_mark_label(drawing, &figure->marks[i], x,
                        drawing->top + MARK_ROW * (is_one_row ? 1.0 : (double)i + 1.0) - 4.0);
    }
}
