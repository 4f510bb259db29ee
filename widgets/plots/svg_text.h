// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace quadric::widgets {

/// The text of QSvgGenerator as one element without XML declaration and document type, without the characters
/// that no XML document may hold, and without what says nothing: attributes at their defaults, fonts of
/// groups without text, more than two decimals of a pixel.
QByteArray tidySvg(const QByteArray& generated);

} // namespace quadric::widgets
