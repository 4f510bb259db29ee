// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/goals.h"

#include <map>

namespace quadric::optimize {

/// The predictive distributions of all responses that have limits, in a form that a search can ask often.
class ErrorModel {
public:
    /// `goals` stays alive as long as the error model. `shifts` are subtracted from the predictions of the
    /// responses that they name, on the scale of the model.
    ErrorModel(const Goals& goals, bool isCorrelated, const std::map<std::string, double>& shifts = {});

    std::size_t count() const { return m_members.size(); }
    /// Index in the goals.
    std::size_t member(std::size_t i) const { return m_members[i]; }
    /// Responses without an estimate of their error, in words; nothing else may be asked then.
    const std::string& unknown() const { return m_unknown; }

    /// Probabilities of a future run to lie below the lower and below the upper limit, on the scale of the
    /// model.
    model::Interval ranks(std::size_t i, const study::CodedPoint& point) const;

    /// Probability that all limits hold.
    double probability(const study::CodedPoint& point, int samples, std::uint64_t seed) const;

private:
    static model::Interval fallingLimits(const Desirability& desirability, const model::Fit& fit);

    const Goals& m_goals;
    std::vector<std::size_t> m_members;
    std::vector<model::Interval> m_limits; ///< on the scale of the model
    std::vector<double> m_shifts;
    Eigen::MatrixXd m_correlation;
    std::string m_unknown;
};

} // namespace quadric::optimize
