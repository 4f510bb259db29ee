// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/desirability.h"
#include "core/optimize/search/multipliers.h"
#include "core/optimize/search/search_space.h"

#include <map>

namespace quadric::optimize {

/// All responses before their transforms are inverted, as quadratics c + g'x + x'Hx/2 in the movable numeric
/// factors, at fixed values of all other factors.
struct QuadraticForms {
    Eigen::VectorXd constant;
    Eigen::MatrixXd slopes;                 ///< axes × responses
    std::vector<Eigen::MatrixXd> curvature; ///< by response
};

/// Upper bounds of a merit over boxes of coded settings, for models without terms beyond the second order in
/// numeric factors. The least of
///  - the merit of the best that each response can reach in the box, alone;
///  - the best of one quadratic, the sum of lines over the pieces of the merit (see multipliers.h), taken at
///    the middle of the box;
///  - the same with the lines and multipliers that belong to the best setting known (Lagrangian bound): near
///    a smooth or kinked optimum that satisfies the conditions of Karush, Kuhn and Tucker it is off by the
///    square of the box only, so that boxes around the optimum can be excluded too.
class BoxBound {
public:
    /// `fits` in the order of the merit's responses.
    BoxBound(const SearchSpace& space, const std::vector<const model::Fit*>& fits, const Merit& merit);

    /// The models are of the kind that can be bounded.
    static bool isPossible(const std::vector<const model::Fit*>& fits);

    /// The movable numeric factors: what a box is made of.
    const std::vector<Eigen::Index>& axes() const { return m_axes; }

    /// Takes the categories from x (a whole point of the space) for the boxes that follow.
    void setCategories(const Eigen::VectorXd& x);

    /// Upper bound of the merit over center ± radius (entries by axes()). Stops early where the bound is
    /// already below `enough`.
    double operator()(const Eigen::VectorXd& center, const Eigen::VectorXd& radius, double enough);

    /// The axis along which the last box should be halved.
    Eigen::Index widest() const { return m_widest; }

    /// Takes lines and multipliers from the best setting known, a whole point of the space.
    void setReferencePoint(const Eigen::VectorXd& x);

private:
    QuadraticForms formsAt(Eigen::VectorXd x);
    void expand(const Eigen::VectorXd& center, const Eigen::VectorXd& radius);
    double separate();
    WeightedSum sumInTheMiddle() const;
    double largest(const WeightedSum& sum, const Eigen::VectorXd& center, const Eigen::VectorXd& radius);
    void setWidest(const WeightedSum& sum, const Eigen::VectorXd& radius);
    double asMerit(double value) const;

    const SearchSpace& m_space;
    std::vector<const model::Fit*> m_fits;
    const Merit& m_merit;
    std::vector<Eigen::Index> m_axes;
    Evaluator m_evaluator;
    std::map<std::size_t, QuadraticForms> m_formsOf; ///< by combination of categories
    const QuadraticForms* m_forms = nullptr;         ///< of the categories that are set
    double m_restOfSphere = 0.0;                     ///< squared radius left by fixed numeric factors
    bool m_isSphere = false;
    std::optional<WeightedSum> m_best;
    Eigen::Index m_widest = 0;
    Eigen::VectorXd m_z, m_zLow, m_zHigh; ///< of the last box: middle and bounds of the responses
    Eigen::MatrixXd m_slopes;             ///< axes × responses, in the middle
    Eigen::ArrayXd m_low, m_high;         ///< m_zLow, m_zHigh in the responses' own units
};

} // namespace quadric::optimize
