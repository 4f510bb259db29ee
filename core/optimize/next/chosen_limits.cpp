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
constexpr std::array<std::string_view, 3> kNearRunNames{"off", "warn", "on"};

bool isChoice(const std::vector<std::string>& row)
{
    return row.size() == 2 && row[0] == kExtrapolation;
}

constexpr const char* kPage = "optimize";
constexpr const char* kRunsProbability = "runs-probability";

bool isRunsLimit(const std::vector<std::string>& row)
{
    return row.size() == 2 && row[0] == kRunsProbability;
}

} // namespace

NearRuns readNearRuns(const study::Study& study)
{
    const auto page = study.view.find(kOptimizePage);
    if (page == study.view.end())
        return NearRuns::Warn;
    const auto row = std::ranges::find_if(page->second.views, isChoice);
    if (row == page->second.views.end())
        return NearRuns::Warn;
    const auto name = std::ranges::find(kNearRunNames, row->back());
    return name == kNearRunNames.end() ? NearRuns::Warn : static_cast<NearRuns>(name - kNearRunNames.begin());
}

study::Study withNearRuns(study::Study study, NearRuns nearRuns)
{
    study::PageView& page = study.view[kOptimizePage];
    std::erase_if(page.views, isChoice);
    page.views.push_back({kExtrapolation, std::string(kNearRunNames[static_cast<std::size_t>(nearRuns)])});
    return study;
}

double readLeastRunsProbability(const study::Study& study)
{
    const auto page = study.view.find(kPage);
    if (page == study.view.end())
        return kUsualRunsProbability;
    const auto row = std::ranges::find_if(page->second.views, isRunsLimit);
    if (row == page->second.views.end())
        return kUsualRunsProbability;
    const std::string& text = row->back();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isSound =
        error == std::errc() && end == text.data() + text.size() && value >= 0.0 && value < 1.0;
    return isSound ? value : kUsualRunsProbability;
}

study::Study withLeastRunsProbability(study::Study study, double probability)
{
    study::PageView& page = study.view[kPage];
    std::erase_if(page.views, isRunsLimit);
    page.views.push_back({kRunsProbability, text::formatExactly(probability)});
    return study;
}

} // namespace quadric::optimize
