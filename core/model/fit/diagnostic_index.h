// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <unordered_map>

namespace quadric::model {

/// Finds the diagnostics of many runs of a fit that stays as it is while this is used.
class DiagnosticIndex {
public:
    explicit DiagnosticIndex(const Fit& fit)
    {
        for (const Diagnostic& diagnostic : fit.diagnostics)
            m_byRun.emplace(diagnostic.run, &diagnostic);
    }

    /// Null where the model was not fitted to the run.
    const Diagnostic* find(int run) const
    {
        const auto found = m_byRun.find(run);
        return found == m_byRun.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<int, const Diagnostic*> m_byRun;
};

} // namespace quadric::model
