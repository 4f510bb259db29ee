// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/report/finding.h"

namespace quadric::report {

/// What deserves a look before the numbers of an evaluation: runs and terms that are left out, what cannot be
/// estimated or tested, settings that cannot be run, and findInMovedRuns().
std::vector<Finding> findInDesign(const design::Evaluation& evaluation);

/// What moving the points of a design to allowed settings cost; empty where nothing was moved.
std::vector<Finding> findInMovedRuns(const design::LegalReport& report);

/// Runs beyond the range of a factor.
Finding describeOutside(const design::OutsideRange& outside);

/// How a search for an optimal design ended and what rounding its levels cost: "Best of 60 searches, which 12
/// of them found. Levels are rounded to 2 digits, which costs 0.3 % of the D-efficiency."
std::string describeSearch(const design::SearchReport& search);

/// What a change of the runs does to a design: "D-efficiency from 46.0 % to 44.1 %. No longer: Level
/// balance." Says so when nothing of it changes.
std::string describeChange(const design::Evaluation& before, const design::Evaluation& after);

} // namespace quadric::report
