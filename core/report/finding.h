// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Every sentence is a pattern in core/report/catalogue/: the one place to edit it.
/// "{name}" stands for a text, "{one|many}" for the form of a word that goes with the number of things.

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

/// A fact that is neither good nor bad: how many runs are done.
bool isFact(const Finding& finding);

/// "OK", "check", "problem": on the screen and on paper; empty for a fact.
std::string_view shownName(const Finding& finding);

/// The first finding of the worst severity; null without findings.
const Finding* findWorst(const std::vector<Finding>& findings);

/// Red where the test is significant at 1 %, amber at 5 %, otherwise green.
Severity findSeverity(double p);

/// "A × B, A² and C" of names as A*B, A^2 and C.
std::string listTerms(std::vector<std::string> names);

/// All sentences in one, with spaces between them.
std::string joinSentences(const std::vector<std::string>& sentences);

/// A finding before it is known of what.
struct Entry {
    std::string_view code;
    Severity severity = Severity::Green;
    std::string_view topic;
    std::string_view sentence;
    std::string_view advice = {};
};

using Texts = std::initializer_list<std::pair<std::string_view, std::string>>;

/// The pattern with its texts; `count` chooses between "{one|many}". Names without a text stay as they are.
std::string fill(std::string_view pattern, Texts texts, std::size_t count = 1);

/// The finding of an entry. Its patterns may also name "{runs}" and, to begin with, "{Runs}"; the number of
/// runs chooses between "{one|many}".
Finding makeFinding(const Entry& entry, Texts texts = {}, std::vector<int> runs = {});

} // namespace quadric::report
