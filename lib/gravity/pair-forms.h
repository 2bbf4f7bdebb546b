/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms that pairs are evaluated in, of each order and sort of two bodies: functions by FORM(kind, order, a, b), and their
 * table. The odd degrees of bodies with three planes of symmetry are 0, and of points all are. Orders 5 and 7 are 6 and 8 with
 * fewer terms. FORMS: the declaration of the table. */
/* clang-format off */
FORM(closed, 0, POINT, POINT)
FORM(closed, 2, POINT, EVEN)
FORM(closed, 2, POINT, ANY)
FORM(closed, 2, EVEN, POINT)
FORM(closed, 2, EVEN, EVEN)
FORM(closed, 2, EVEN, ANY)
FORM(closed, 2, ANY, POINT)
FORM(closed, 2, ANY, EVEN)
FORM(closed, 2, ANY, ANY)
FORM(closed, 3, POINT, ANY)
FORM(closed, 3, EVEN, ANY)
FORM(closed, 3, ANY, POINT)
FORM(closed, 3, ANY, EVEN)
FORM(closed, 3, ANY, ANY)
FORM(closed, 4, POINT, EVEN)
FORM(closed, 4, POINT, ANY)
FORM(closed, 4, EVEN, POINT)
FORM(closed, 4, EVEN, EVEN)
FORM(closed, 4, EVEN, ANY)
FORM(closed, 4, ANY, POINT)
FORM(closed, 4, ANY, EVEN)
FORM(closed, 4, ANY, ANY)
FORM(operator, 6, POINT, ANY)
FORM(operator, 6, EVEN, EVEN)
FORM(operator, 6, ANY, POINT)
FORM(operator, 6, ANY, ANY)
FORM(operator, 8, POINT, ANY)
FORM(operator, 8, EVEN, EVEN)
FORM(operator, 8, ANY, POINT)
FORM(operator, 8, ANY, ANY)

FORMS = {
    {{closed_0_POINT_POINT}},
    {{closed_0_POINT_POINT}},
    {{closed_0_POINT_POINT, closed_2_POINT_EVEN, closed_2_POINT_ANY},
     {closed_2_EVEN_POINT, closed_2_EVEN_EVEN, closed_2_EVEN_ANY},
     {closed_2_ANY_POINT, closed_2_ANY_EVEN, closed_2_ANY_ANY}},
    {{closed_0_POINT_POINT, closed_2_POINT_EVEN, closed_3_POINT_ANY},
     {closed_2_EVEN_POINT, closed_2_EVEN_EVEN, closed_3_EVEN_ANY},
     {closed_3_ANY_POINT, closed_3_ANY_EVEN, closed_3_ANY_ANY}},
    {{closed_0_POINT_POINT, closed_4_POINT_EVEN, closed_4_POINT_ANY},
     {closed_4_EVEN_POINT, closed_4_EVEN_EVEN, closed_4_EVEN_ANY},
     {closed_4_ANY_POINT, closed_4_ANY_EVEN, closed_4_ANY_ANY}},
    {{closed_0_POINT_POINT, closed_4_POINT_EVEN, operator_6_POINT_ANY},
     {closed_4_EVEN_POINT, closed_4_EVEN_EVEN, operator_6_ANY_ANY},
     {operator_6_ANY_POINT, operator_6_ANY_ANY, operator_6_ANY_ANY}},
    {{closed_0_POINT_POINT, operator_6_POINT_ANY, operator_6_POINT_ANY},
     {operator_6_ANY_POINT, operator_6_EVEN_EVEN, operator_6_ANY_ANY},
     {operator_6_ANY_POINT, operator_6_ANY_ANY, operator_6_ANY_ANY}},
    {{closed_0_POINT_POINT, operator_6_POINT_ANY, operator_8_POINT_ANY},
     {operator_6_ANY_POINT, operator_6_EVEN_EVEN, operator_8_ANY_ANY},
     {operator_8_ANY_POINT, operator_8_ANY_ANY, operator_8_ANY_ANY}},
    {{closed_0_POINT_POINT, operator_8_POINT_ANY, operator_8_POINT_ANY},
     {operator_8_ANY_POINT, operator_8_EVEN_EVEN, operator_8_ANY_ANY},
     {operator_8_ANY_POINT, operator_8_ANY_ANY, operator_8_ANY_ANY}},
};
/* clang-format on */
