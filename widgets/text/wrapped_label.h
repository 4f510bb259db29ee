// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLabel;

namespace quadric::widgets {

/// A label of rich text (with everything from a study escaped) in lines as wide as there is room; can be
/// selected.
QLabel* wrappedLabel(const QString& richText);

} // namespace quadric::widgets
