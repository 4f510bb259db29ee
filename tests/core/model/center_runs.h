// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <cstddef>
#include <vector>

namespace quadric::test {

/// One done center run per result, at these places of the run order.
inline study::Study centers(const std::vector<int>& orders, const std::vector<double>& results)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 0, .high = 2}};
    study.responses = {{.name = "speed"}};
    for (std::size_t i = 0; i < orders.size(); ++i) {
        study::Run run{.id = static_cast<int>(i) + 1, .order = orders[i], .kind = study::RunKind::Center};
        run.settings = {{"a", 1.0}};
        run.status = study::RunStatus::Done;
        run.results = {{"speed", results[i]}};
        run.provenance.source = study::Source::Measured;
        study.runs.push_back(run);
    }
    return study;
}

} // namespace quadric::test
