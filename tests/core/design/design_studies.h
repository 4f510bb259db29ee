// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::design {

/// A study of factors a, b, … from −1 to +1 with these runs, so that settings are coded values.
inline study::Study codedStudy(const std::vector<std::vector<double>>& points)
{
    study::Study study;
    for (std::size_t i = 0; i < points.front().size(); ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('a' + i));
        factor.low = -1.0;
        study.factors.push_back(factor);
    }
    for (const std::vector<double>& point : points) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        for (std::size_t i = 0; i < point.size(); ++i)
            run.settings[study.factors[i].name] = point[i];
        study.runs.push_back(run);
    }
    return study;
}

/// Factors a, b, … from −1 to +1, without runs.
inline study::Study cube(int factors)
{
    study::Study study = codedStudy({std::vector<double>(static_cast<std::size_t>(factors), 0.0)});
    study.runs.clear();
    return study;
}

} // namespace quadric::design
