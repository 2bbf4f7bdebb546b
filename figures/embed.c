/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of pages, and their keys. */
#include "embed.h"
#include "axes.h"
#include "data.h"
#include "svg.h"
#include "utf8.h"

/* Names of more curves than these, or longer ones [letters], would lie over each other, or leave the picture. */
enum { NAMES_MOST = 4, LETTERS_MOST = 44 };

static bool has_key(const picture *p)
{
    bool many = p->n_runs > NAMES_MOST || (p->n_runs > 1 && !p->panels->ends); /* paths may be the same */
    for (size_t i = 0; i < p->n_labels && p->n_runs > 1; i++)
        many = many || utf8_length(p->labels[i]) > LETTERS_MOST;
    return many;
}

static void put_key(FILE *f, const picture *p)
{
    fputs("<ul class=\"key\">", f);
    for (size_t i = 0; i < p->n_labels; i++)
        if (*p->labels[i]) {
            fprintf(f, "<li><span class=\"swatch\" style=\"--c:%s\"></span>", picture_colour(p, i));
            markup_between(f, "", p->labels[i], "</li>\n");
        }
    for (size_t i = 0; i < DASHES; i++)
        if (*p->dashes[i] && picture_has(p, RUN_ANY, i, ~LOOK(GUIDE))) {
            const char *dashes = dashes_of(&(drawn){.dashes = i});
            fprintf(
                f,
                "<li><svg style=\"display:inline;width:40px;height:8px\" viewBox=\"0 0 40 8\" aria-hidden=\"true\"><path d=\"M0 4H40\" "
                "stroke=\"currentColor\" stroke-width=\"2\" stroke-dasharray=\"%s\"/></svg> ",
                dashes ? dashes : "none");
            markup_between(f, "", p->dashes[i], "</li>\n");
        }
    if (p->cross && picture_has(p, RUN_ANY, DASHES, LOOK(CROSS)))
        markup_between(f, "<li>\xc3\x97 ", p->cross, "</li>\n");
    fputs("</ul>\n", f);
}

void embed_picture(FILE *f, const picture *p, const char *words, const char *caption)
{
    static const numbers plain = {0, 1, 0};
    const bool keyed = has_key(p);
    for (size_t i = 0; i < p->n; i++) {
        const panel *at = &p->panels[i];
        char x_label[AXIS_LABEL], y_label[AXIS_LABEL], said[2400];
        if (panel_is_empty(at))
            continue;
        axes_label(x_label, picture_x_label(p, at), &plain, false);
        axes_label(y_label, at->y_label, &plain, false);
        snprintf(said, sizeof said, "%s against %s%s. %s", y_label, x_label,
                 at->log_x && at->log_y ? ", on logarithmic axes" : "", i ? "" : words);
        fputs("<figure class=\"plot\">", f);
        svg_panel(f, p, i, keyed, said);
        if (!*p->scale.label) /* the script of the page draws curves */
            data_panel(f, p, i, keyed);
        if (keyed && p->n == 1)
            put_key(f, p);
        if (caption)
            markup_between(f, "<figcaption>", caption, "</figcaption>");
        fputs("</figure>\n", f);
    }
    if (keyed && p->n > 1)
        put_key(f, p);
}
