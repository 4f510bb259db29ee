// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/remedy.h"

#include "core/report/catalogue/fit_sentences.h"

#include <algorithm>
#include <array>

namespace quadric::report {

namespace {

constexpr auto kMendedByAnotherModel = std::to_array<std::string_view>(
    {"fair-prediction", "low-predicted-r2", "poor-prediction", "lack-of-fit", "negative-predictions"});
constexpr auto kMendedByRuns =
    std::to_array<std::string_view>({"few-residual-df", "aliased-terms", "collinear-terms", "press-undefined",
                                     "low-precision", "curvature", "no-replicates", "no-significant-model"});

} // namespace

Remedy findRemedy(const Finding& finding)
{
    if (finding.severity == Severity::Green)
        return Remedy::None;
    if (finding.code == catalogue::kOtherScales.code)
        return Remedy::UseRecommendedModels;
    if (std::ranges::find(kMendedByAnotherModel, finding.code) != kMendedByAnotherModel.end())
        return Remedy::UseRecommendedModel;
    if (!finding.runs.empty())
        return Remedy::ShowRuns;
    const bool isMended = std::ranges::find(kMendedByRuns, finding.code) != kMendedByRuns.end();
    return isMended ? Remedy::AddRuns : Remedy::None;
}

} // namespace quadric::report
