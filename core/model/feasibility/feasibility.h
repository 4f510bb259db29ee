// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "core/study/study.h"

#include <algorithm>
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
    bool isAt(std::size_t outcome, const Eigen::VectorXd& x) const;                     ///< x is its setting
    int countRun() const { return static_cast<int>(std::ranges::count(hasRun, true)); } ///< settings
    int countFailed() const { return static_cast<int>(size()) - countRun(); }
};

/// The coded settings; empty where they have none, as those of a factor that was changed since.
std::optional<Eigen::VectorXd> findPlace(const study::Coding& coding, const study::Settings& settings);

/// Probability that a run at a setting gives a result, with its 95 % interval.
struct RunProbability {
    double probability = 1.0, low = 1.0, high = 1.0;
};

enum class FeasibilityMethod {
    Logistic, ///< Firth's logistic regression
    Memory,   ///< predicted peak memory against a limit
};
/// "logistic", "memory".
std::string_view nameOf(FeasibilityMethod method);

/// Which settings give a result, learned from the runs of a study that failed for a reason that repeats and
/// from those that worked: from the memory that runs tell where out of memory is how they fail, otherwise
/// from the outcomes alone.
class Feasibility {
public:
    /// Throws std::invalid_argument for factors that are not sound.
    explicit Feasibility(const study::Study& study);

    /// At least one run failed for a reason that repeats; otherwise every setting has probability 1.
    bool hasFailures() const { return m_outcomes.countFailed() > 0; }
    const RunOutcomes& outcomes() const { return m_outcomes; }

    FeasibilityMethod method() const { return m_method; }

    /// At a coded point. A setting that failed and never ran has probability 0.
    RunProbability at(const Eigen::VectorXd& x) const;
    double probabilityAt(const Eigen::VectorXd& x) const { return at(x).probability; }

    /// The same by the model alone, whatever runs at this very setting gave.
    double modeledAt(const Eigen::VectorXd& x) const { return m_model ? m_model(x).probability : 1.0; }

    /// Every run at this setting failed for a reason that repeats.
    bool isKnownToFail(const Eigen::VectorXd& x) const
    {
        return findOutcome(x, false) && !findOutcome(x, true);
    }
    /// A run at this setting gave a result.
    bool isKnownToRun(const Eigen::VectorXd& x) const { return findOutcome(x, true).has_value(); }
    /// Ids of the runs at this setting that failed for a reason that repeats.
    std::vector<int> failedRunsAt(const Eigen::VectorXd& x) const;

private:
    /// Where the outcome at this setting stands; empty: no run ended so there.
    std::optional<std::size_t> findOutcome(const Eigen::VectorXd& x, bool hasRun) const;

    RunOutcomes m_outcomes;
    FeasibilityMethod m_method = FeasibilityMethod::Logistic;
    std::function<RunProbability(const Eigen::VectorXd&)> m_model;
};

/// The study's Feasibility; computed once for runs and factors that stay as they are. Null where the factors
/// are not sound or no run failed for a reason that repeats.
std::shared_ptr<const Feasibility> feasibilityOf(const study::Study& study);

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
