// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/model/base/copies.h"
#include "core/report/finding.h"
#include "core/study/study.h"

namespace quadric::report {

/// What is said of copies wherever they are met. `responses` in words: those that agree.
Finding describeCopies(const model::Copies& copies, const std::string& responses);

/// The copies of every response, those of the same runs in one finding.
std::vector<Finding> findCopiedResults(const study::Study& study);

/// What deserves a look before the numbers of an evaluation: runs and terms that are left out, what cannot be
/// estimated or tested, settings that cannot be run, and findInMovedRuns().
std::vector<Finding> findInDesign(const design::Evaluation& evaluation);

/// What moving the points of a design to allowed settings cost; empty where nothing was moved.
std::vector<Finding> findInMovedRuns(const design::LegalReport& report);

/// How a search for an optimal design ended and what rounding its levels cost: "Best of 60 searches, which 12
/// of them found. Levels are rounded to 2 digits, which costs 0.3 % of the D-efficiency."
std::string describeSearch(const design::SearchReport& search);

/// What a change of the runs does to a design: "D-efficiency from 46.0 % to 44.1 %. No longer: Level
/// balance." Says so when nothing of it changes.
std::string describeChange(const design::Evaluation& before, const design::Evaluation& after);

/// What is suspicious about results from elsewhere:
/// - replicates that are copies (model::findCopies());
/// - settings outside a factor's range (axial runs of a central composite design excepted);
/// - runs without results.
std::vector<Finding> findInData(const study::Study& study);

} // namespace quadric::report
