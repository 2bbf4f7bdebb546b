// SPDX-License-Identifier: BSD-3-Clause
// The page: the archives that it contains or that are dropped on it, and what shows them.
