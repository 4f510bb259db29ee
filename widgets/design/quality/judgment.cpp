// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/judgment.h"

#include "core/design/base/largest_model.h"

namespace quadric::widgets {

design::Evaluation evaluated(const study::Study& study, const JudgmentOptions& options)
{
    design::EvaluateOptions asked;
    asked.effectSd = options.effectSd;
    return design::evaluate(study, options.model.empty() ? design::largestModel(study) : options.model,
                            asked);
}

Judgment judge(const study::Study& study, const JudgmentOptions& options)
{
    try {
        return {evaluated(study, options), {}};
    } catch (const std::exception& error) {
        return {std::nullopt, QString::fromStdString(error.what())};
    }
}

} // namespace quadric::widgets
