// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <QString>

#include <optional>

namespace quadric::widgets {

/// A number with or without its unit behind it, as typedNumber() reads it.
std::optional<double> typedQuantity(const QString& text, const std::string& unit);

/// The value that was typed for a factor, where it can be run; otherwise nothing, and `problem` says what was
/// expected: "expected one of fp32, bf16".
std::optional<study::Value> typedSetting(const study::Factor& factor, const QString& typed, QString& problem);

/// The same, inside the factor's range only.
std::optional<study::Value> typedInRange(const study::Factor& factor, const QString& typed, QString& problem);

} // namespace quadric::widgets
