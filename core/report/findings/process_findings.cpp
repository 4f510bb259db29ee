// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/process_findings.h"

#include "core/report/catalogue/process_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::string compareOne(const model::Fit& fit, const model::Process& process)
{
    const std::optional<model::LeaveSettingOut> polynomial = model::leaveSettingOut(fit);
    if (!polynomial || !process.isOk())
        return "";
    const bool isBetter = process.leftOut.error < polynomial->error;
    return fill(isBetter ? catalogue::kProcessIsBetter : catalogue::kPolynomialIsBetter,
                {{"response", fit.response},
                 {"model", fit.model},
                 {"process", text::formatPercent(process.leftOut.relative)},
                 {"polynomial", text::formatPercent(polynomial->relative)}});
}

} // namespace

std::string compareProcesses(const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes)
{
    std::vector<std::string> sentences;
    for (const model::Process& process : processes) {
        const auto fit = std::ranges::find(fits, process.response, &model::Fit::response);
        if (fit == fits.end())
            continue;
        if (std::string sentence = compareOne(*fit, process); !sentence.empty())
            sentences.push_back(std::move(sentence));
    }
    return joinSentences(sentences);
}

} // namespace quadric::report
