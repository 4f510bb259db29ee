// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design_space.h"
#include "core/model/base/term.h"
#include "core/study/study.h"

namespace quadric::design {

/// The columns of a model at many coded points at once.
class ColumnTable {
public:
    ColumnTable(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors);

    Eigen::Index columns() const { return static_cast<Eigen::Index>(m_products.size()); }

    /// points × columns for points × factors (coded; index of the level for categorical factors).
    Eigen::MatrixXd at(const Eigen::Ref<const Eigen::MatrixXd>& points) const;

private:
    /// A power of a numeric factor, or a sum-to-zero contrast of a categorical one.
    struct Part {
        Eigen::Index factor = 0;
        int power = 1;
        int contrast = -1;
        int lastLevel = 0;
    };
    void multiply(const Part& part, const Eigen::Ref<const Eigen::MatrixXd>& points,
                  Eigen::Ref<Eigen::ArrayXd> column) const;

    std::vector<std::vector<Part>> m_products;
};

/// x'Cx at many points at once: the variance of a prediction in units of σ², `covariance` C of the
/// coefficients.
class PredictionVariance {
public:
    PredictionVariance(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors,
                       const Eigen::MatrixXd& covariance);

    /// One value for each row of points × factors.
    Eigen::VectorXd at(const Eigen::Ref<const Eigen::MatrixXd>& points) const;

private:
    /// An entry on or above the diagonal that is not zero; those above count twice.
    struct Entry {
        Eigen::Index row = 0, column = 0;
        double weight = 0.0;
    };
    Eigen::ArrayXd sparse(const Eigen::MatrixXd& rows) const;
    Eigen::ArrayXd dense(const Eigen::MatrixXd& rows) const;

    ColumnTable m_table;
    Eigen::MatrixXd m_covariance;
    std::vector<Entry> m_entries; ///< empty where most of the covariance is not zero
};

/// What the runs of a study say about a model, before anything is measured. Coded units, actual settings.
struct Information {
    std::vector<study::Factor> factors;
    std::vector<const study::Run*> runs; ///< those that count: not failed, not excluded
    std::vector<study::CodedPoint> points;
    std::vector<model::Column> columns; ///< that can be estimated
    std::vector<model::Column> leftOut; ///< that the runs cannot tell from those before them
    Eigen::MatrixXd x;                  ///< runs × columns
    Eigen::MatrixXd blocks;             ///< runs × (blocks − 1), sum-to-zero
    Eigen::MatrixXd covariance; ///< of the coefficients of `columns` in units of σ², blocks in the model
    Eigen::VectorXd leverage;   ///< of the runs, blocks in the model

    Eigen::Index n() const { return x.rows(); }
    Eigen::Index p() const { return x.cols(); }
    int dfResidual() const { return static_cast<int>(x.rows() - x.cols() - blocks.cols()); }
};

/// The highest order that the runs of the study can be judged for without excess (model/model_size.h).
model::Order largestFittableOrder(const study::Study& study);

/// Throws DesignError when no run counts, a setting cannot be coded, the model is too large, or nothing
/// beyond a mean can be estimated.
Information computeInformation(const study::Study& study, std::string_view model);

/// 100 |X'X|^(1/p) / n in percent, with X'X the information on the model after the blocks.
double computeDEfficiency(const Information& information);

/// Runs that repeat the settings of an earlier run of their block.
int pureErrorDf(const Information& information);

/// Matrix of the averages of the products of every two columns over the cube −1…+1 (categorical factors: over
/// their levels), in closed form.
Eigen::MatrixXd momentMatrix(const std::vector<model::Column>& columns,
                             const std::vector<study::Factor>& factors);

/// Variances of predictions, in units of σ², over the region: the cube, or what constraints leave of it.
struct RegionVariance {
    double average = 0.0; ///< closed form for the cube, else the mean over the points of the space
    double largest = 0.0; ///< over the runs, the points of the space and a grid of the cube, the best of
                          ///< which climb factor by factor
    std::vector<FdsPoint> curve; ///< 101 points; empty where the space has none
};
RegionVariance regionVariance(const Information& information, const DesignSpace& space);

/// Chance to find each term's effect at the 5 % level when it is `effectSd` residual standard deviations
/// large. Effect: change of the response through this term over the cube, from −1 to +1 for linear terms and
/// interactions (coefficient effect/2), from 0 to 1 for squares (coefficient effect); categorical factors:
/// between the two levels for which the chance is smallest. Noncentral F. Empty without residual degrees of
/// freedom.
std::vector<PowerRow> powerOf(const Information& information, double effectSd);

/// What was published for the study's type of design beside run count, balance and orthogonality:
/// rotatability, middle levels, strata.
std::vector<Check> publishedChecks(const study::Study& study, const Information& information);

/// The check list that the user sees.
std::vector<Check> runDesignChecks(const study::Study& study, const Information& information);

/// What a design is judged for when nobody says otherwise: the model that an optimal design was made for;
/// else the largest of "quadratic", "interactions" and "linear" of which the runs tell all terms apart with
/// an error left, without an error where none leaves one, and "linear" where they tell none apart. Throws
/// DesignError as evaluate() does.
std::string largestModel(const study::Study& study);

} // namespace quadric::design
