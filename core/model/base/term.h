// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace quadric::model {

/// Whether a square of the factor can be told from its other terms: it is numeric, and more than two values
/// can be run. Two values, 1 or 2 GPUs, have no curve between them.
inline bool canBend(const study::Factor& factor)
{
    constexpr std::size_t kStraight = 2;
    return factor.isNumeric() && study::legalValues(factor, factor.low, factor.high, kStraight).empty();
}

/// A product of powers of factors; the empty product is the intercept. `powers[i]` is the exponent of factor
/// i (categorical factors: 0 or 1).
struct Term {
    std::vector<int> powers;
    int degree() const;
    bool isIntercept() const { return degree() == 0; }
    bool operator==(const Term&) const = default;
};

/// Factors that the term is made of, by index, ascending.
std::vector<std::size_t> factorsIn(const Term& term);

/// The child has every power of the parent, and more: hierarchy asks for its parents.
bool isParent(const Term& parent, const Term& child);

/// "1", "A", "A*B", "A^2" with factor names.
std::string nameOf(const Term& term, const std::vector<study::Factor>& factors);

enum class Order { Mean, Linear, Interactions, Quadratic };

/// Name of an order in a study file: "mean", "linear", "interactions", "quadratic".
std::string_view nameOf(Order order);

/// All terms up to this order, intercept first, then linear, two-factor interactions, squares; squares of
/// numeric factors only.
std::vector<Term> termsOf(Order order, const std::vector<study::Factor>& factors);

/// "linear", "interactions", "quadratic", "mean" or a formula "A + B + A*B + A^2" (the intercept is always
/// there). Parents that hierarchy asks for are added. Throws std::invalid_argument naming the word that was
/// not understood, and ModelTooLarge before more terms than can be computed are in memory.
std::vector<Term> parseModel(std::string_view text, const std::vector<study::Factor>& factors);

/// One column of the model matrix: a term, and for every categorical factor in it the sum-to-zero contrast
/// (index of the level).
struct Column {
    Term term;
    std::vector<int>
        contrast;     ///< per factor: level index of the contrast, −1 where the factor is numeric or absent
    std::string name; ///< as in the command line's JSON: "A*B", "precision[bf16]"
};

/// Name of a term at given levels of its categorical factors (−1 elsewhere): "A*precision[bf16]".
std::string columnName(const Term& term, const std::vector<int>& levels,
                       const std::vector<study::Factor>& factors);

std::vector<Column> columnsOf(const std::vector<Term>& terms, const std::vector<study::Factor>& factors);

/// Value of a column at a coded point; sum-to-zero contrasts: +1 at its level, −1 at the last level, 0
/// elsewhere.
double valueAt(const Column& column, const study::CodedPoint& point,
               const std::vector<study::Factor>& factors);

/// Derivative of a column by a coded numeric factor.
double slopeOf(const Column& column, const study::CodedPoint& point, std::size_t factor,
               const std::vector<study::Factor>& factors);

/// Row of the model matrix at a coded point.
Eigen::VectorXd rowAt(const std::vector<Column>& columns, const study::CodedPoint& point,
                      const std::vector<study::Factor>& factors);

/// n × p matrix of all columns at the points.
Eigen::MatrixXd modelMatrix(const std::vector<Column>& columns, const std::vector<study::CodedPoint>& points,
                            const std::vector<study::Factor>& factors);

/// base to the power of a whole number of at least 0.
double powerOf(double base, int exponent);

/// A coefficient times powers of numeric factors' actual values (their log2 on that scale) and sum-to-zero
/// contrasts of categorical ones: `contrast` has the level, −1 elsewhere.
struct ActualTerm {
    std::vector<int> powers;
    std::vector<int> contrast;
    double estimate = 0.0;
};

/// A polynomial of coded factors, multiplied out into actual units. The terms of `columns` come first, in
/// their order.
std::vector<ActualTerm> actualPolynomial(const std::vector<Column>& columns, const Eigen::VectorXd& beta,
                                         const std::vector<study::Factor>& factors);

} // namespace quadric::model
