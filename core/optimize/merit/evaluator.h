// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predictor.h"

namespace quadric::optimize {

/// All responses along one numeric factor, the others held: a polynomial each, before its transform is
/// inverted, or what a Fit::predictor says.
struct Line {
    Eigen::ArrayXXd coefficients; ///< responses × (degree + 1)
    const std::vector<const model::Fit*>* fits = nullptr;
    Eigen::VectorXd at; ///< a point of the line
    Eigen::Index factor = 0;

    /// Predictions at coded value `t`, response's own unit.
    void predict(double t, Eigen::ArrayXd& y) const;

    /// Bounds of the predictions for coded values from `from` to `to`; sharp up to degree 2. Those of a
    /// Fit::predictor are estimated from a few places: good for a search, not for a proof.
    void bounds(double from, double to, Eigen::ArrayXd& low, Eigen::ArrayXd& high) const;

private:
    double predictorAt(const model::Predictor& predictor, double t) const;
    model::Interval predictorRange(const model::Predictor& predictor, double from, double to) const;
};

/// A response is predicted by something else than a polynomial.
bool hasPredictor(const std::vector<const model::Fit*>& fits);

/// Turns transformed responses into their own units; infinite where a transform has a pole or explodes.
void invertTransforms(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& values);

/// Turns bounds of the transformed responses into bounds in the responses' own units.
void invertBounds(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& low, Eigen::ArrayXd& high);

/// The predictions of several fits at once, for search loops: the same numbers as predictMean(), but infinite
/// where that holds a back-transformed prediction at a limit, so that no search ends there. Every
/// monomial is its predecessor times one more factor, so that each costs one multiplication for all
/// responses. Holds scratch memory: one evaluator for each thread.
class Evaluator {
public:
    /// The fits have the same factors and stay alive as long as the evaluator.
    explicit Evaluator(const std::vector<const model::Fit*>& fits);

    Eigen::Index responses() const { return m_beta.rows(); }
    const std::vector<const model::Fit*>& fits() const { return m_fits; }

    /// Predictions at the coded point, response's own unit.
    void predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y);

    /// The same with slopes by the coded numeric factors (responses × factors; 0 for categorical ones).
    void predict(const Eigen::VectorXd& x, Eigen::ArrayXd& y, Eigen::MatrixXd& slopes);

    /// The responses along a numeric factor through x.
    void along(const Eigen::VectorXd& x, Eigen::Index factor, Line& line);

private:
    /// A variable of the polynomials: a numeric factor, or one contrast of a categorical factor.
    struct Slot {
        std::size_t factor = 0;
        int contrast = -1;
        int lastLevel = 0;
        bool operator==(const Slot&) const = default;
    };
    /// Monomial = monomial `parent` × slot; monomial 0 is the constant 1.
    struct Step {
        std::size_t parent = 0;
        std::size_t slot = 0;
        bool operator==(const Step&) const = default;
    };

    std::size_t slotOf(const Slot& slot);
    std::size_t stepOf(const Step& step);
    std::size_t monomialOf(const model::Column& column, const std::vector<study::Factor>& factors);
    void setPowers();
    void setSlots(const Eigen::VectorXd& x);
    void setMonomials();
    void setPredictors(const Eigen::VectorXd& x);

    std::vector<Slot> m_slots;
    std::vector<Step> m_steps;
    Eigen::MatrixXd m_beta; ///< responses × monomials
    Eigen::Index m_factors = 0;
    Eigen::Index m_degree = 0; ///< highest power of one factor
    Eigen::MatrixXi m_powers;  ///< monomials × factors: power of the factor
    std::vector<const model::Fit*> m_fits;

    std::vector<double> m_slotValues;
    Eigen::VectorXd m_values, m_z;
    Eigen::MatrixXd m_derivatives; ///< monomials × factors
};

} // namespace quadric::optimize
