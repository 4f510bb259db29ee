// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace quadric::widgets {

class Plot;

/// Puts the plot on the clipboard, light on white: as a picture at twice its size on the screen, and as SVG.
void copyPicture(Plot& plot);

/// Writes the plot to a file, light on white: vectors for .svg and .pdf, otherwise a picture at twice its
/// size. Returns what went wrong in words, empty on success.
QString savePicture(Plot& plot, const QString& path);

} // namespace quadric::widgets
