// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace quadric::widgets {

/// The number that was typed, with a point or a comma before its decimals and thousands set apart as it may
/// be. Nothing for anything else, for what is not finite, and for "1,234", which is a thousand to some and
/// about one to others.
std::optional<double> typedNumber(const QString& text);

} // namespace quadric::widgets
