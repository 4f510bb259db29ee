// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPixmap>
#include <QString>

namespace quadric::app {

/// The line icon `name` of resources/icons in this colour, `size` logical pixels wide and high.
QPixmap lineIcon(const QString& name, const QColor& color, int size, qreal devicePixelRatio);

} // namespace quadric::app
