// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/live_values.h"

#include "core/run/recipe/result_pattern.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace quadric::run {

namespace {

constexpr std::size_t kLongestReadLine = 2000; ///< bytes
constexpr qint64 kFreeNs = 100'000'000;        ///< of time for reading, before it is compared
constexpr qint64 kShareOfTime = 20;            ///< and then one part in so many
constexpr std::size_t kMostNames = 100;        ///< of responses

} // namespace

LiveValues::LiveValues(study::ParseSpec spec)
    : m_spec(std::move(spec))
{
}

bool LiveValues::hasTime() const
{
    return m_spentNs < kFreeNs + m_clock.nsecsElapsed() / kShareOfTime;
}

std::vector<std::pair<std::string, double>> LiveValues::read(const std::string& line)
{
    using Kind = study::ParseSpec::Kind;
    if (!m_clock.isValid())
        m_clock.start();
    if (line.size() > kLongestReadLine || !hasTime())
        return {};
    QElapsedTimer effort;
    effort.start();
    Found found;
    if (m_spec.kind == Kind::Regex)
        found = findByPatterns(line);
    else if (m_spec.kind == Kind::LastJson)
        found = findInObject(line);
    m_spentNs += effort.nsecsElapsed();
    std::erase_if(found, [this](const auto& each) {
        const bool isRoom = m_pauses.size() < kMostNames || m_pauses.contains(each.first);
        return !std::isfinite(each.second) || !isRoom || !m_pauses[each.first].lets();
    });
    return found;
}

/// A pattern that gives up on a line is not tried again.
LiveValues::Found LiveValues::findByPatterns(const std::string& line)
{
    Found found;
    const QString text = QString::fromStdString(line);
    std::erase_if(m_spec.patterns, [&](const auto& each) {
        bool gaveUp = false;
        const PatternFinding finding = findLastNumber(each.second, text, &gaveUp);
        if (!gaveUp && finding.isFound && finding.problem.empty())
            found.emplace_back(each.first, finding.value);
        return gaveUp;
    });
    return found;
}

LiveValues::Found LiveValues::findInObject(const std::string& line)
{
    Found found;
    if (!line.starts_with('{'))
        return found;
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    const auto responses = json.is_object() ? json.find("responses") : json.end();
    const bool isNested = json.is_object() && responses != json.end() && responses->is_object();
    const nlohmann::json& numbers = isNested ? *responses : json;
    if (!numbers.is_object())
        return found;
    for (const auto& [name, value] : numbers.items()) {
        if (value.is_number())
            found.emplace_back(name, value.get<double>());
    }
    return found;
}

} // namespace quadric::run
