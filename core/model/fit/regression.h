// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/least_squares.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/prediction_error.h"
#include "core/model/fit/selection_test.h"

namespace quadric::model {

/// A solved regression: what every table of a fit is computed from. The columns of `x` are the intercept, the
/// sum-to-zero contrasts of the blocks, then the columns of the terms; aliased ones are gone. Where runs are
/// weighted, the rows of `x`, `z` and of the solution are multiplied by the roots of their weights:
/// everything that is computed of them is that of weighted least squares.
struct Regression {
    std::vector<study::Factor> factors;
    std::vector<Term> terms;     ///< intercept first
    std::vector<Column> columns; ///< of the terms, intercept first, blocks not among them
    std::vector<std::string> aliased;
    std::vector<int> blocks; ///< ids of the blocks, empty with a single one
    Eigen::MatrixXd x;
    Eigen::VectorXd z;
    Eigen::VectorXd rootWeights; ///< empty: all 1
    LeastSquares solution;
    double sst = 0.0, sse = 0.0; ///< exactly 0 where only rounding is left
    double sstInBlocks = 0.0;    ///< Σ (z − mean of its block)²: what the terms can explain
    int n = 0, parameters = 0, df = 0;

    /// Columns of blocks in x, behind the intercept.
    Eigen::Index blockColumns() const
    {
        return blocks.empty() ? 0 : static_cast<Eigen::Index>(blocks.size()) - 1;
    }
    /// Where columns[j] stands in x.
    Eigen::Index positionOf(std::size_t j) const
    {
        return j == 0 ? 0 : static_cast<Eigen::Index>(j) + blockColumns();
    }
    /// Residual variance; empty without residual degrees of freedom.
    std::optional<double> variance() const { return df > 0 ? std::optional(sse / df) : std::nullopt; }
};

/// The runs of a fit, their response transformed, and the solved regression.
struct FitData {
    Observations observations;
    Regression regression;
    std::vector<int> replicateGroups; ///< per run, as replicateGroups() numbers them
    /// The largest model that the terms were chosen from; empty where they were given.
    std::optional<ErrorModelTerms> chosenFrom;
    FitOptions options;                        ///< what was asked for
    std::shared_ptr<SelectionCache> selection; ///< never null
};

/// Solves for the terms; never throws. `data` has at least one run.
Regression solveRegression(const Observations& data, const std::vector<study::Factor>& factors,
                           const std::vector<Term>& terms, double rankTolerance);

/// How many runs are missing to estimate all of these terms, asked where as many coefficients were estimated
/// as there are runs: 0 when none were lost, or when what the runs cannot tell apart is the structure of a
/// complete fraction (terms equal to one another) and not a lack of runs.
int missingRuns(const Observations& data, const std::vector<study::Factor>& factors,
                const std::vector<Term>& terms);

/// Σ (z − mean of its block)², weighted, 0 where only rounding is left.
double totalInBlocks(const Observations& data);

/// Positions in x of the columns of a term.
std::vector<Eigen::Index> positionsOf(const Regression& regression, const Term& term);

/// Ids of the blocks, ascending; empty with a single one.
std::vector<int> blocksOf(const Observations& data);

/// Columns that the blocks have in a design matrix.
double countBlockColumns(const Observations& data);

/// Values of the runs, each multiplied by the root of the run's weight.
Eigen::MatrixXd weighted(const Observations& data, Eigen::MatrixXd values);

/// Intercept, sum-to-zero contrasts of the blocks, then the columns of the terms (the intercept first among
/// them), weighted.
Eigen::MatrixXd designMatrix(const Observations& data, const std::vector<int>& blocks,
                             const std::vector<Column>& columns, const std::vector<study::Factor>& factors);

/// A sum of squares, 0 where values of size `magnitude` leave no more than that by rounding.
double withoutRounding(double sumOfSquares, double magnitude, Eigen::Index count);

/// Sum of squares below which values of size `magnitude` differ by rounding only.
double roundingSumOfSquares(double magnitude, Eigen::Index count);

} // namespace quadric::model
