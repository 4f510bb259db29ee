// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/optimism_sentences.h"

#include "core/report/catalogue.h"
#include "core/report/catalogue/reading_sentences.h"

#include <algorithm>

namespace quadric::report {

std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography)
{
    std::vector<std::string> sentences;
    for (const optimize::CorrectedPrediction& row : correction.responses) {
        const study::Response* response = study::findResponse(study, row.response);
        const auto at =
            std::ranges::find(optimum.responses, row.response, &optimize::ResponseAtOptimum::response);
        if (response == nullptr || response->goal == study::Goal::None || at == optimum.responses.end() ||
            !row.prediction)
            continue;
        const double half = (row.prediction->high - row.prediction->low) / 2.0;
        const std::string predicted = text::formatNumber(at->predicted.mean, half, typography);
        const std::string corrected = text::formatNumber(row.mean, half, typography);
        if (predicted != corrected)
            sentences.push_back(
                fill(catalogue::kCorrectedPrediction,
                     {{"response", row.response},
                      {"predicted", predicted + (response->unit.empty() ? "" : " " + response->unit)},
                      {"corrected", corrected},
                      {"range", text::formatRange(row.prediction->low, row.prediction->high, typography)}}));
    }
    return sentences;
}

} // namespace quadric::report
