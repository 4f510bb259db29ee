// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/dominated_region.h"
#include "core/optimize/next/process_goals.h"

#include <limits>

namespace quadric::optimize {

/// What one more run may gain beside settings that are sure to run.
class RunGain {
public:
    virtual ~RunGain() = default;

    /// log of the expected gain of a run at a coded point; `isKnown`: that setting is among those sure to
    /// run.
    virtual double logAt(const Eigen::VectorXd& x, bool isKnown) const = 0;
    /// A gain as people read it, mostly a share.
    virtual double readable(double gain) const = 0;
};

/// Of worth over the best predicted worth (ProcessGoals::worthAt()).
class CompromiseGain : public RunGain {
public:
    /// `goals` stays alive as long as the gain.
    CompromiseGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known);
    double logAt(const Eigen::VectorXd& x, bool isKnown) const override;
    double readable(double gain) const override;

private:
    const ProcessGoals& m_goals;
    double m_best = -std::numeric_limits<double>::infinity();
    double m_second = -std::numeric_limits<double>::infinity(); ///< of all settings but the best one
    Eigen::VectorXd m_at;                                       ///< of the best
};

/// Of the volume that the predicted qualities dominate (ProcessGoals::qualitiesAt()): the trade-off front
/// advances, whatever the weights are. As a share of the volume.
class FrontGain : public RunGain {
public:
    /// `goals` stays alive as long as the gain; it has at most DominatedRegion::kMostQualities responses.
    FrontGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known);
    double logAt(const Eigen::VectorXd& x, bool isKnown) const override;
    double readable(double gain) const override;

private:
    const ProcessGoals& m_goals;
    DominatedRegion m_region;
};

} // namespace quadric::optimize
