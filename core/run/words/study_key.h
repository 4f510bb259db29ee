// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace quadric::run {

/// A name for this study on this machine, for what cannot lie beside it: "quadric-" and the first 24
/// hexadecimal digits of the SHA-256 of the document's absolute path without links.
QString studyKey(const std::filesystem::path& document);

} // namespace quadric::run
