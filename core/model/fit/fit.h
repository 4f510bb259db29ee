// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"
#include "core/study/study.h"

#include <array>
#include <memory>
#include <optional>

namespace quadric::model {

enum class FitStatus { Ok, NoData, TooFewRuns, TooLarge, BadTransform, BadModel };

struct FitOptions {
    std::string model = "quadratic";                ///< as parseModel() reads it, or "auto"
    std::optional<study::Transform> transform = {}; ///< default: the response's own
    double confidence = 0.95;
};

/// One estimated coefficient, in coded units; of a categorical factor or of blocks every level is listed, the
/// last one being minus the sum of the others. Without residual degrees of freedom se, t, p, low and high are
/// empty; where the model leaves nothing for error, t and p are.
struct Coefficient {
    std::string term;
    double estimate = 0.0;
    std::optional<double> se, t, p, low, high;
    std::optional<double> vif; ///< empty for the intercept and for last levels
};

/// A coefficient of the same polynomial in actual units (log2 factors: in log2 of the actual value).
struct ActualCoefficient {
    std::string term;
    double estimate = 0.0;
};

/// A row of an analysis of variance. Undefined values are empty, never NaN or infinite.
struct AnovaRow {
    std::string source;
    int df = 0;
    double ss = 0.0;
    std::optional<double> ms, f, p;
    std::optional<double> contribution; ///< term rows: percent of all partial SS and the residual SS
};

/// Effect of a term: twice the coefficient, which is mean(high) − mean(low), for a categorical factor with
/// two levels mean(second) − mean(first); with more levels the range of the level means. `standardized` is
/// |t| (more levels: the |t| that has the p of the term's F); without residual degrees of freedom the ratio
/// of the effect, its term orthogonalized, to Lenth's pseudo standard error, empty where there is none.
struct Effect {
    std::string term;
    double effect = 0.0;
    std::optional<double> standardized, p;
};

/// The line of the Pareto chart. "t": quantile for |t| with Bonferroni's beside it; "lenth": margin of error
/// in the unit of the effects.
struct EffectLimit {
    std::string method; ///< "t", "lenth" or empty
    double value = 0.0;
    std::optional<double> bonferroni, sme, pse;
};

/// One run as the model sees it. Studentized residuals are empty where leverage is 1 or nothing is left for
/// error.
struct Diagnostic {
    int run = 0; ///< id of the run
    double observed = 0.0, fitted = 0.0, residual = 0.0, leverage = 0.0;
    std::optional<double> internallyStudentized, externallyStudentized, cooksDistance;
    std::optional<double> dffits; ///< change of the fitted value when the run is left out, in its own errors
    int order = 0;                ///< place in the order of execution
    int block = 1;
};

/// What the residuals say about the assumptions of the fit. Empty where there is too little to judge from:
/// no residual left, a run order that is not known or (drift) that the terms explain.
struct ResidualChecks {
    std::optional<double> durbinWatson; ///< Σ(eᵢ − eᵢ₋₁)²/Σeᵢ² in run order: near 2 without drift
    std::optional<double> durbinWatsonP; ///< two-sided, Beta distribution with the exact mean and variance
    std::optional<double> driftSlope;    ///< change per run, all terms in the model, on the model's scale
    std::optional<double> driftT, driftP;
    std::optional<double> shapiroWilk, normalityP; ///< W of the residuals (Royston 1995), 3 to 5000 runs
};

/// Share of the fitted response's variance over the region that a factor explains alone and with its
/// interactions (Sobol).
struct Importance {
    std::string factor;
    double main = 0.0, total = 0.0;
};

/// Best prediction over all settings that can be run; response's own unit.
struct OwnBest {
    study::Goal goal = study::Goal::Maximize; ///< the sense in which it is the best
    double value = 0.0;
};

/// How much blocks differ, taken as drawn at random (block_variance.h); variances on the model's scale.
/// The coefficients of a fit are those of fixed blocks all the same, unless a factor is constant within each
/// block: then they are those of generalized least squares with this variance.
struct BlockVariance {
    int blocks = 0;
    int df = 0;         ///< random in the fit: degrees of freedom that its terms leave of the blocks; else 0
    double ratio = 0.0; ///< between/σ²
    double between = 0.0; ///< σ_b², REML; 0 where blocks differ by no more than runs do
    /// Sampling variances of `between` and of σ² and their covariance, at twice the estimate of `between`:
    /// one that is small by chance would claim too many degrees of freedom.
    double ofBetween = 0.0, ofResidual = 0.0, covariance = 0.0;
    /// That vary between blocks only. With fixed blocks their effects are part of `between`.
    std::vector<std::string> terms;
    bool isRandom() const { return df > 0; }
};

/// A bend along one factor that the runs cannot show: where all of them are at three settings, a part of the
/// third order is told apart from the straight line by none of them. Its deviation at the coded place x is
/// `deviation` · (x − l₁)(x − l₂)(x − l₃), on the model's scale.
struct UnseenBend {
    std::size_t factor = 0;
    std::array<double, 3> levels{}; ///< coded
    double deviation = 0.0;
};

struct FitData;

/// A fitted model of one response and everything that is computed of it. Values of the model are on the
/// transformed scale unless said otherwise.
struct Fit {
    FitStatus status = FitStatus::NoData;
    std::string message; ///< what is missing, when status is not Ok
    std::string response;
    std::string unit;
    std::string model; ///< the model asked for; with "auto" the one chosen, "quadratic" or a formula
    study::Transform transform;
    std::optional<study::Bounds> bounds; ///< that no prediction leaves (study::physicalBounds())
    std::vector<study::Factor> factors;
    std::vector<std::vector<bool>> seenLevels; ///< per factor: which categories the runs have; numeric: empty
    std::vector<Term> terms;                   ///< terms in the model, aliased ones left out
    std::vector<Column> columns; ///< their columns, in the order of `beta`; block columns are not among them
    std::vector<std::string> aliased;
    Eigen::VectorXd beta;                      ///< coefficients of `columns`, coded units
    Eigen::MatrixXd unscaledCovariance;        ///< (X'X)⁻¹ of `columns` (blocks taken into account)
    int n = 0, parameters = 0, dfResidual = 0; ///< `parameters` counts the block columns too
    double sigma = 0.0; ///< residual standard deviation, 0 without residual degrees of freedom
    double confidence = 0.95;
    std::optional<double> r2, r2Adjusted, r2Predicted, press, adequatePrecision, aicc;
    double maxLeverage = 0.0; ///< of predictions at the settings of the runs, in the average block
    std::vector<Coefficient> coefficients;
    std::vector<ActualCoefficient> actualCoefficients;
    std::vector<AnovaRow> anova;          ///< sequential groups
    std::vector<AnovaRow> termRows;       ///< partial, one per term
    std::vector<AnovaRow> sequentialRows; ///< one per term: given the blocks and the terms before it
    std::vector<Effect> effects;
    EffectLimit effectLimit;
    std::vector<Importance> importance;
    std::vector<Diagnostic> diagnostics;
    ResidualChecks residualChecks;
    std::optional<BlockVariance> blockVariance; ///< empty with a single block or without residual df
    std::vector<UnseenBend> unseenBends;        ///< of a model that was chosen
    std::string choice; ///< which model was chosen and why, in words; empty when the model was given
    std::vector<std::pair<double, double>>
        reach;                ///< per factor: smallest and largest coded setting of the runs
    bool isSimulated = false; ///< at least one result is simulated
    std::shared_ptr<const FitData>
        data; ///< what all of this was computed from (regression.h); null unless Ok
    double smallestObserved = 0.0, largestObserved = 0.0; ///< response's own unit
    std::optional<OwnBest> ownBest; ///< where it was searched for (optimize::findOwnBests())

    bool isOk() const { return status == FitStatus::Ok; }
};

/// Fits the response to all runs that are done, design and others alike, coded on their actual settings.
Fit fitResponse(const study::Study& study, std::string_view response, const FitOptions& options = {});

/// Fits every response with the study's own choice of model and transform; without a choice the quadratic
/// model. Where the runs are too few for it, chosen or not, the one of "auto", and Fit::choice says so.
/// Responses without a usable fit are in the list with their status.
std::vector<Fit> fitStudy(const study::Study& study, double confidence = 0.95);

/// The row of the analysis of variance with this source ("Model", "Lack of fit", …); null where there is
/// none.
const AnovaRow* rowOf(const Fit& fit, std::string_view source);

/// Values of a transform and of its inverse. Empty where the transform is not defined (logarithm of 0, …).
std::optional<double> applyTransform(const study::Transform& transform, double y);
double invertTransform(const study::Transform& transform, double z);

} // namespace quadric::model
