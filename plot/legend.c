/* SPDX-License-Identifier: BSD-3-Clause */
/* The names in a figure: where the lines end, or in a legend below the plot. */
#include "drawing.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 46, /* of a line in the legend, with the gap behind it */
    SWATCH = 36,
    LEADER = 18, /* from the end of a line to its name */
    NAME_APART = 16,
    MOST_ENDS = 24
};

/* ---- The entries of the legend ---- */

enum entry_kind { NO_ENTRY, SERIES_ENTRY, FAINT_ENTRY, LEVEL_ENTRY, SHADE_ENTRY };

struct entry {
    enum entry_kind kind;
    size_t index;
    const char *text;
};

static int is_listed(const struct drawing *drawing, size_t index)
{
    const struct figure_series *series = &drawing->figure->series[index];
    return !drawing->names_at_ends && series->look != DCPN_FIGURE_FAINT && *series->name;
}

static struct entry entry_at(const struct drawing *drawing, size_t place)
{
    const struct figure *figure = drawing->figure;
    size_t seen = 0;
    for (size_t i = 0; i < figure->series_count; i++)
        if (is_listed(drawing, i) && seen++ == place) return (struct entry){SERIES_ENTRY, i, figure->series[i].name};
    if (figure->faint_label && seen++ == place) return (struct entry){FAINT_ENTRY, 0, figure->faint_label};
    for (size_t i = 0; i < figure->level_count; i++)
        if (seen++ == place) return (struct entry){LEVEL_ENTRY, i, figure->levels[i].label};
    if (figure->shades.count && seen++ == place) return (struct entry){SHADE_ENTRY, 0, figure->shades.label};
    return (struct entry){.kind = NO_ENTRY};
}

/* ---- Arrangement ---- */

static double legend_room(const struct drawing *drawing)
{
    return (drawing->width - DCPN_FIGURE_MARGIN) / (double)drawing->columns - SAMPLE - DCPN_FIGURE_MARGIN;
}

static size_t entry_lines(const struct drawing *drawing, const struct entry *entry)
{
    return dcpn_figure_text_lines(entry->text, legend_room(drawing) / DCPN_FIGURE_FONT);
}

/* Counts the lines of text in the row of the legend that begins with the entry at first. */
static size_t row_lines(const struct drawing *drawing, size_t first)
{
    size_t most = 1;
    for (size_t place = first; place < first + drawing->columns; place++) {
        struct entry entry = entry_at(drawing, place);
        if (entry.kind == NO_ENTRY) break;
        if (entry_lines(drawing, &entry) > most) most = entry_lines(drawing, &entry);
    }
    return most;
}

/* Arranges as many columns as the longest name allows. */
void dcpn_figure_arrange_legend(struct drawing *drawing)
{
    double longest = 80.0;
    struct entry entry;
    for (size_t place = 0; (entry = entry_at(drawing, place)).kind != NO_ENTRY; place++)
        longest = fmax(longest, dcpn_figure_pixels(entry.text, DCPN_FIGURE_FONT));
    double fitting = (drawing->width - DCPN_FIGURE_MARGIN) / (longest + SAMPLE + DCPN_FIGURE_MARGIN);
    drawing->columns = (size_t)fmax(1.0, floor(fitting));
    drawing->height = drawing->legend_top;
    for (size_t place = 0; entry_at(drawing, place).kind != NO_ENTRY; place += drawing->columns)
        drawing->height += DCPN_FIGURE_ROW * (double)row_lines(drawing, place);
    if (entry_at(drawing, 0).kind == NO_ENTRY) drawing->height -= DCPN_FIGURE_ROW;
    drawing->height += DCPN_FIGURE_MARGIN / 4.0;
}

/* ---- The legend ---- */

static void draw_sample(const struct drawing *drawing, const struct entry *entry, double x, double y)
{
    const char *class = entry->kind == FAINT_ENTRY ? "faint" : "mark-line";
    switch (entry->kind) {
    case SERIES_ENTRY:
        fprintf(drawing->out, "<g class=\"c%zu\">", entry->index % DCPN_FIGURE_COLOURS);
        dcpn_figure_begin_line(drawing, entry->index);
        fprintf(drawing->out, "M%.1f %.1fh%d\"/>", x, y, SWATCH);
        dcpn_figure_draw_marker(drawing, entry->index, x + SWATCH / 2.0, y);
        fputs("</g>", drawing->out);
        break;
    case SHADE_ENTRY:
        fprintf(drawing->out, "<rect class=\"shade edged\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"12\"/>", x,
                y - 6.0, SWATCH);
        break;
    default:
        fprintf(drawing->out, "<path class=\"%s\" d=\"M%.1f %.1fh%d\"/>", class, x, y, SWATCH);
    }
}

static void draw_entry(const struct drawing *drawing, const struct entry *entry, double x, double y)
{
    draw_sample(drawing, entry, x, y - 4.5);
    fputs("<text>", drawing->out);
    dcpn_figure_draw_lines(drawing, entry->text, legend_room(drawing) / DCPN_FIGURE_FONT, x + SAMPLE, y,
                           DCPN_FIGURE_ROW);
    if (entry->kind == SERIES_ENTRY && !dcpn_figure_shown_points(drawing, &drawing->figure->series[entry->index]))
        fputs(" (no data)", drawing->out);
    fputs("</text>\n", drawing->out);
}

/* ---- Names where the lines end ---- */

struct end {
    size_t index;
    double x, y;   /* of the end of the line */
    double name_y; /* of the middle of its name */
};

double dcpn_figure_names_width(const struct drawing *drawing)
{
    double widest = 0.0;
    for (size_t i = 0; i < drawing->figure->series_count; i++)
        if (drawing->figure->series[i].look != DCPN_FIGURE_FAINT)
            widest = fmax(widest, dcpn_figure_pixels(drawing->figure->series[i].name, DCPN_FIGURE_FONT));
    return widest + LEADER + 10.0;
}

static size_t find_ends(const struct drawing *drawing, struct end ends[MOST_ENDS])
{
    size_t count = 0;
    for (size_t i = 0; i < drawing->figure->series_count && count < MOST_ENDS; i++) {
        const struct figure_series *series = &drawing->figure->series[i];
        size_t last = series->count;
        if (series->look == DCPN_FIGURE_FAINT || !*series->name) continue;
        while (last > 0 && !dcpn_figure_has_place(drawing, series, last - 1)) last--;
        if (last == 0) continue;
        double x = dcpn_figure_across(drawing, series->x[last - 1]), y = dcpn_figure_down(drawing, series->y[last - 1]);
        struct end end = {.index = i, .x = x, .y = y, .name_y = y};
        size_t at = count++;
        for (; at > 0 && ends[at - 1].y > y; at--) ends[at] = ends[at - 1];
        ends[at] = end;
    }
    return count;
}

/* Spreads the names so that they keep their distance: they are pushed down from the top, then up again from the
 * bottom. */
static void spread(const struct drawing *drawing, struct end *ends, size_t count)
{
    double floor_y = drawing->top + NAME_APART / 2.0, ceiling = drawing->bottom - NAME_APART / 2.0;
    for (size_t i = 0; i < count; i++) {
        ends[i].name_y = fmax(ends[i].name_y, floor_y);
        floor_y = ends[i].name_y + NAME_APART;
    }
    for (size_t i = count; i-- > 0;) {
        ends[i].name_y = fmin(ends[i].name_y, ceiling);
        ceiling = ends[i].name_y - NAME_APART;
    }
}

static void draw_names(const struct drawing *drawing)
{
    struct end ends[MOST_ENDS];
    size_t count = find_ends(drawing, ends);
    spread(drawing, ends, count);
    for (size_t i = 0; i < count; i++) {
        fprintf(drawing->out,
                "<g class=\"c%zu\"><path class=\"leader\" d=\"M%.1f %.1fL%.1f %.1f\"/><text class=\"name\" x=\"%.1f\" "
                "y=\"%.1f\">",
                ends[i].index % DCPN_FIGURE_COLOURS, ends[i].x, ends[i].y, drawing->right + LEADER - 3.0,
                ends[i].name_y, drawing->right + LEADER, ends[i].name_y + 4.5);
        dcpn_figure_print_text(drawing, drawing->figure->series[ends[i].index].name);
        fputs("</text></g>\n", drawing->out);
    }
}

void dcpn_figure_draw_legend(const struct drawing *drawing)
{
    double y = drawing->legend_top;
    struct entry entry;
    if (drawing->names_at_ends) draw_names(drawing);
    for (size_t place = 0; (entry = entry_at(drawing, place)).kind != NO_ENTRY; place++) {
        size_t column = place % drawing->columns;
        if (place && column == 0) y += DCPN_FIGURE_ROW * (double)row_lines(drawing, place - drawing->columns);
        draw_entry(drawing, &entry,
                   DCPN_FIGURE_MARGIN / 2.0 + (double)column * (legend_room(drawing) + SAMPLE + DCPN_FIGURE_MARGIN), y);
    }
}
