// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace quadric::model::test {

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
