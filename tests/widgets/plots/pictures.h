// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/plot.h"

#include <QImage>

#include <optional>

namespace quadric::samples {

/// Of most pictures.
inline constexpr QSize kPictureSize(700, 500);

/// The plot as it is seen at this size.
QImage pictureOf(widgets::Plot& plot, QSize size);

/// Number of pixels of exactly this color inside `area` (the whole picture: empty rectangle).
int countPixels(const QImage& image, const QColor& color, QRect area = {});

/// Middle of all pixels of this color inside `area`; empty where there are none.
std::optional<QPointF> middleOf(const QImage& image, const QColor& color, QRect area = {});

/// The plot as a PDF page, as the report prints it.
QByteArray pdfOf(widgets::Plot& plot, QSizeF size);

} // namespace quadric::samples
