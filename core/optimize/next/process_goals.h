// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/merit/desirability.h"

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
    const Desirability& desirability(std::size_t i) const { return m_parts[i].desirability; }
    bool isOneValue() const { return m_parts.size() == 1 && m_parts.front().sign != 0.0; }

    /// Of values on the scale of the models, one for each response.
    double worthOf(const Eigen::ArrayXd& values) const;
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

    /// Desirability of each response by its predicted mean, linear between its ends and without its weight:
    /// what a trade-off front is of. The bad end, where nobody has set it, lies a tenth of the range beyond.
    Eigen::ArrayXd qualitiesAt(const Eigen::VectorXd& x) const;
    /// Columns: what each of them may turn out to be where a run reveals the true values at x; where runs
    /// have shown it already (`isKnown`), what one more run may make the mean of it.
    Eigen::ArrayXXd drawQualities(const Eigen::VectorXd& x, bool isKnown) const;

    /// A run at x counts as done with what is predicted as its result.
    void addRun(const Eigen::VectorXd& x);

private:
    struct Part {
        model::Process process;
        Desirability desirability;
        Desirability quality; ///< for the trade-off front
        double sign =
            0.0; ///< of one value: 1 where larger values on the model's scale are better, −1; else 0
    };
    template <class Values> double overallOf(const Values& values) const;
    static double qualityOf(const Part& part, double value);

    std::vector<Part> m_parts;
    std::string m_leftOut;
    Eigen::MatrixXd m_draws; ///< samples × responses, standard normal
};

} // namespace quadric::optimize
