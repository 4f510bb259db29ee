// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace quadric::widgets {

class Plot;

/// "pareto-images_per_sec": letters, digits, "_" and "-" of what is named, whatever the study calls it, so
/// that no name leads out of a folder.
QString pictureStem(const QStringList& words);

/// The file that a picture of the plot is saved to unless another is chosen: study, view and response,
/// "ResNet-50-scaling-pareto-images_per_sec.svg".
QString pictureName(const Plot& plot, const QString& ending);

} // namespace quadric::widgets
