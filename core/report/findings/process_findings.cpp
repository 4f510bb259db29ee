// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/process_findings.h"

#include "core/model/process/model_choice.h"
#include "core/model/process/shown_process.h"
#include "core/optimize/merit/desirability.h"
#include "core/report/catalogue/process_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::string_view sentenceFor(const study::Study& study, const model::Fit& fit, const model::Process& process,
                             const model::ModelErrors& errors)
{
    if (!errors.isProcessBetter())
        return catalogue::kPolynomialIsBetter;
    return model::isProcessBetterThanByChance(study, fit, process) ? catalogue::kProcessIsBetter
                                                                   : catalogue::kProcessMayBeBetter;
}

std::string compareOne(const study::Study& study, const model::Fit& fit, const model::Process& process,
                       const model::ModelErrors& errors)
{
    return fill(sentenceFor(study, fit, process, errors),
                {{"response", fit.response},
                 {"model", fit.model},
                 {"process", text::formatPercent(errors.process.relative)},
                 {"polynomial", text::formatPercent(errors.polynomial.relative)}});
}

constexpr std::ptrdiff_t kMostAdvised = 8;

bool mayBeAdvised(const study::Study& study, const model::Fit& fit)
{
    const study::Response* response = study::findResponse(study, fit.response);
    return response != nullptr && optimize::takesPart(*response) &&
           !model::isProcessShown(study, fit.response);
}

std::string describeGain(const model::Fit& fit, const model::Process& process)
{
    const auto polynomial = model::leaveSettingOut(fit);
    return fill(polynomial ? catalogue::kProcessGain : catalogue::kProcessGainAlone,
                {{"response", fit.response},
                 {"process", text::formatPercent(process.leftOut.relative)},
                 {"polynomial", polynomial ? text::formatPercent(polynomial->relative) : ""}});
}

} // namespace

ProcessAdvice adviseProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                              const std::stop_token& stop)
{
    ProcessAdvice advice;
    if (std::ranges::count_if(fits, [&](const model::Fit& fit) { return mayBeAdvised(study, fit); }) >
        kMostAdvised)
        return advice;
    std::vector<std::string> gains;
    for (const model::Fit& fit : fits) {
        if (stop.stop_requested() || !fit.isOk() || !mayBeAdvised(study, fit))
            continue;
        const auto process = model::processOf(study, fit.response);
        if (!model::isProcessAdvised(study, fit, *process, stop))
            continue;
        advice.responses.push_back(fit.response);
        if (gains.empty())
            gains.push_back(describeGain(fit, *process));
    }
    if (advice.responses.size() > gains.size())
        gains.push_back(std::to_string(advice.responses.size() - gains.size()) + " more");
    if (!gains.empty())
        advice.sentence = fill(catalogue::kProcessAdvice, {{"gains", text::joinWords(gains)}});
    return advice;
}

std::string compareProcesses(const study::Study& study, const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes)
{
    std::vector<std::string> sentences;
    for (const model::ModelErrors& errors : model::compareErrors(fits, processes))
        sentences.push_back(
            compareOne(study, *std::ranges::find(fits, errors.response, &model::Fit::response),
                       *std::ranges::find(processes, errors.response, &model::Process::response), errors));
    return joinSentences(sentences);
}

} // namespace quadric::report
