/* SPDX-License-Identifier: BSD-3-Clause */
/* The viewer's page, viewer.html, as bytes in the program. */
#ifndef POLHODE_VIEWER_PAGE_H
#define POLHODE_VIEWER_PAGE_H

#include <stddef.h>

extern const unsigned char viewer_page[];
extern const size_t viewer_page_size;

#endif
