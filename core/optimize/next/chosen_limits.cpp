// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/chosen_limits.h"

#include "core/optimize/merit/optimum.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace quadric::optimize {

namespace {

constexpr const char* kOptimizePage = "optimize";
constexpr const char* kExtrapolation = "extrapolation";
constexpr const char* kRunsProbability = "runs-probability";
constexpr std::array<std::string_view, 3> kNearRunNames{"off", "warn", "on"};

bool isChoice(const std::vector<std::string>& row, std::string_view name)
{
    return row.size() == 2 && row[0] == name;
}

/// What was chosen under this name; empty: nothing.
std::string readChoice(const study::Study& study, std::string_view name)
{
    const auto page = study.view.find(kOptimizePage);
    if (page == study.view.end())
        return {};
    const auto row =
        std::ranges::find_if(page->second.views, [name](const auto& each) { return isChoice(each, name); });
    return row == page->second.views.end() ? std::string() : row->back();
}

study::Study withChoice(study::Study study, const char* name, std::string choice)
{
    study::PageView& page = study.view[kOptimizePage];
    std::erase_if(page.views, [name](const auto& row) { return isChoice(row, name); });
    page.views.push_back({name, std::move(choice)});
    return study;
}

} // namespace

NearRuns readNearRuns(const study::Study& study)
{
    const auto name = std::ranges::find(kNearRunNames, readChoice(study, kExtrapolation));
    return name == kNearRunNames.end() ? NearRuns::Warn : static_cast<NearRuns>(name - kNearRunNames.begin());
}

study::Study withNearRuns(study::Study study, NearRuns nearRuns)
{
    return withChoice(std::move(study), kExtrapolation,
                      std::string(kNearRunNames[static_cast<std::size_t>(nearRuns)]));
}

double readLeastRunsProbability(const study::Study& study)
{
    const std::string text = readChoice(study, kRunsProbability);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isSound =
        error == std::errc() && end == text.data() + text.size() && value >= 0.0 && value < 1.0;
    return isSound ? value : kUsualRunsProbability;
}

study::Study withLeastRunsProbability(study::Study study, double probability)
{
    return withChoice(std::move(study), kRunsProbability, text::formatExactly(probability));
}

} // namespace quadric::optimize
