// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace quadric::widgets {

/// A sentence of what is no QObject, as QObject::tr() gives it there.
QString tr(const char* text);

/// A text of core, or of a study.
QString fromUtf8(std::string_view text);

} // namespace quadric::widgets
