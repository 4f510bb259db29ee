// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace quadric::widgets {

/// A sentence that belongs to no widget in the language of the reader, English where there is no translation.
/// Its context is the one that lupdate gives it: the name of this namespace.
QString tr(const char* text);

} // namespace quadric::widgets
