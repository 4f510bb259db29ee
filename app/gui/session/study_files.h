// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>
#include <vector>

namespace quadric::app {

/// Where new studies go: the folder "Quadric" in the user's documents. Made when the first study is saved.
QString studiesFolder();

/// A path in studiesFolder() that no file has yet, from the name of a study: "Name.quadric",
/// "Name 2.quadric", …
std::filesystem::path newStudyPath(const QString& studyName);

/// A study that comes with the program.
struct Example {
    QString resource; ///< where it lies inside the program
    QString title;
    QString about;
    QString claims; ///< where somebody's conclusions about it lie; empty: none
};

/// The examples that this build holds.
std::vector<Example> examples();

/// Copies an example to a new study file, with its claims beside it, so that the example stays as it is.
/// Throws study::DocumentError.
std::filesystem::path copyExample(const Example& example);

} // namespace quadric::app
