// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace quadric::app {

/// The line icon `name` of resources/icons in this color, `size` logical pixels wide and high.
QPixmap lineIcon(const QString& name, const QColor& color, int size, qreal devicePixelRatio);

/// The program's icon in the usual sizes. Drawn here: the plugin that lets QIcon read SVG files is a package
/// of its own in Debian 13 and need not be installed.
QIcon programIcon();

} // namespace quadric::app
