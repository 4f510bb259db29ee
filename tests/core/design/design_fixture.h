// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "tests/support/test_paths.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

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

namespace quadric::design::test {

/// Factors a, b, c … from 10 to 20, no center runs, standard order.
inline study::Study continuousStudy(int factors, const std::string& type)
{
    study::Study study;
    study.design.type = type;
    study.design.centerRuns = 0;
    study.design.randomize = false;
    for (int i = 0; i < factors; ++i)
        study.factors.push_back(
            {.name = std::string(1, static_cast<char>('a' + i)), .low = 10.0, .high = 20.0});
    return study;
}

inline study::Factor categorical(const std::string& name, int levels)
{
    study::Factor factor{.name = name, .type = study::FactorType::Categorical};
    for (int i = 0; i < levels; ++i)
        factor.categories.push_back(name + std::to_string(i + 1));
    return factor;
}

/// What layOut() says against the study; empty where it makes the design.
inline std::string messageOf(const study::Study& study)
{
    try {
        layOut(study);
    } catch (const DesignError& error) {
        return error.what();
    }
    return {};
}

/// Coded settings of the runs, one row a run.
inline Eigen::MatrixXd codedRuns(const study::Study& study)
{
    const study::Coding coding(study.factors);
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(study.runs.size()), coding.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        rows.row(static_cast<Eigen::Index>(i)) = coding.toCoded(study.runs[i].settings).x.transpose();
    return rows;
}

/// "-+0" for each row.
inline std::vector<std::string> signTexts(const Eigen::MatrixXd& rows)
{
    std::vector<std::string> texts;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        texts.emplace_back();
        for (const double value : rows.row(i))
            texts.back() += value < 0.0 ? '-' : value > 0.0 ? '+' : '0';
    }
    return texts;
}

inline std::multiset<std::string> sorted(const std::vector<std::string>& texts)
{
    return {texts.begin(), texts.end()};
}

inline nlohmann::json reference(const std::string& name)
{
    std::ifstream file(sourcePath("tests/references/") + name);
    if (!file)
        throw std::runtime_error("there is no reference " + name);
    return nlohmann::json::parse(file);
}

/// Columns 1, x, xy, x² of the full quadratic model.
inline Eigen::MatrixXd quadraticColumns(const Eigen::MatrixXd& rows)
{
    const Eigen::Index k = rows.cols();
    Eigen::MatrixXd x(rows.rows(), (k + 1) * (k + 2) / 2);
    x.col(0).setOnes();
    x.middleCols(1, k) = rows;
    Eigen::Index column = k + 1;
    for (Eigen::Index i = 0; i < k; ++i)
        for (Eigen::Index j = i; j < k; ++j)
            x.col(column++) = rows.col(i).cwiseProduct(rows.col(j));
    return x;
}

} // namespace quadric::design::test
