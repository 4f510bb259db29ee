// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace quadric::widgets {

/// The text of QSvgGenerator as one element without XML declaration and document type, without the characters
/// that no XML document may hold, and with each attribute said once: what most shapes share stands on the
/// outermost group, what neighbours share on a group of their own. Coordinates keep so many decimals of a
/// pixel.
QByteArray tidySvg(const QByteArray& generated, int decimals = 2);

} // namespace quadric::widgets
