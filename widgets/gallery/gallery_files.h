// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gallery/gallery.h"
#include "widgets/plots/base/plot_picture.h"

namespace quadric::widgets {

/// A size at which this plot is easy to read: larger than on the screen where it has much to show.
QSize comfortableSize(const Plot& plot);

/// "pareto-images_per_sec.svg": letters, digits, "_" and "-" of the names, whatever the study calls them, so
/// that no name leads out of a folder. Different requests get different names when `taken` is kept.
QString fileNameFor(const PlotRequest& request, const QString& ending, QStringList& taken);

/// Draws one plot of the gallery into a file of the folder. Returns the file's path. Throws PlotError when it
/// cannot be written.
QString saveInto(const QString& folder, Gallery& gallery, const PlotRequest& request, const QString& ending,
                 PictureOptions options, QStringList& taken);

} // namespace quadric::widgets
