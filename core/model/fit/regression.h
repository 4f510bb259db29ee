// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/least_squares.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/estimability.h"
#include "core/model/fit/fit.h"
#include "core/model/fit/observations.h"

namespace quadric::model {

/// A value on the transformed scale in the response's own unit. Where the inverse transform has a pole or
/// explodes it is held at 1000 times the largest value seen, so that it is always finite.
double toResponseUnit(const Fit& fit, double z);

/// That limit; of a logit its upper bound.
double largestPrediction(const Fit& fit);

/// Leverage above which a prediction is an extrapolation: the largest of the runs or 3p/n, with slack for
/// rounding.
double leverageLimit(const Fit& fit);

/// Leverage above that limit, or a level of a categorical factor without a run.
bool isExtrapolation(const Fit& fit, const study::CodedPoint& point, double leverage);

struct Regression;

/// A model from which the error of predictions is computed, on the transformed scale.
struct ErrorModelTerms {
    std::vector<Column> columns; ///< blocks not among them
    Eigen::VectorXd beta;
    Eigen::MatrixXd unscaledCovariance; ///< (X'X)⁻¹ of `columns`
    double sigma = 0.0;
    int df = 0; ///< degrees of freedom of sigma
};

/// Coefficients, covariance and error of a solved regression.
ErrorModelTerms makeErrorModel(const Regression& regression);

/// The standard error of every prediction, ŷ ± t(df) σ √h with h from this model. A model that was given has
/// its own. One that was chosen by the same runs has the columns of the largest model that the terms were
/// chosen from, so that leaving a term out does not narrow the interval, and the larger of both residual
/// standard deviations: that of the large model is not reduced by the choice (Leeb & Pötscher 2005; Berk et
/// al. 2013), that of the chosen one contains terms that were left out wrongly.
class PredictionError {
public:
    /// `fit` is Ok and stays alive as long as this.
    explicit PredictionError(const Fit& fit);

    double sigma() const { return m_sigma; }
    int df() const { return m_df; }
    const std::vector<Column>& columns() const { return *m_columns; }
    /// Coefficients of columns(): of the model that was chosen from where terms were chosen.
    const Eigen::VectorXd& beta() const { return *m_beta; }
    const Eigen::MatrixXd& unscaledCovariance() const { return *m_covariance; }

    /// Row of columns() at a coded point.
    Eigen::VectorXd rowAt(const study::CodedPoint& point) const;

    /// Variance of the mean there over σ², with that of bends that the runs cannot show.
    double varianceFactorAt(const study::CodedPoint& point) const;

private:
    const std::vector<study::Factor>* m_factors;
    const std::vector<Column>* m_columns;
    const Eigen::VectorXd* m_beta;
    const Eigen::MatrixXd* m_covariance;
    const std::vector<UnseenBend>* m_bends;
    double m_sigma;
    int m_df;
};

/// Of each factor whose runs are at three settings, where the model has its square: the third-order part that
/// a smooth function has beside it, taken as drawn with a standard deviation of a quarter of the coefficient
/// of the square (docs/methods/model-choice.md: of surfaces of machines, intervals with it hold the truth).
std::vector<UnseenBend> findUnseenBends(const Fit& fit);

/// Variance of a single run about the model in the average block, on the model's scale.
double varianceOfNewRun(const Fit& fit);

/// How far the mean of new runs is from what the model predicts.
struct NewRunError {
    double variance = 0.0; ///< model's scale
    double df = 0.0;

    /// Of the interval with this confidence, model's scale.
    double halfWidth(double confidence) const;
};

/// Of `runs` m new runs in the average block: σ²(1/m + h), `leverage` h of the model of the error
/// (PredictionError::varianceFactorAt).
NewRunError computeAverageBlockError(const Fit& fit, double leverage, int runs);

/// A solved regression: what every table of a fit is computed from. The columns of `x` are the intercept, the
/// sum-to-zero contrasts of the blocks, then the columns of the terms; aliased ones are gone. Where the
/// blocks are random there are no contrasts, and the rows of `x`, `z` and of the solution are those that
/// decorrelated() makes: everything that is computed of them is generalized least squares.
struct Regression {
    std::vector<study::Factor> factors;
    std::vector<Term> terms;     ///< intercept first
    std::vector<Column> columns; ///< of the terms, intercept first, blocks not among them
    std::vector<std::string> aliased;
    std::vector<int> blocks; ///< ids of the blocks, empty with a single one
    Eigen::MatrixXd x;
    Eigen::VectorXd z;
    LeastSquares solution;
    double sst = 0.0, sse = 0.0; ///< exactly 0 where only rounding is left
    double sstInBlocks = 0.0;    ///< Σ (z − mean of its block)²: what the terms can explain
    int n = 0, parameters = 0, df = 0;
    std::vector<bool> isBetween; ///< random blocks, per column of x: the same in all runs of every block
    int betweenDf = 0;           ///< random blocks: how many there are beyond the columns between them

    bool hasRandomBlocks() const { return betweenDf > 0; }
    /// Degrees of freedom of a test of these columns of x: of columns between random blocks those that the
    /// blocks leave, of others those of the runs within them (containment).
    int errorDf(const std::vector<Eigen::Index>& positions) const;

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
    Estimability estimability;
};

/// Solves for the terms; never throws. `data` has at least one run.
Regression solveRegression(const Observations& data, const std::vector<study::Factor>& factors,
                           const std::vector<Term>& terms);

/// How many runs are missing to estimate all of these terms, asked where as many coefficients were estimated
/// as there are runs: 0 when none were lost, or when what the runs cannot tell apart is the structure of a
/// complete fraction (terms equal to one another) and not a lack of runs.
int missingRuns(const Observations& data, const std::vector<study::Factor>& factors,
                const std::vector<Term>& terms);

/// Σ (z − mean of its block)², 0 where only rounding is left.
double totalInBlocks(const Observations& data);

/// Positions in x of `columns`.
std::vector<Eigen::Index> positionsOf(const Regression& regression);

/// Positions in x of the columns of a term.
std::vector<Eigen::Index> positionsOf(const Regression& regression, const Term& term);

/// Ids of the blocks whose effects are fixed, ascending; empty with a single one.
std::vector<int> blocksOf(const Observations& data);

/// Columns that the blocks have in a design matrix.
double countBlockColumns(const Observations& data);

/// Values of the runs; where blocks are random less a part of the mean of their block, the one that leaves
/// them uncorrelated and with the variance σ².
Eigen::MatrixXd decorrelated(const Observations& data, Eigen::MatrixXd values);

/// Positions of the runs of each block, blocks ascending.
std::vector<std::vector<Eigen::Index>> runsByBlock(const Observations& data);

/// Ids of the blocks, ascending, fixed or random; empty with a single one.
std::vector<int> allBlocksOf(const Observations& data);

/// Intercept, sum-to-zero contrasts of the blocks, then the columns of the terms (the intercept first among
/// them), decorrelated.
Eigen::MatrixXd designMatrix(const Observations& data, const std::vector<int>& blocks,
                             const std::vector<Column>& columns, const std::vector<study::Factor>& factors);

/// A sum of squares, 0 where values of size `magnitude` leave no more than that by rounding.
double withoutRounding(double sumOfSquares, double magnitude, Eigen::Index count);

/// Sum of squares below which values of size `magnitude` differ by rounding only.
double roundingSumOfSquares(double magnitude, Eigen::Index count);

/// What is observed minus what a model says that was fitted without the run's fold: e₍F₎ = (I − H_FF)⁻¹ e_F,
/// exactly what fitting anew without the fold gives. `foldOf` numbers the folds from 0. Empty where a fold
/// alone decides a coefficient.
std::optional<Eigen::VectorXd> deletedResiduals(const Regression& regression, const std::vector<int>& foldOf);

} // namespace quadric::model
