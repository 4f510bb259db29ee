// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace quadric::trainer::cuda {

/// Plans that were timed once, by what they compute: a residual network repeats its convolutions.
template <typename Plan> class PlanCache {
public:
    /// The plan of that key; `make` finds it the first time, and is asked again next time where it throws.
    template <typename Make> Plan get(const std::string& key, const Make& make)
    {
        const auto known = m_plans.find(key);
        return known != m_plans.end() ? known->second : m_plans.emplace(key, make()).first->second;
    }
    std::size_t size() const { return m_plans.size(); }

private:
    std::map<std::string, Plan> m_plans;
};

} // namespace quadric::trainer::cuda
