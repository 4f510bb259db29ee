// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <optional>

namespace quadric::widgets {

/// The text of QSvgGenerator as one element without XML declaration and document type, without the characters
/// that XML does not allow, with one group around all shapes and each shape's look on the shape itself.
/// Coordinates keep so many decimals of a pixel, lines lose the points from which they bend by less than the
/// last one.
QByteArray tidySvg(const QByteArray& generated, int decimals = 2);

class Plot;

/// How a plot becomes a file.
struct PictureOptions {
    QSize size = {}; ///< logical pixels, 96 to the inch; empty: as large as the plot is on the screen
    /// PNG: dots per logical pixel, 2 where none is given. SVG and PDF: magnification, 1 where none is given.
    std::optional<double> scale = {};
    ThemeChoice theme = ThemeChoice::Light;
    int decimals = 2;       ///< SVG: of a pixel
    bool namesStudy = true; ///< at its foot; a report has its name already
};

/// Puts the plot on the clipboard, light on white: as a picture at twice its size on the screen, and as SVG.
void copyPicture(Plot& plot);

/// The plot as the text of an SVG document: one element, without XML declaration and document type, so that
/// it can stand inside HTML. Letters that XML does not know are left out.
QByteArray renderSvg(Plot& plot, const PictureOptions& options = {});

/// Writes the plot to a file: vectors for .svg and .pdf, otherwise a PNG picture. Returns what went wrong in
/// words, empty on success.
QString savePicture(Plot& plot, const QString& path, const PictureOptions& options = {});

} // namespace quadric::widgets
