// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/model_advice.h"

#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/text/numbers.h"

namespace quadric::report {

namespace {

/// "throughput with transform log (error 454 instead of 2530 img/s)".
std::string describeChange(const model::Fit& fit, const model::Recommendation& scales)
{
    const auto number = [](const std::optional<double>& error) {
        return error ? text::formatBriefly(*error) : std::string("unknown");
    };
    const bool isSame = scales.transform == fit.transform;
    return fill(isSame ? catalogue::kSameTransform : catalogue::kOtherTransform,
                {{"response", fit.response},
                 {"transform", study::nameOf(scales.transform)},
                 {"after", number(scales.recommendedError)},
                 {"before", number(scales.presentError)},
                 {"unit", fit.unit.empty() ? "" : " " + fit.unit}});
}

} // namespace

std::string describeAdvice(const std::vector<model::Fit>& fits,
                           const std::vector<model::Recommendation>& scales)
{
    std::vector<std::string> changes, factors;
    for (std::size_t i = 0; i < fits.size() && i < scales.size(); ++i) {
        if (!scales[i].isRecommended)
            continue;
        changes.push_back(describeChange(fits[i], scales[i]));
        if (!factors.empty())
            continue;
        for (const std::string& name : scales[i].log2Factors)
            factors.push_back(fill(catalogue::kOnLog2, {{"factor", name}}));
        for (const std::string& name : scales[i].linearFactors)
            factors.push_back(fill(catalogue::kOnLinear, {{"factor", name}}));
    }
    if (changes.empty())
        return {};
    changes.insert(changes.end(), factors.begin(), factors.end());
    return fill(catalogue::kOtherModels, {{"changes", text::formatList(changes)}});
}

} // namespace quadric::report
