// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/space/constraint.h"
#include "core/study/study.h"

#include <functional>
#include <string>

namespace quadric::study {

/// A number computed from those of a run, such as `tokens_per_sec / gpus`, in the language of the
/// constraints: numbers, names, + − * / %, parentheses.
class Expression {
public:
    /// Throws std::invalid_argument with the column and what was expected.
    explicit Expression(const std::string& text);

    /// Empty where it is undefined (a division by zero) or a name has no number.
    std::optional<double> value(const Settings& numbers) const;

    /// Every name used, once.
    const std::vector<std::string>& names() const { return m_comparison.names(); }

private:
    Constraint m_comparison; ///< the number, compared with 0: its left side is what is asked for
};

/// A result that no program reports: it is computed from the results, the settings, and what was seen of the
/// machine.
struct DerivedResult {
    std::string name;
    std::string expression;
};

/// Those of the study in an order in which they can be computed; expressions that cannot be read, and those
/// that are made of each other, are left out.
std::vector<DerivedResult> derivedResults(const Study& study);

/// Adds one, or replaces that of the same name. Throws std::invalid_argument where the expression cannot be
/// read or uses its own name.
void setDerived(Study& study, const std::string& name, const std::string& expression);

/// The expression of a result; empty where it is none.
std::string expressionOf(const Study& study, std::string_view name);

/// The result is computed no more.
void removeDerived(Study& study, const std::string& name);

/// With other names of results and of what they are computed from, by the old name; `rename` does it in an
/// expression.
void renameDerived(Study& study, const std::map<std::string, std::string>& names,
                   const std::function<void(std::string& expression)>& rename);

/// Whether the runner adds this result where the program does not report it: no pattern reads it.
bool isComputed(const Study& study, std::string_view result);

/// The run with what can be computed of it: telemetry that the study asks for and the program did not report,
/// then the derived results. The spread of a derived result is by the delta method, with central differences
/// over ± the spread of each number that has one, taken for independent.
Run withComputedResults(const Study& study, Run run);

/// Which names of a computed response nothing in the study has: no factor, fixed setting, response or result
/// of a run. A program may still report them, as long as no run has shown that it does not. A clause without
/// its full stop, with what was probably meant; empty where all are known, and for responses that are
/// measured.
std::string describeUnknownNames(const Study& study, const std::string& response);

} // namespace quadric::study
