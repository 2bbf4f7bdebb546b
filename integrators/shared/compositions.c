/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of the compositions that compositions.h lists. */
#include "compositions.h"

static const double suzuki_5[] = {0.4144907717943757371423540628607615, 0.4144907717943757371423540628607615,
                                  -0.6579630871775029485694162514430460};
static const double mclachlan_5[] = {0.28, 0.6254664284676700450123389054926490,
                                     -0.8109328569353400900246778109852980};
static const double kahan_li_9[] = {0.39216144400731413927925056, 0.33259913678935943859974864,
                                    -0.70624617255763935980996482, 0.08221359629355080023149045,
                                    0.79854399093482996339895035};
static const double sofroniou_spaletta_11[] = {
    0.21375583945878254555518066964857, 0.18329381407425713911385974425217,
    0.17692819473098943794898811709929, -0.44329082681170215849622829626258,
    0.11728560432865935385403585669136, 0.50405474843802736404832781714239};
static const double suzuki_umeno_15[] = {0.74167036435061295344822780, -0.40910082580003159399730010,
                                         0.19075471029623837995387626, -0.57386247111608226665638773,
                                         0.29906418130365592384446354, 0.33462491824529818378495798,
                                         0.31529309239676659663205666, -0.79688793935291635401978884};
static const double kahan_li_17[] = {
    0.13020248308889008087881763, 0.56116298177510838456196441,  -0.38947496264484728640807860,
    0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
    0.25837438768632204729397911, 0.29501172360931029887096624,  -0.60550853383003451169892108};
static const double sofroniou_spaletta_21[] = {
    0.10647728984550031823931967854896,  0.10837408645835726397433410591546,
    0.35337821052654342419534541324080,  -0.23341414023165082198780281128319,
    -0.24445266791528841269462171413216, 0.11317848435755633314700952515599,
    0.11892905625000350062692972283951,  0.12603912321825988140305670268365,
    0.12581718736176041804392391641587,  0.11699135019217642180722881433533,
    -0.38263596012643665350944670744040};

/* In the order of the words. */
#define ROW(identifier, name, order, stages, best, source) {name, source, order, stages, best, identifier},
static const ph_composition table[] = {PH_COMPOSITIONS(ROW)};

/* As many coefficients as the stages want; one composition for each order that `automatic` takes. */
#define CHECK(identifier, name, order, stages, best, source)                                                 \
    _Static_assert(sizeof(identifier) / sizeof(double) == ((stages) + 1) / 2, name);                         \
    _Static_assert((stages) <= PH_MOST_STAGES, name);
PH_COMPOSITIONS(CHECK)
#define BEST_4(identifier, name, order, stages, best, source) +((best) && (order) == 4)
#define BEST_6(identifier, name, order, stages, best, source) +((best) && (order) == 6)
#define BEST_8(identifier, name, order, stages, best, source) +((best) && (order) == 8)
_Static_assert(0 PH_COMPOSITIONS(BEST_4) == 1, "the best of order 4");
_Static_assert(0 PH_COMPOSITIONS(BEST_6) == 1, "the best of order 6");
_Static_assert(0 PH_COMPOSITIONS(BEST_8) == 1, "the best of order 8");

static const ph_composition *best_of(int order)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].best && table[i].order == order)
            return &table[i];
    return NULL;
}

const ph_composition *ph_composition_chosen(double order, double word, int *order_of_it)
{
    const int wanted = 2 * (int)order; /* 0: whatever it is */
    const ph_composition *c = word > 0 ? &table[(size_t)word - 1] : best_of(wanted);
    *order_of_it = c ? c->order : 2;
    if (wanted && wanted != *order_of_it)
        *order_of_it = 0;
    return c;
}
