// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/study/study.h"

#include <functional>
#include <memory>
#include <optional>

namespace quadric::model {

/// What became of the runs, setting by setting. A setting that ran and also failed is here twice.
struct RunOutcomes {
    Eigen::MatrixXd points;             ///< a row of coded settings each
    std::vector<bool> hasRun;           ///< false: failed by what was run
    std::vector<std::vector<int>> runs; ///< ids of the runs that say so
    std::map<std::string, int> causes;  ///< of failed runs, by their kind

    std::size_t size() const { return hasRun.size(); }
    int countFailed() const; ///< settings
    int countRun() const;
};

/// The coded settings; empty where they have none, as those of a factor that was changed since.
std::optional<Eigen::VectorXd> findPlace(const study::Coding& coding, const study::Settings& settings);

/// Probability that a run at a setting gives a result, with its 95 % interval.
struct RunProbability {
    double probability = 1.0, low = 1.0, high = 1.0;
};

enum class FeasibilityMethod {
    None,          ///< no run failed for a reason that repeats: nothing to learn from
    Logistic,      ///< Firth's logistic regression in the coded factors
    Process,       ///< Gaussian process seen through the normal distribution: the boundary bends
    Memory,        ///< an unknown limit on the predicted peak memory
    MemoryPerRank, ///< the same of a rank: where the number of GPUs varies, each has its own limit
    MemoryLimit,   ///< predicted peak memory against the limit of the study
    /// An unknown limit on the memory that the worker expected to need, which runs that failed tell as well;
    /// of all ranks, or of one.
    MemoryEstimate,
    MemoryEstimatePerRank,
};
/// "none", "logistic", "process", "memory", "memory-per-rank", "memory-limit", "memory-estimate",
/// "memory-estimate-per-rank".
std::string_view nameOf(FeasibilityMethod method);
/// Whether it is learned from what memory runs need, and not from their outcomes alone.
bool isOfMemory(FeasibilityMethod method);

/// How well a method tells settings that it has not seen: each by all others.
struct FeasibilityScore {
    FeasibilityMethod method = FeasibilityMethod::None;
    double logScore = 0.0; ///< mean log of the probability of what happened, at most 0
    double brier = 0.0;    ///< mean square of probability − outcome
};

/// Which settings give a result, learned from the runs of a study that failed for a reason that repeats and
/// from those that worked. The method is the one with the best log score at settings left out.
class Feasibility {
public:
    /// Throws std::invalid_argument for factors that are not sound.
    explicit Feasibility(const study::Study& study);

    /// At least one run failed for a reason that repeats; otherwise every setting has probability 1.
    bool hasFailures() const { return m_outcomes.countFailed() > 0; }
    const RunOutcomes& outcomes() const { return m_outcomes; }

    FeasibilityMethod method() const
    {
        return m_scores.empty() ? FeasibilityMethod::None : m_scores.front().method;
    }
    /// Of the methods that could be computed, best first.
    const std::vector<FeasibilityScore>& scores() const { return m_scores; }

    /// At a coded point. A setting that failed and never ran has probability 0.
    RunProbability at(const Eigen::VectorXd& x) const;
    /// The same without the interval, sooner.
    double probabilityAt(const Eigen::VectorXd& x) const;

    /// Every run at this setting failed for a reason that repeats.
    bool isKnownToFail(const Eigen::VectorXd& x) const;
    /// A run at this setting gave a result.
    bool isKnownToRun(const Eigen::VectorXd& x) const;
    /// Ids of the runs at this setting that failed for a reason that repeats.
    std::vector<int> failedRunsAt(const Eigen::VectorXd& x) const;

private:
    bool isSeen(const Eigen::VectorXd& x, bool hasRun) const;

    RunOutcomes m_outcomes;
    std::vector<FeasibilityScore> m_scores;
    std::function<RunProbability(const Eigen::VectorXd&)> m_model;
    std::function<double(const Eigen::VectorXd&)> m_probability;
};

/// The study's Feasibility; computed once for runs and factors that stay as they are. Null where the factors
/// are not sound or no run failed for a reason that repeats.
std::shared_ptr<const Feasibility> feasibilityOf(const study::Study& study);

/// Probabilities over two factors, the others as in `at`: row i, column j belongs to x[i], y[j], actual
/// values (categorical: index of the level), as a SurfaceGrid has them.
Eigen::MatrixXd probabilityGrid(const Feasibility& feasibility, const study::Coding& coding,
                                std::size_t xFactor, const std::vector<double>& x, std::size_t yFactor,
                                const std::vector<double>& y, const study::CodedPoint& at);

/// A run that failed for a reason that repeats, on a map of two factors; actual values.
struct FailedPoint {
    int run = 0;
    double x = 0.0, y = 0.0;
    std::string cause; ///< kind of the failure
};

/// A surface, and what failed runs say of it.
struct MarkedSurface : SurfaceGrid {
    MarkedSurface(SurfaceGrid grid = {})
        : SurfaceGrid(std::move(grid))
    {
    }
    study::FeasibleGrid running;     ///< by the probability of giving a result; empty: no run failed
    std::vector<FailedPoint> failed; ///< of this slice
};

/// Settings that give a result with less than this are drawn as failing.
inline constexpr double kEvenChance = 0.5;

/// Probability of giving a result over two different factors, the others as in `at`, its level an even
/// chance. Empty where no run failed for a reason that repeats.
study::FeasibleGrid runningGrid(const study::Study& study, const study::MapAxis& x, const study::MapAxis& y,
                                const study::CodedPoint& at);

/// The same along one factor.
study::FeasibleLine runningLine(const study::Study& study, const study::MapAxis& along,
                                const study::CodedPoint& at);

/// The runs that failed for a reason that repeats at settings of the map: all other factors are where the map
/// holds them.
std::vector<FailedPoint> failedPoints(const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                                      const study::CodedPoint& at);

/// The surface over two factors with what failed runs say of it.
MarkedSurface marked(SurfaceGrid surface, const study::Study& study, std::size_t xFactor, std::size_t yFactor,
                     const study::CodedPoint& at);

} // namespace quadric::model
