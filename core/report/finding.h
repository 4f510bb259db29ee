// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadric::report {

enum class Severity { Green, Amber, Red };

/// One thing that is found about a study, in words for someone who is not a statistician.
struct Finding {
    std::string code; ///< stays the same when a sentence is edited: "lack-of-fit"
    Severity severity = Severity::Green;
    std::string topic; ///< the field's term: "Lack of fit"
    std::string sentence;
    std::string advice;    ///< what to do; empty where nothing needs to be done
    std::vector<int> runs; ///< ids of the runs that it is about
};

/// "green", "amber", "red": in JSON.
std::string_view nameOf(Severity severity);

/// A fact that is neither good nor bad: how many runs are done, that nothing can be said of a drift yet.
bool isFact(const Finding& finding);

/// "OK", "check", "problem": on the screen and on paper; empty for a fact.
std::string_view shownName(const Finding& finding);

/// The first finding of the worst severity; null without findings.
const Finding* findWorst(const std::vector<Finding>& findings);

/// Red where the test is significant at 1 %, amber at 5 %, otherwise green.
Severity judgeP(double p);

/// All sentences in one, with spaces between them.
std::string joinSentences(const std::vector<std::string>& sentences);

} // namespace quadric::report
