// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>

namespace quadric::design {

/// Why a design cannot be made: names the design, the number of factors or the factor, and what was expected.
class DesignError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A search for a design was stopped from outside before it had one.
class Stopped : public DesignError {
public:
    Stopped()
        : DesignError("stopped before a design was found")
    {
    }
};

/// How a search for an optimal design ended.
struct SearchReport {
    int starts = 0; ///< searches from different random designs that ended in a design
    int best = 0;   ///< of them that came to within 0.1 % of the best
    bool isStopped = false;
    int digits = 0;            ///< that the levels of continuous factors were rounded to; 0: not rounded
    double roundingLoss = 0.0; ///< share of the efficiency that the rounding cost; negative: gained
    std::string criterion;     ///< whose efficiency: "D" or "I"
};

/// Who follows a search, and what it is told.
struct Progress {
    std::function<void(double)> done = {};               ///< how much of the work, 0 … 1
    std::function<void(const SearchReport&)> found = {}; ///< once, at the end
};

/// A point of a design in coded units, before replication and ordering.
struct DesignPoint {
    study::CodedPoint point;
    study::RunKind kind = study::RunKind::Design;
    int block = 1;
};

/// Box & Behnken 1960 for 3 to 7, 9 to 12 and 16 factors: all sign combinations on their incomplete blocks
/// (11 factors: half of them), the others at 0, without center runs. One row per point, entries −1, 0, +1.
/// Throws DesignError for other numbers of factors.
Eigen::MatrixXd boxBehnken(int factors);

/// The study with the runs of its design specification laid out (type, center runs, replicates, blocks,
/// seed): standard order as id, random run order inside blocks, center runs spread through the order with
/// first and last among them. Runs that have results are never thrown away: throws DesignError when the study
/// has any run that is not pending, unless `replaceRuns`. Types that search (optimal designs) tell `progress`
/// how far they are; when `stop` asks them to, they end with the best design so far, and throw Stopped where
/// there is none yet.
study::Study layOut(study::Study study, bool replaceRuns = false, const std::stop_token& stop = {},
                    const Progress& progress = {});

/// The points of the study's design with replicates and center runs, in the order of the ids that layOut()
/// gives them, before any of them is taken to settings that can be run. Throws DesignError and Stopped.
std::vector<DesignPoint> designPoints(const study::Study& study, const std::stop_token& stop = {},
                                      const Progress& progress = {});

/// Names of the design types that layOut() knows.
std::vector<std::string> designTypes();

/// Center runs that this type usually has for the study's factors: the published number for Box–Behnken
/// designs, as many as make a central composite design's prediction error even, either raised to what the
/// combinations of the categories share evenly where that does not double it, one for definitive screening
/// (two with factors of two levels), none for factorials, Plackett–Burman designs, hypercubes and optimal
/// designs.
int usualCenterRuns(const study::Study& study, std::string_view type);

/// Runs that layOut() would make, or 0 where the design does not exist for the study.
int runCount(const study::Study& study);

/// Name of the check that every setting satisfies levels and constraints.
inline constexpr std::string_view kLegalSettingsCheck = "Every setting can be run";

struct Check {
    std::string name;
    bool ok = false;
    std::string detail;
};

/// Runs with a setting beyond the range of a factor. The axial runs of a design are there on purpose.
struct OutsideRange {
    study::Factor factor;
    std::vector<int> runs; ///< ids
};
std::vector<OutsideRange> findOutsideRange(const study::Study& study);

struct PowerRow {
    std::string term;
    double effectSd = 2.0; ///< size of the effect in residual standard deviations
    double power = 0.0;
};

/// A point of the fraction-of-design-space curve: over this share of the region a prediction has at most this
/// standard error, in residual standard deviations.
struct FdsPoint {
    double fraction = 0.0;
    double se = 0.0;
};

/// Numbers with a name for every row and every column.
struct NamedMatrix {
    std::vector<std::string> rows, columns;
    Eigen::MatrixXd values; ///< rows × columns
};

struct LeverageRow {
    int run = 0; ///< id
    double leverage = 0.0;
};

/// What evaluate() is asked.
struct EvaluateOptions {
    double effectSd = 2.0;          ///< size of the effects for the power, in residual standard deviations
    int designSpacePoints = 100000; ///< random points of the region for the design-space curve
    std::uint64_t designSpaceSeed = 1;
};

/// What it cost to move the points of a design to settings that can be run.
struct LegalReport {
    std::string model;                       ///< that the efficiencies are for
    int runs = 0;                            ///< of the design
    std::vector<int> roundedRuns;            ///< ids: taken to the nearest legal value of a factor
    std::vector<int> repairedRuns;           ///< ids: moved further, by a constraint or by hand
    std::vector<int> editedRuns;             ///< those of them that were changed by hand
    std::vector<std::vector<int>> equalRuns; ///< ids: different points of the design, now equal
    double largestShift = 0.0;               ///< of one factor in one run, coded units
    int largestShiftRun = 0;                 ///< id of that run
    double dEfficiencyBefore = 0.0;          ///< percent, at the points of the design
    double dEfficiencyAfter = 0.0;           ///< percent, as it will be run; 0 where terms are lost
    double worstCorrelationBefore = 0.0, worstCorrelationAfter = 0.0; ///< of two terms of the model
    std::vector<std::string> lostTerms; ///< that the points could estimate and the runs cannot

    bool isMoved() const { return !roundedRuns.empty() || !repairedRuns.empty(); }
};

/// Holds the runs of a study against the points of its design. Empty where nobody knows the points: imported
/// runs, runs that are no longer those of the design, optimal designs (which are legal from the start).
std::optional<LegalReport> legalReport(const study::Study& study, std::string_view model = "quadratic");

/// How good the runs of a study are for a model, before anything is measured.
struct Evaluation {
    int runs = 0;
    std::string model;
    int dfModel = 0, dfBlocks = 0, dfLackOfFit = 0, dfPureError = 0;
    double dEfficiency = 0.0, aEfficiency = 0.0, gEfficiency = 0.0; ///< percent, coded −1…+1
    double iValue = 0.0; ///< average prediction variance over the region, in units of σ²
    double condition = 0.0;
    double maxLeverage = 0.0;
    std::vector<std::pair<std::string, double>> vif;
    std::vector<LeverageRow> leverage; ///< of every run that counts, in the order of the ids
    std::vector<PowerRow> power;
    std::string region;        ///< a sentence: where G, I and the design-space curve look for predictions
    double regionShare = 1.0;  ///< share of the cube that the constraints leave
    std::vector<FdsPoint> fds; ///< ascending, fractions 0 to 1; empty where no point of the region is legal
    NamedMatrix correlation; ///< correlations −1…1 of the columns of the runs, block columns not counted
    NamedMatrix
        aliasMatrix; ///< what a left-out term (column) adds to a coefficient (row) for each unit of it
    std::vector<std::vector<std::string>> aliases; ///< terms that the runs cannot tell from one another
    std::vector<std::string> definingRelation;     ///< regular two-level fractions only
    std::optional<int> resolution;                 ///< regular two-level fractions only
    std::optional<LegalReport> legal;              ///< see legalReport()
    std::vector<Check> checks;
    std::vector<OutsideRange> outside;
    std::vector<int> runsLeftOut;          ///< ids of failed and excluded runs
    std::vector<std::string> termsLeftOut; ///< of the model: not distinguishable from other terms
};

/// Throws DesignError when the study has no runs or the model cannot be fitted to them at all.
Evaluation evaluate(const study::Study& study, std::string_view model = "quadratic",
                    const EvaluateOptions& options = {});

/// What kind of number judges a design; it decides how the number reads.
enum class DesignNumber {
    Count,
    Plain,         ///< condition number, leverage, correlation
    Efficiency,    ///< percent
    StandardError, ///< residual standard deviations
    Variance,      ///< residual variances
    Power          ///< 0 … 1
};

/// One number of several designs side by side.
struct ComparisonRow {
    std::string key;  ///< "D efficiency": its name in JSON
    std::string name; ///< "D-efficiency"
    std::string unit; ///< "%", "σ²", "runs", …; empty for plain numbers
    DesignNumber kind = DesignNumber::Plain;
    std::vector<std::optional<double>> values = {}; ///< one for each design
    /// The best of them; none where all are equal or it is no matter of better. Efficiencies and errors of
    /// designs that cannot estimate as many coefficients as another do not count.
    std::vector<bool> isBest = {};
};

/// Runs, degrees of freedom, efficiencies, prediction error over half, 90 % and all of the region, largest
/// correlation, and the power of every term that any of the designs has, in this order.
std::vector<ComparisonRow> compare(const std::vector<const Evaluation*>& designs);

} // namespace quadric::design
