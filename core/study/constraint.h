// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <memory>

namespace quadric::study {

/// A condition on the settings such as `gpu_count * batch_per_gpu <= 8192` or `gpu_count % 8 == 0`: numbers,
/// factor names (fixed settings too), + − * / %, comparisons, and, or, not, parentheses; `name == "level"`
/// for categorical factors. No functions, no code.
class Constraint {
public:
    /// Throws std::invalid_argument with the column and what was expected.
    explicit Constraint(const std::string& text);

    /// Throws std::invalid_argument when a name has no value in `settings`.
    bool holds(const Settings& settings) const;

    const std::string& text() const { return m_text; }
    const std::vector<std::string>& names() const { return m_names; }

    struct Node;

private:
    std::string m_text;
    std::vector<std::string> m_names;
    std::shared_ptr<const Node> m_root;
};

/// All constraints of the study hold at `settings` (its fixed settings added).
bool isLegal(const Study& study, const Settings& settings);

} // namespace quadric::study
