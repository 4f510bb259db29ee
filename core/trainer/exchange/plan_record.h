// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace quadric::trainer {

/// Which plans of cuDNN an engine computes its convolutions with.
struct PlanRecord {
    std::uint64_t hash = 0;             ///< of all problems and the names of their engines, in their order
    std::map<std::string, int> engines; ///< how many problems each engine of cuDNN computes
    int timed = 0;                      ///< problems whose plans this run has timed
    int kept = 0;                       ///< problems whose plans an earlier run had timed
    bool areEqualOnAllRanks = true;

    bool empty() const { return engines.empty(); }
    /// Notes one problem, and its engine by "NUMBER_settings".
    void add(const std::string& problem, const std::string& engine);
    /// The hash as 16 hexadecimal digits.
    std::string hashText() const;
};

} // namespace quadric::trainer
