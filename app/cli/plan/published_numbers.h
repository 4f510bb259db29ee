// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "app/cli/output/study_output.h"

#include <functional>
#include <string>
#include <vector>

namespace quadric::app {

/// A number that somebody published, and what stands in its place in an answer of ours.
struct PublishedNumber {
    std::string name;      ///< its place in the JSON document: "models/lasso/mae"
    std::string published; ///< as printed there
    Json ours = {};
    std::string reason = {}; ///< why the two differ
};

/// Adds --published.
void addPublishedOption(CLI::App& command, std::string& path);

/// The numbers of a table with the columns number, published and, if there is one, reason, beside those of
/// the answer. Of a list the place names an element by a text or the first number in it, or by its position,
/// counted from 0. Throws exchange::ImportError, and UsageError naming the line and what the answer has.
std::vector<PublishedNumber> readPublished(const std::string& path, const Json& answer);

/// Prints an answer: as its JSON document, with a list "published" where --published names a file, or in
/// words, with a table of them below.
void printAnswer(bool asJson, const Json& answer, const std::string& publishedPath,
                 const std::function<void()>& printWords);

} // namespace quadric::app
