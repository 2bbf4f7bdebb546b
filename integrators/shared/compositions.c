/* SPDX-License-Identifier: BSD-3-Clause */
/* The compositions as data: see compositions.h. Among those of an order the one that `automatic` takes stands
 * first. */
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
static const ph_composition table[] = {
    {"suzuki-5", "Suzuki, Phys. Lett. A 146 (1990) 319", 4, 5, suzuki_5},
    {"mclachlan-5", "McLachlan, SIAM J. Sci. Comput. 16 (1995) 151", 4, 5, mclachlan_5},
    {"kahan-li-9", "Kahan, Li, Math. Comput. 66 (1997) 1089", 6, 9, kahan_li_9},
    {"sofroniou-spaletta-11", "Sofroniou, Spaletta, Optim. Methods Softw. 20 (2005) 597", 6, 11,
     sofroniou_spaletta_11},
    {"suzuki-umeno-15", "Suzuki, Umeno, Springer Proc. Phys. 76 (1993) 74", 8, 15, suzuki_umeno_15},
    {"kahan-li-17", "Kahan, Li, Math. Comput. 66 (1997) 1089", 8, 17, kahan_li_17},
    {"sofroniou-spaletta-21", "Sofroniou, Spaletta, Optim. Methods Softw. 20 (2005) 597", 8, 21,
     sofroniou_spaletta_21},
};

/* What `automatic` takes for orders 4, 6 and 8: by measurement, doc/methods.md. */
static const size_t best[] = {0, 3, 6};

const ph_composition *ph_composition_chosen(double order, double word, int *order_of_it)
{
    const int wanted = 2 * (int)order; /* 0: whatever it is */
    const ph_composition *c = word > 0     ? &table[(size_t)word - 1]
                              : wanted > 2 ? &table[best[wanted / 2 - 2]]
                                           : NULL;
    *order_of_it = c ? c->order : 2;
    if (wanted && wanted != *order_of_it)
        *order_of_it = 0;
    return c;
}
