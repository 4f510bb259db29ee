// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "core/study/space/constraint_program.h"

#include <functional>
#include <optional>

namespace quadric::study {

/// How one factor can be set. Coded units.
struct LegalAxis {
    enum class Kind {
        Fixed,      ///< held at one value
        Continuous, ///< anything between low and high (or so many legal values that it counts as that)
        Levels,     ///< numeric, `coded` has the legal values in ascending order
        Category    ///< `coded` has 0, 1, …
    };
    Kind kind = Kind::Fixed;
    double low = 0.0, high = 0.0;
    std::vector<double> coded;
    std::vector<double> actual; ///< actual values of `coded`; the one value of a fixed numeric factor
    bool snaps = false;         ///< continuous in name only: values must be rounded to legal ones

    bool isMovable() const { return kind != Kind::Fixed; }
    bool isNumeric() const { return kind == Kind::Continuous || kind == Kind::Levels; }
    std::size_t count() const { return coded.size(); }
};

struct LegalSpaceOptions {
    double reach = 1.0;            ///< numeric factors go from −reach to +reach
    std::size_t mostListed = 2000; ///< a factor with more legal values is rounded one value at a time
    Settings held = {};            ///< factors that stay at one value
    /// What is to be recommended: listed counts leave no place of a known node idle (knownNodeOf()), unless
    /// no such count is legal.
    bool hasWholeNodes = false;
    /// Per factor a part of the range that it stays in, coded; empty, or an empty entry: all of it.
    std::vector<std::optional<Range>> within = {};
    /// What is asked of coded points beside the constraints, such as that runs there give a result.
    std::function<bool(const Eigen::VectorXd&)> isAllowed = {};
};

/// The settings of a study that can be run: ranges, legal values, constraints. Points are coded, one entry
/// per factor; entries of a point on a Levels or Category axis are one of `coded`.
class LegalSpace {
public:
    /// A coded point, or the row of a matrix (transposed) that is one.
    using Point = Eigen::Ref<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;

    /// Throws std::invalid_argument naming the factor or constraint that is not sound, and the held setting
    /// that cannot be run.
    explicit LegalSpace(const Study& study, const LegalSpaceOptions& options = {});

    /// Throws std::invalid_argument naming the first factor without a legal value in its range.
    void checkValues() const;

    const Coding& coding() const { return m_coding; }
    const std::vector<Factor>& factors() const { return m_coding.factors(); }
    const ConstraintProgram& constraints() const { return m_constraints; }
    const std::vector<LegalAxis>& axes() const { return m_axes; }
    const LegalAxis& axis(Eigen::Index i) const { return m_axes[static_cast<std::size_t>(i)]; }
    Eigen::Index size() const { return static_cast<Eigen::Index>(m_axes.size()); }
    bool isNumeric(Eigen::Index i) const { return factors()[static_cast<std::size_t>(i)].isNumeric(); }

    /// The nearest value of the axis.
    double snap(Eigen::Index axis, double coded) const;

    /// A point with every axis at the value nearest to 0; constraints are not looked at.
    Eigen::VectorXd center() const;

    /// The actual value at (or, between legal values, nearest to) a coded one.
    double actualAt(Eigen::Index axis, double coded) const;

    /// What LegalSpaceOptions asked for beside the constraints.
    bool isAllowed(const Eigen::VectorXd& point) const { return !m_isAllowed || m_isAllowed(point); }

    /// Whether the constraints hold and the point is allowed.
    bool satisfiesConstraints(const Point& point) const;

    Settings settingsAt(const Eigen::VectorXd& point) const;

    /// The point of given settings, every axis at its nearest value; empty where a factor has no value that
    /// can be coded.
    std::optional<Eigen::VectorXd> pointAt(const Settings& settings) const;

    /// About `wanted` (at least 2) coded values of a factor, evenly spread from −1 to +1 and taken to listed
    /// values; all levels of a categorical factor.
    std::vector<double> spread(Eigen::Index axis, int wanted) const;

    /// The coded values next to `coded` on both sides at a distance of about `step`; all levels of a
    /// categorical factor.
    std::vector<double> neighbors(Eigen::Index axis, double coded, double step) const;

    /// The point nearest to `target` (coordinates that can be run) in coded units for which the constraints
    /// hold; a change of category counts as 2. Only factors that a constraint names are moved, continuous
    /// ones in steps of 1/50. Empty where none was found.
    std::optional<Eigen::VectorXd> nearest(const Point& target) const;

private:
    LegalAxis makeAxis(std::size_t factor, const LegalSpaceOptions& options) const;
    LegalAxis makeFixedAxis(std::size_t factor, const Value& value) const;
    LegalAxis makeLevelsAxis(std::size_t factor, const LegalSpaceOptions& options) const;
    void setLevels(std::size_t factor, std::vector<double> actual, LegalAxis& axis) const;
    void keepWholeNodes(const Study& study, const Settings& held);
    bool mayBeLegal(std::size_t factor, double actual) const;
    std::vector<double> fromNearToFar(Eigen::Index axis, double target) const;

    Coding m_coding;
    ConstraintProgram m_constraints;
    std::vector<LegalAxis> m_axes;
    std::function<bool(const Eigen::VectorXd&)> m_isAllowed;
};

/// How many combinations of one value for each factor there are.
double countCombinations(const std::vector<std::vector<double>>& values);

/// Combination number `index`, from 0; the first factor changes fastest.
Eigen::VectorXd combinationAt(const std::vector<std::vector<double>>& values, std::size_t index);

/// How much of the region between the factors' low and high ends can be run.
struct LegalCount {
    /// Combinations of legal values of all factors, and how many of them satisfy the constraints; empty where
    /// a factor is continuous or there are too many to try them all.
    std::optional<long> combinations = {}, legal = {};
    double share = 1.0; ///< of the combinations, or of points spread evenly over the region
};

/// Tries all combinations of legal values up to `most` of them, otherwise as many evenly spread points (the
/// additive recurrence of Roberts 2018, so that the same study gives the same share). Nothing is legal where
/// a constraint cannot be read. Factors need to be sound: throws std::invalid_argument otherwise.
LegalCount countLegal(const Study& study, long most = 4096);

} // namespace quadric::study
