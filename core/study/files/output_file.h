// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace quadric::study {

/// What a text is to Quadric: a study document, also a broken one, or one that was exported to JSON, which is
/// the same with the coded settings of its runs.
enum class DocumentKind { Other, Study, Export };
DocumentKind documentKindOf(std::string_view text);

/// What is at `path`, or where it points to, that no output may replace: "a study", "the journal of a study";
/// empty: nothing of this kind. A study is known by its content and by the ending .quadric, the files beside
/// one by their names.
std::string findProtected(const std::filesystem::path& path);

/// Writes a file that was asked for, such as a report or a table: an ordinary one is replaced whole or not at
/// all (replaceFile), a device or a pipe gets the text. Throws DocumentError, also for what findProtected()
/// finds.
void writeOutput(const std::filesystem::path& path, std::string_view text);

} // namespace quadric::study
