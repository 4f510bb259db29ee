// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"
#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"

namespace quadric::optimize {

/// How far from the runs a setting may lie, measured by the leverage in the models.
class LeverageLimit {
public:
    /// No limit.
    LeverageLimit() = default;

    /// The limit of each model is that above which a prediction is marked as an extrapolation. Fits that are
    /// not usable are passed over.
    explicit LeverageLimit(const std::vector<model::Fit>& fits);

    bool isActive() const { return !m_models.empty(); }

    /// (limit − leverage)/limit, the smallest over the models; −1 for a category without a run. At least 0
    /// where a coded point is near enough to the runs.
    double margin(const Eigen::VectorXd& x) const;

private:
    struct Model {
        const model::Fit* fit = nullptr;
        double limit = 0.0;
    };
    std::vector<Model> m_models; ///< models with the same terms and runs only once
};

/// Settings that probably give a result: the probability is at least the one asked for and, where more than a
/// half is asked for, so is all of its interval; or a run there gave one. Never a setting where a run
/// failed for a reason that repeats. (The best settings lie where the probability is overestimated rather
/// than underestimated, hence the interval.)
class FeasibilityLimit {
public:
    /// No limit.
    FeasibilityLimit() = default;
    FeasibilityLimit(std::shared_ptr<const model::Feasibility> feasibility, double least);

    bool isActive() const { return m_feasibility != nullptr; }
    const model::Feasibility* feasibility() const { return m_feasibility.get(); }

    /// What is left at a coded point of the probability asked for, or of its interval's lower end, at least 0
    /// where a run gave a result; −1 where runs failed.
    double margin(const Eigen::VectorXd& x) const;

private:
    std::shared_ptr<const model::Feasibility> m_feasibility;
    double m_least = 0.0;
};

/// Turns responses on the scale of their models into their own units, within their physical bounds; infinite
/// where a transform has a pole or explodes.
void invertTransforms(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& values);

/// The same for the ends of ranges, which change places where the inverse of a transform falls.
void invertBounds(const std::vector<const model::Fit*>& fits, Eigen::ArrayXd& low, Eigen::ArrayXd& high);

/// The predictions of several fits at once, for search loops: the same numbers as predictMean(), but infinite
/// where that holds a back-transformed prediction near a pole, so that no search ends there. Every monomial
/// is its predecessor times one more factor, so that each costs one multiplication for all responses. Holds
/// scratch memory: one evaluator for each thread.
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

    /// The same before transforms are inverted.
    void predictOnModelScale(const Eigen::VectorXd& x, Eigen::VectorXd& z, Eigen::MatrixXd& slopes);

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
    void setSlots(const Eigen::VectorXd& x);
    void setMonomials();
    void setResponses(const Eigen::VectorXd& x);

    std::vector<Slot> m_slots;
    std::vector<Step> m_steps;
    Eigen::MatrixXd m_beta; ///< responses × monomials
    Eigen::Index m_factors = 0;
    std::vector<const model::Fit*> m_fits;

    std::vector<double> m_slotValues;
    Eigen::VectorXd m_values, m_z;
    Eigen::MatrixXd m_derivatives; ///< monomials × factors
};

} // namespace quadric::optimize
