// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace quadric::app {

/// How well `query` finds `text`; 0: not at all. Each word of the query has to be there: as a whole word, at
/// the start of one, inside of one, or as letters in their order from the start of one, in this order of
/// worth. Case and accents do not count; of equal texts the shorter one is found better. An empty query finds
/// everything equally well.
int fuzzyScore(const QString& query, const QString& text);

} // namespace quadric::app
