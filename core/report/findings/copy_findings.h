// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/copies.h"
#include "core/report/finding.h"

namespace quadric::report {

/// What is said of copies wherever they are met. `responses` in words: those that agree.
Finding describeCopies(const model::Copies& copies, const std::string& responses);

/// The copies of every response, those of the same runs in one finding.
std::vector<Finding> findCopiedResults(const study::Study& study);

} // namespace quadric::report
