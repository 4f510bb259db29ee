// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"

#include <initializer_list>
#include <utility>

/// Every sentence is a pattern in core/report/catalogue/: the one place to edit it.
/// "{name}" stands for a text, "{one|many}" for the form of a word that goes with the number of things.
namespace quadric::report {

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
