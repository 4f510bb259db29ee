// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/runs_limit.h"

#include "core/optimize/merit/optimum.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <charconv>

namespace quadric::optimize {

namespace {

constexpr const char* kPage = "optimize";
constexpr const char* kRunsProbability = "runs-probability";

bool isRunsLimit(const std::vector<std::string>& row)
{
    return row.size() == 2 && row[0] == kRunsProbability;
}

} // namespace

double leastRunsProbabilityOf(const study::Study& study)
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
