// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/search/search_space.h"

#include <memory>
#include <optional>

namespace quadric::optimize {

/// What a setting is worth, as the models predict it and as often as the results might have come out
/// otherwise: coefficients drawn from their normal distribution, and each draw divided by its own estimate of
/// the error. Of one response to maximize or minimize that is its prediction on the model's scale, larger
/// better; of several, or with a target, the overall desirability. Errors of responses with equal terms are
/// correlated as their residuals are, other ones independent.
class MeritDraws {
public:
    /// The fits of `goals` stay alive as long as the draws; each of them has residual degrees of freedom.
    MeritDraws(const Goals& goals, int draws, std::uint64_t seed);

    struct Values {
        double predicted = 0.0;
        std::vector<double> drawn;       ///< with the error that the fits estimate
        std::vector<double> studentized; ///< with the error that each draw would estimate
    };
    Values at(const Eigen::VectorXd& coded) const;
    double predictedAt(const Eigen::VectorXd& coded) const;

private:
    struct Member {
        const model::Fit* fit = nullptr;
        Eigen::MatrixXd deviations;  ///< coefficients × draws
        std::vector<double> inflate; ///< per draw: estimated error over the one that the draw estimates
    };

    void correlate(std::vector<Eigen::MatrixXd>& normals) const;
    double worth(const std::vector<double>& z) const;

    std::vector<Member> m_members;
    std::vector<Desirability> m_wanted; ///< of the members
    double m_sign = 0.0;                ///< of one response's own scale; 0: overall desirability
    int m_draws = 0;
};

/// Judges whether a setting may be the best one, against rival settings: none of them may be better by more
/// than the largest difference that chance makes in 5 % (see OptimumRegion).
class RegionTest {
public:
    /// Each response with a goal has residual degrees of freedom.
    RegionTest(const study::Study& study, const std::vector<model::Fit>& fits,
               const OptimizeOptions& options);

    const SearchSpace& space() const { return m_space; }

    /// Coded settings, each legal.
    void setRivals(const std::vector<Eigen::VectorXd>& rivals);

    bool contains(const Eigen::VectorXd& x) const;

    /// The best setting with one factor held at a coded value; empty where none can be run.
    std::optional<Eigen::VectorXd> findBestWith(Eigen::Index axis, double coded,
                                                const Eigen::VectorXd& from) const;

private:
    study::Study m_study;
    std::vector<model::Fit> m_fits;
    OptimizeOptions m_options;
    Goals m_goals;
    SearchSpace m_space;
    MeritDraws m_draws;
    std::vector<MeritDraws::Values> m_rivals;
};

/// The values of one factor at which a setting may be the best.
struct FactorRange {
    std::string factor;
    double low = 0.0, high = 0.0;    ///< numeric: actual values
    std::vector<std::string> levels; ///< categorical: those levels
    bool isWhole = false;            ///< every value that the search may choose
};

/// The settings that cannot be told from the best one: a confidence region of the place of the optimum over
/// the settings that can be run (after Peterson, Cahya & del Castillo 2002). A setting belongs to it unless
/// some other setting is significantly better: the largest difference of predicted worth over its standard
/// error, over a sample of rival settings, exceeds what it exceeds by chance in 5 %, simulated for that
/// setting. Terms and limits are taken as given.
class OptimumRegion {
public:
    OptimumRegion() = default;

    double confidence() const { return 0.95; }
    /// What is missing where there is no region.
    const std::string& message() const { return m_message; }
    bool isEmpty() const { return m_test == nullptr; }
    const std::vector<FactorRange>& factors() const { return m_factors; }
    /// Part of the settings that can be run.
    double share() const { return m_share; }
    /// Whether a setting belongs to it; false for one that cannot be coded or run, or without a region.
    bool contains(const study::Settings& settings) const;

private:
    friend OptimumRegion findOptimumRegion(const study::Study&, const std::vector<model::Fit>&,
                                           const Optimum&, const OptimizeOptions&);
    std::shared_ptr<const RegionTest> m_test;
    std::vector<FactorRange> m_factors;
    double m_share = 0.0;
    std::string m_message;
};

/// A job of some tens of milliseconds. `best` comes from findOptimum() with the same options. Never throws.
OptimumRegion findOptimumRegion(const study::Study& study, const std::vector<model::Fit>& fits,
                                const Optimum& best, const OptimizeOptions& options = {});

} // namespace quadric::optimize
