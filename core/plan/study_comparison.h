// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::plan {

/// What is shown of a response of the second study, held against the first.
enum class Difference { NotShown, Better, Worse, Higher, Lower };

/// How a response differs between two studies at equal settings.
struct ResponseDifference {
    std::string response = {}, unit = {};
    study::Goal goal = study::Goal::None;
    bool isSpeed = false; ///< a rate or a time: better is faster
    bool isRatio = true; ///< `estimate` is second / first; else second − first, where values are not above 0
    int settings = 0;    ///< that both studies have measured
    int firstRuns = 0, secondRuns = 0;
    double estimate = 1.0;                        ///< geometric mean ratio, or mean difference
    std::optional<model::Interval> interval = {}; ///< of this response alone
    std::optional<double> p = {}, adjustedP = {}; ///< of no difference; by Holm over all responses
    Difference verdict = Difference::NotShown;
    double smallest = 1.0, largest = 1.0; ///< of the ratios (differences) at single settings
    std::string message = {};             ///< why there is no interval
};

/// Something that is not the same in both studies.
struct ChangedFact {
    std::string name = {}, first = {}, second = {};
};

/// Two studies at the settings that both have measured.
struct StudyComparison {
    std::string first = {}, second = {};
    double confidence = 0.95;
    std::vector<ResponseDifference> responses = {};
    std::vector<ChangedFact> settings = {};   ///< fixed settings with different values: what may be compared
    std::vector<ChangedFact> provenance = {}; ///< machine, versions, code
    std::vector<std::string> cautions = {};
    std::string message = {}; ///< why nothing can be compared
};

/// For each response of both studies: the runs that are done, confirming ones too, joined by the settings of
/// all factors of either study (a fixed setting counts for a factor of the other study). Each setting gives
/// one difference of the means of the logarithms (of the values, where one is not above 0); over k ≥ 2
/// settings their mean has the t interval with k − 1 degrees of freedom, which holds what the settings differ
/// by. With one setting only, Welch's interval of its repeated runs. Verdicts hold `1 − confidence` together:
/// Holm (1979) over the responses.
StudyComparison compareStudies(const study::Study& first, const study::Study& second,
                               double confidence = 0.95);

} // namespace quadric::plan
