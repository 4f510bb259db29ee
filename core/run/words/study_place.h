// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace quadric::run {

/// Throws DocumentError where runs of this study cannot be executed: where its path is no UTF-8, so that no
/// program could be told it, and where something else has the name of a file that Quadric keeps beside it.
void checkPlace(const std::filesystem::path& document);

} // namespace quadric::run
