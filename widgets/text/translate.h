// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace quadric::widgets {

/// A sentence that belongs to no widget in the language of the reader, English where there is no translation.
/// Its context is the one that lupdate gives it: the name of this namespace.
QString tr(const char* text);

/// A text of core that is always the same (a title, a name, a sentence without numbers), or a pattern of its
/// catalogue, in the language of the reader. The context is "catalogue".
QString catalogueText(std::string_view text);

} // namespace quadric::widgets
