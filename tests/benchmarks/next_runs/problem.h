// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <functional>

namespace quadric::play {

/// Actual values of the factors in their order; of a categorical factor the index of the level.
using Values = std::vector<double>;

/// A study whose truth is known: one response to be maximized, and settings that go out of memory.
struct Problem {
    std::string name;
    std::vector<study::Factor> factors;
    std::function<double(const Values&)> truth;  ///< above 0
    std::function<double(const Values&)> memory; ///< a run with more than 1 fails
    double infeasible = 0.3;                     ///< share of the region; the scale of `memory` follows it
    double noise = 0.02;                         ///< standard deviation over the value
    bool measuresMemory = false;                 ///< runs that work tell `memory_peak_mib`
    bool estimatesMemory =
        false; ///< every run tells what memory it was expected to need, 10 to 20 % too little
};

/// Twelve problems: three to six factors, integers, logarithmic factors, categories, noise of 1 to 5 %, 10 to
/// 50 % of the region out of memory behind a bent boundary.
std::vector<Problem> problems();

/// Eight problems of other kinds, on which only the caution was compared: rates with a ceiling, two peaks,
/// settings that crash in the middle of the region, time-outs where runs are slow, factors that do nothing.
/// And one on which nothing was, the last one.
std::vector<Problem> heldOutProblems();

/// So that the share of the region that fails is the one given.
void scaleMemory(Problem& problem);

Values valuesOf(const Problem& problem, const study::Settings& settings);
inline bool runs(const Problem& problem, const study::Settings& settings)
{
    return problem.memory(valuesOf(problem, settings)) <= 1.0;
}
inline double truthAt(const Problem& problem, const study::Settings& settings)
{
    return problem.truth(valuesOf(problem, settings));
}

/// The study with its factors and response, nothing planned.
study::Study studyOf(const Problem& problem);

} // namespace quadric::play
