// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/merit/desirability.h"

#include <Eigen/Core>

#include <limits>
#include <vector>

namespace quadric::optimize {

/// The responses of a study that have a goal, a weight and a usable Gaussian process, and what settings are
/// worth by them. Of one response to be maximized or minimized that is its value on the scale of the model,
/// larger is better; otherwise the overall desirability, which goes on rising beyond ends that nobody has
/// set.
class ProcessGoals {
public:
    ProcessGoals(const study::Study& study, const std::vector<model::Process>& processes);

    bool isEmpty() const { return m_parts.empty(); }
    /// Responses with a goal and a weight but without a usable process, in words.
    const std::string& leftOut() const { return m_leftOut; }
    std::size_t count() const { return m_parts.size(); }
    const model::Process& process(std::size_t i) const { return m_parts[i].process; }
    const Desirability& desirability(std::size_t i) const { return m_desirabilities[i]; }
    bool isOneValue() const { return m_parts.size() == 1 && m_parts.front().sign != 0.0; }

    /// Of the predicted means.
    double worthAt(const Eigen::VectorXd& x) const;

    /// log of the expected gain of worth over `best` where a run reveals the true values at x
    /// (Jones, Schonlau & Welch 1998; in logarithms: Ament et al. 2023).
    double logExpectedGain(const Eigen::VectorXd& x, double best) const;

    /// The same at a setting where runs gave results, `best` the best of all others: what one more run there
    /// is expected to make the choice between them better by (knowledge gradient: Frazier, Powell & Dayanik
    /// 2009). A setting that is best anyway gains nothing by being run again.
    double logRepeatGain(const Eigen::VectorXd& x, double best) const;

    /// A gain of worth as people read it: of one value its share of the value itself; otherwise as it is.
    double readableGain(double best, double gain) const;

    /// A run at x counts as done with what is predicted as its result.
    void addRun(const Eigen::VectorXd& x);

private:
    struct Part {
        model::Process process;
        /// Of one value: 1 where larger values on the model's scale are better, −1; else 0.
        double sign = 0.0;
    };
    template <class Values> double overallOf(const Values& values) const;

    std::vector<Part> m_parts;
    std::vector<Desirability> m_desirabilities; ///< of the parts
    std::string m_leftOut;
    Eigen::MatrixXd m_draws; ///< samples × responses, standard normal
};

/// What one more run may gain over the best predicted worth of settings that are sure to run.
class RunGain {
public:
    /// `goals` stays alive as long as the gain.
    RunGain(const ProcessGoals& goals, const std::vector<Eigen::VectorXd>& known);

    /// log of the expected gain of a run at a coded point; `isKnown`: that setting is among those sure to
    /// run.
    double logAt(const Eigen::VectorXd& x, bool isKnown) const;

    /// A gain as people read it (ProcessGoals::readableGain()).
    double readable(double gain) const { return m_goals.readableGain(m_best, gain); }

private:
    const ProcessGoals& m_goals;
    double m_best = -std::numeric_limits<double>::infinity();
    double m_second = -std::numeric_limits<double>::infinity(); ///< of all settings but the best one
    Eigen::VectorXd m_at;                                       ///< of the best
};

} // namespace quadric::optimize
