// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace quadric::exchange {

/// Whether a file with this content is of the kind that Quadric writes under an ending ("csv", "json", "R",
/// "pdf", "svg" …), and so is replaced without a question: any picture, PDF, HTML page or table with two
/// columns or more; scripts, documents and JSON where Quadric has made them. An empty file is of every kind.
bool isOfKind(std::string_view text, std::string_view ending);

} // namespace quadric::exchange
