// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::model::test {

/// A reference file of tests/references/oracles.
nlohmann::json readOracle(const std::string& name);

/// A reference file of tests/references/models.
nlohmann::json readModelReference(const std::string& name);

/// The study that a reference file describes: factors, all runs done, blocks numbered from 1.
study::Study studyOf(const nlohmann::json& oracle);

/// "A:B" or "x1^2" of a reference file with the factor names and signs of ours: "Time*Temp", "Time^2", "1".
std::string ourTerm(std::string term, const nlohmann::json& oracle);

/// The model of an analysis in our words.
std::string modelOf(const nlohmann::json& analysis, const nlohmann::json& oracle);

/// A study with these numeric factors (coded = actual) and one response "y".
study::Study plainStudy(const std::vector<std::string>& factors);

/// Adds a run that is done, with its result.
study::Run& addRun(study::Study& study, const std::vector<study::Value>& settings, double y);

/// Every combination of the levels.
std::vector<std::vector<study::Value>> gridOf(int factors, const std::vector<double>& levels);

/// Row of that name; fails the test and returns an empty one where it is missing.
const AnovaRow& rowOf(const std::vector<AnovaRow>& rows, const std::string& source);
const Coefficient& coefficientOf(const Fit& fit, const std::string& term);
bool hasWarning(const Fit& fit, const std::string& code);

/// Nothing is said of a value that is not there.
inline void expectFinite(const std::optional<double>& value, const std::string& what)
{
    EXPECT_TRUE(std::isfinite(value.value_or(0.0))) << what << " " << value.value_or(0.0);
}

/// Equal to seven digits; values below 1e-3 to 1e-10.
inline void expectRelative(double actual, double expected, const std::string& what)
{
    EXPECT_NEAR(actual, expected, 1e-7 * std::max(std::abs(expected), 1e-3)) << what;
}

/// One number of each point of a path in a reference file.
inline std::vector<double> column(const nlohmann::json& path, const char* key)
{
    std::vector<double> values;
    for (const nlohmann::json& point : path)
        values.push_back(point[key]);
    return values;
}

} // namespace quadric::model::test
