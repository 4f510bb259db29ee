// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/benchmark.h"

#include <QString>

namespace quadric::widgets {

using Environment = decltype(study::Benchmark::env);

/// NAME=value, a line each.
QString asLines(const Environment& environment);

/// The reverse; lines of another kind are left out.
Environment asEnvironment(const QString& text);

} // namespace quadric::widgets
