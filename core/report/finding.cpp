// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/finding.h"

#include "core/model/base/thresholds.h"
#include "core/text/numbers.h"

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
    constexpr auto kFacts = std::to_array<std::string_view>({"progress"});
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

Severity findSeverity(double p)
{
    if (p < model::kCertain)
        return Severity::Red;
    return p < model::kSignificance ? Severity::Amber : Severity::Green;
}

std::string listTerms(std::vector<std::string> names)
{
    for (std::string& name : names)
        name = text::formatTerm(name, text::Typography::Typeset);
    return text::formatList(names);
}

std::string joinSentences(const std::vector<std::string>& sentences)
{
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

namespace {

using TextList = std::vector<std::pair<std::string_view, std::string>>;

/// What stands for "{placeholder}".
std::string resolve(std::string_view placeholder, const TextList& texts, std::size_t count)
{
    const std::size_t bar = placeholder.find('|');
    if (bar != placeholder.npos)
        return std::string(count == 1 ? placeholder.substr(0, bar) : placeholder.substr(bar + 1));
    const auto text = std::ranges::find(texts, placeholder, &TextList::value_type::first);
    return text == texts.end() ? "{" + std::string(placeholder) + "}" : text->second;
}

/// What the texts contain is taken as it is: a brace in a name of the study is no placeholder.
std::string fillIn(std::string_view pattern, const TextList& texts, std::size_t count)
{
    std::string filled;
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        const std::size_t close = pattern.find('}', open);
        filled += pattern.substr(0, open);
        if (close == pattern.npos)
            break;
        filled += resolve(pattern.substr(open + 1, close - open - 1), texts, count);
        pattern.remove_prefix(close + 1);
    }
    return filled;
}

} // namespace

std::string fill(std::string_view pattern, Texts texts, std::size_t count)
{
    return fillIn(pattern, texts, count);
}

Finding makeFinding(const Entry& entry, Texts texts, std::vector<int> runs)
{
    TextList all(texts);
    const std::size_t count = runs.empty() ? 1 : runs.size();
    if (!runs.empty()) {
        const std::string names = text::formatRuns(runs);
        all.emplace_back("runs", names);
        all.emplace_back("Runs", "R" + names.substr(1));
    }
    return {.code = std::string(entry.code),
            .severity = entry.severity,
            .topic = std::string(entry.topic),
            .sentence = fillIn(entry.sentence, all, count),
            .advice = fillIn(entry.advice, all, count),
            .runs = std::move(runs)};
}

} // namespace quadric::report
