// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/plackett_burman.h"

#include "core/design/base/factor_levels.h"
#include "core/design/generate/design_catalog.h"
#include "core/design/generate/paley.h"

#include <algorithm>
#include <array>

namespace quadric::design {

namespace {

constexpr int kSmallest = 8;
constexpr int kLargest = 48;

/// Plackett & Burman, "The design of optimum multifactorial experiments", Biometrika 33 (1946) 305–325.
constexpr std::array<std::string_view, 9> kFirstRows = {
    "+++-+--",
    "++-+++---+-",
    "++++-+-++--+---",
    "++--++++-+-+----++-",
    "+++++-+-++--++--+-+----",
    "----+-+-+++-++---+++++--++-+--+",
    "-+-+++---+++++-+++--+----+-+-++--+-",
    "++--+-+--+++-+++++---+-+++-----+---++-+-++-",
    "+++++-++++--+-+-+++--+--++-++---+-+-++----+----",
};

Eigen::MatrixXd cyclic(std::string_view row)
{
    const auto columns = static_cast<Eigen::Index>(row.size());
    Eigen::MatrixXd signs = Eigen::MatrixXd::Constant(columns + 1, columns, -1.0);
    for (Eigen::Index shift = 0; shift < columns; ++shift)
        for (Eigen::Index i = 0; i < columns; ++i)
            if (row[static_cast<std::size_t>(i)] == '+')
                signs(shift, (i + shift) % columns) = 1.0;
    return signs;
}

/// Without its first column, the rows turned so that it was all plus: orthogonal columns that add to 0.
Eigen::MatrixXd withoutFirstColumn(Eigen::MatrixXd hadamard)
{
    for (Eigen::Index row = 0; row < hadamard.rows(); ++row)
        hadamard.row(row) *= hadamard(row, 0);
    return hadamard.rightCols(hadamard.cols() - 1);
}

/// Skew Paley matrix plus the identity: a Hadamard matrix.
Eigen::MatrixXd fromPaley(int runs)
{
    return withoutFirstColumn(paleyMatrix(runs - 1) + Eigen::MatrixXd::Identity(runs, runs));
}

/// The design twice, the second time with its signs changed in the second half of the columns.
Eigen::MatrixXd doubledDesign(const Eigen::MatrixXd& half)
{
    const Eigen::Index n = half.rows();
    Eigen::MatrixXd signs(2 * n, 2 * n - 1);
    signs << half, Eigen::VectorXd::Ones(n), half, half, -Eigen::VectorXd::Ones(n), -half;
    return signs;
}

int runsNeeded(const study::Study& study)
{
    const int factors = static_cast<int>(study.factors.size());
    const int needed = std::max(kSmallest, (factors / 4 + 1) * 4);
    const int runs = study.design.runs > 0 ? study.design.runs : needed;
    if (needed > kLargest)
        throw DesignError("Plackett-Burman designs hold up to " + std::to_string(kLargest - 1) +
                          " factors, not " + std::to_string(factors));
    if (runs < needed)
        throw DesignError("a Plackett-Burman design of " + std::to_string(factors) + " factors needs " +
                          std::to_string(needed) + " runs or more, not " + std::to_string(runs));
    return runs;
}

} // namespace

std::vector<int> plackettBurmanRuns()
{
    std::vector<int> counts;
    for (int runs = kSmallest; runs <= kLargest; runs += 4)
        counts.push_back(runs);
    return counts;
}

Eigen::MatrixXd plackettBurman(int runs)
{
    const auto row = std::ranges::find(kFirstRows, static_cast<std::size_t>(std::max(1, runs) - 1),
                                       [](std::string_view text) { return text.size(); });
    if (row != kFirstRows.end())
        return cyclic(*row);
    if (runs == 28)
        return fromPaley(runs);
    if (runs == 40)
        return doubledDesign(plackettBurman(runs / 2));
    throw DesignError("Plackett-Burman designs have 8, 12, 16 … 48 runs, not " + std::to_string(runs));
}

namespace {

/// The first columns of the smallest design that has one for each factor, or of `runs`. Two blocks by the
/// last column, where no factor needs it.
std::vector<DesignPoint> plackettBurmanOf(const study::Study& study, const std::stop_token& /*stop*/,
                                          const Progress& /*progress*/)
{
    requireTwoLevels(study, "A Plackett-Burman design");
    const auto factors = static_cast<Eigen::Index>(study.factors.size());
    const Eigen::MatrixXd signs = plackettBurman(runsNeeded(study));
    std::vector<DesignPoint> points = pointsOfSigns(study, signs.leftCols(factors));
    if (study.design.blocks == 1)
        return points;
    if (study.design.blocks != 2 || factors == signs.cols())
        throw DesignError(
            "A Plackett-Burman design is divided into 2 blocks by a column that no factor needs; "
            "ask for 2 blocks" +
            std::string(factors == signs.cols() ? " and more runs" : "") +
            ", or for as many replicates as blocks");
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].block = signs(static_cast<Eigen::Index>(i), signs.cols() - 1) < 0.0 ? 1 : 2;
    std::ranges::stable_sort(points, {}, &DesignPoint::block);
    return points;
}

} // namespace

DesignType plackettBurmanType()
{
    return {.name = "plackett-burman",
            .title = "Plackett–Burman",
            .purpose = "Screens main effects with the fewest runs.",
            .points = plackettBurmanOf,
            .keys = {"runs"},
            .mainEffects = kMainMixed,
            .importTitle = "orthogonal two-level design (Plackett–Burman)"};
}

} // namespace quadric::design
