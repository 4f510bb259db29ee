// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace quadric::model {

/// Whether a model whose terms were chosen by the runs explains more than the choice alone would.
struct SelectionTest {
    double p = 1.0;
    /// Permutations that were made; 0 where p is a bound: the model's own p times the number of all models
    /// that could have been chosen.
    int permutations = 0;
};

/// The result of testSelection(), computed when it is asked for first.
class SelectionCache {
public:
    template <typename Compute> const std::optional<SelectionTest>& get(Compute compute)
    {
        std::call_once(m_once, [&] {
            m_test = compute();
            m_isKnown = true;
        });
        return m_test;
    }

    bool isKnown() const { return m_isKnown; }

private:
    std::once_flag m_once;
    std::atomic<bool> m_isKnown = false;
    std::optional<SelectionTest> m_test;
};

/// The model was chosen by the runs that it is fitted to (`auto`, or for want of runs).
bool isChosen(const Fit& fit);

/// Permutation test of a chosen model: the responses are permuted within their blocks, and the terms chosen
/// anew, by the same rule, from each permutation; p is the share of permutations whose model has an overall
/// F test as significant as that of the fit, (b + 1)/(B + 1) with B = 999 (Anderson & Legendre 1999; smallest
/// p of many tests: Westfall & Young 1993). Ends early, with p = 20/B, where 20 are (Besag & Clifford 1991),
/// and makes no permutations where Bonferroni's bound over all models is below 0.001. The same for the same
/// runs. Empty where the model was given, has no terms, or leaves no error. Computed once for a fit and its
/// copies, in up to a second for designs with more terms than runs; may be called from any thread.
std::optional<SelectionTest> testSelection(const Fit& fit);

/// testSelection() takes no time: it has been computed, or there is nothing to compute.
bool isSelectionTested(const Fit& fit);

/// p of the whole model: that of testSelection() where the terms were chosen, otherwise that of the analysis
/// of variance. Empty without an error to test against.
std::optional<double> findModelP(const Fit& fit);

} // namespace quadric::model
