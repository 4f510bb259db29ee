// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/finding.h"

#include "core/model/base/thresholds.h"

#include <algorithm>
#include <array>

namespace quadric::report {

std::string_view nameOf(Severity severity)
{
    if (severity == Severity::Green)
        return "green";
    return severity == Severity::Amber ? "amber" : "red";
}

bool isFact(const Finding& finding)
{
    constexpr auto kFacts = std::to_array<std::string_view>(
        {"progress", "unknown-drift", "cancelled-runs", "retried-runs", "variance-components"});
    return std::ranges::find(kFacts, finding.code) != kFacts.end();
}

std::string_view shownName(const Finding& finding)
{
    if (isFact(finding))
        return {};
    if (finding.severity == Severity::Green)
        return "OK";
    return finding.severity == Severity::Amber ? "check" : "problem";
}

const Finding* findWorst(const std::vector<Finding>& findings)
{
    const auto worst = std::ranges::max_element(findings, {}, &Finding::severity);
    return worst == findings.end() ? nullptr : &*worst;
}

Severity judgeP(double p)
{
    if (p < model::kCertain)
        return Severity::Red;
    return p < model::kSignificance ? Severity::Amber : Severity::Green;
}

std::string joinSentences(const std::vector<std::string>& sentences)
{
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

} // namespace quadric::report
