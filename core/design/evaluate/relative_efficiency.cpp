// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/relative_efficiency.h"

#include "core/design/base/information.h"
#include "core/design/optimal/optimal.h"

namespace quadric::design {

namespace {

constexpr int kStarts = 10;

} // namespace

std::optional<double> computeRelativeDEfficiency(const study::Study& study, std::string_view model)
{
    const Information information = informationOf(study, model);
    if (!information.leftOut.empty())
        return std::nullopt;
    OptimalRequest request;
    request.model = model;
    request.runs = static_cast<int>(information.n());
    request.blocks = 1 + static_cast<int>(information.blocks.cols());
    request.starts = kStarts;
    return 100.0 * dEfficiencyOf(information) / optimalDesign(study, request).value;
}

} // namespace quadric::design
