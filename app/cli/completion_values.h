// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/completion.h"

namespace quadric::app {

/// What the value of an option or a positional of `quadric` can be: names of designs, plots and formats,
/// factors, levels, responses and runs of the study on the line, and files. Nothing where anything may be
/// typed, and where the study cannot be read.
Completion completionValues(const TypedValue& value);

/// Whether completionValues() knows what this option takes, be it that anything may be typed.
bool knowsValuesOf(const CLI::App& command, const CLI::Option& option);

} // namespace quadric::app
