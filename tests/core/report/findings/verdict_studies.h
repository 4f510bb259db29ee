// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::report::test {

struct VerdictStudy {
    std::string name; ///< also that of the study
    study::Study study;
    std::string verdict; ///< "good", "fair", "poor"
    std::string code;    ///< of the finding that decides
};

/// Studies of one response, y, and its model, with the verdict that every view of them must give.
std::vector<VerdictStudy> verdictStudies();

} // namespace quadric::report::test
