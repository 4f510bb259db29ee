// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/cost.h"
#include "core/text/numbers.h"

#include <string>

namespace quadric::plan {

/// What of the work is counted: "img" of a speed in img/s; else empty.
std::string amountUnit(const model::Fit& fit);

/// Three digits, downwards: what is promised is kept.
double withoutNeedlessDigits(double amount);

/// "9.4e+07 img", or without a unit "12 units of work".
std::string describeAmount(const model::Fit& fit, double amount, text::Typography typography = {});

/// That the model predicts no time at these settings and what to do, and which constraint they violate, with
/// a blank behind; empty where nothing is the matter.
std::string describeImpossible(const study::Study& study, const model::Fit& fit, const Work& work,
                               const study::Settings& settings);

/// What speaks against an answer, with a blank before it: a poor model, settings outside the region covered
/// by runs; empty where nothing does.
std::string describeCaution(const model::Fit& fit, bool isExtrapolation);

/// How surely the work is done in time, when it is done as surely as is asked, and the largest size that is.
std::string describeDeadline(const model::Fit& fit, const DeadlineQuestion& question,
                             const DeadlineAnswer& answer, text::Typography typography = {});

/// How often runs that were left out kept what was predicted with the probability that was asked for, or why
/// that cannot be checked.
std::string describeCalibration(const Calibration& calibration, double asked);

/// What a run costs at the settings, its time and its energy; empty where the model predicts no time.
std::string describeCost(const CostPlan& plan, text::Typography typography = {});

} // namespace quadric::plan
