// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <QString>

#include <optional>

namespace quadric::widgets {

/// A design's evaluation, or why there is none.
struct Judgment {
    std::optional<design::Evaluation> evaluation;
    QString reason;
};

/// What the runs of a study are judged for.
struct JudgmentOptions {
    std::string model = {}; ///< empty: design::largestModel()
    double effectSd = 2.0;
    bool operator==(const JudgmentOptions&) const = default;
};

/// Throws what design::evaluate() throws.
design::Evaluation evaluated(const study::Study& study, const JudgmentOptions& options);

Judgment judge(const study::Study& study, const JudgmentOptions& options);

} // namespace quadric::widgets
