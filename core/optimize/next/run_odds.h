// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"

#include <Eigen/Core>

#include <functional>
#include <memory>

namespace quadric::optimize {

/// How likely a run gives a result, and how long it takes: what its gain has to be weighed with.
class RunOdds {
public:
    /// `secondsOf`: of a run that gives a result; empty: all take the same.
    RunOdds(const study::Study& study, std::function<double(const study::Settings&)> secondsOf);

    /// Of giving a result at a coded point. Where follow-ups look, runs are dense: what those nearby gave
    /// corrects the model of all (Feasibility), which bends too little, by a Gaussian process on the
    /// residuals of the outcomes. 0 where a run failed and none gave a result.
    double probabilityAt(const Eigen::VectorXd& x) const;

    /// Expected where the run gives a result; 0: not known.
    double secondsOfResult(const study::Settings& settings) const;

    enum class Caution { None, AsLearned };

    /// What is added to the log of a gain so that the largest sum is the best run: log of P^a over the
    /// expected time, in which a failure takes as long as those there were. Without caution a is 1, which is
    /// right for one run; but the largest of many gains tends to lie where the probability is overestimated,
    /// and each follow-up that has failed shows how much: a is 3 and one more for each of them.
    double logWeight(const study::Settings& settings, double probability, Caution caution) const;

private:
    void learnTimes(const study::Study& study);
    void learnNearby();
    /// To the settings of the outcomes, from 0 to 1.
    Eigen::VectorXd nearnessAt(const Eigen::VectorXd& x) const;

    std::shared_ptr<const model::Feasibility> m_feasibility; ///< null: no run failed
    std::vector<bool> m_isNumeric;                           ///< of the factors
    Eigen::VectorXd m_corrections;                           ///< weights of the outcomes
    std::function<double(const study::Settings&)> m_secondsOf;
    double m_typical = 1.0; ///< seconds of a run with a result; 1: not known
    double m_failed = 1.0;  ///< mean of what failed runs took, of all kinds together
    double m_caution = 3.0;
};

} // namespace quadric::optimize
