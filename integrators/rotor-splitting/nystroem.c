/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of the splittings that nystroem.h lists. The published ones have 15 digits; these are the nearest solutions
 * of the order conditions, by Newton's method with 60 digits. */
#include "nystroem.h"

static const double strang_a[] = {1.0};
static const double strang_b[] = {0.5};
static const double srkn_6b_a[] = {0.2452989571842711234486544562782956618501,
                                   0.6048726657110799236261843298925194627431,
                                   -0.3501716228953510470748387861708151245932};
static const double srkn_6b_b[] = {
    0.0829844064174049823348985673131785609103, 0.3963098014983680618539546437070893912112,
    -0.0390563049223484373343056534292343424282, 0.1195241940131507862909048848179327806134};
static const double srkn_14a_a[] = {
    0.0378593198406110162865159809190632290690,  0.1026356331024366056085846916203014956060,
    -0.0258678882665583503254401516718519569489, 0.3142414030714464093086677858675286509056,
    -0.1301444595174151970157910853443011238750, 0.1064177003695418294877994883146706911741,
    -0.0087942431285101746326385125639109495978, 0.2073050690568957225646036057169999273340};
static const double srkn_14a_b[] = {0.0,
                                    0.0917191526244621754152294513896786295123,
                                    0.1839831700050048822786243402697313139212,
                                    -0.0565343658328891692614317648625997193085,
                                    0.0049146887747118131180839830495930232190,
                                    0.1437611271683618419692682385199129902970,
                                    0.3285676937468034573566523214506330551156,
                                    -0.1964114664864550008764265698169492927566};

#define ROW(identifier, order, drifts) {order, drifts, identifier##_a, identifier##_b},
static const ph_nystroem table[] = {PH_NYSTROEM(ROW)};

/* As many coefficients as the drifts need. */
#define CHECK(identifier, order, drifts)                                                                     \
    _Static_assert(sizeof(identifier##_a) / sizeof(double) == ((drifts) + 1) / 2, #identifier);              \
    _Static_assert(sizeof(identifier##_b) / sizeof(double) == ((drifts) + 2) / 2, #identifier);              \
    _Static_assert((drifts) <= PH_NYSTROEM_MOST, #identifier);
PH_NYSTROEM(CHECK)

const ph_nystroem *ph_nystroem_at(size_t i)
{
    return &table[i];
}
