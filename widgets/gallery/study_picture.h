// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QPalette>
#include <QPixmap>

namespace quadric::widgets {

/// A small picture of a study on a transparent ground: the surface of the first response that has a model, or
/// the runs between the coded ends of the first three factors. Empty where the factors are unsound.
QPixmap studyPicture(const study::Study& study, const QSize& size, qreal devicePixelRatio,
                     const QPalette& palette);

} // namespace quadric::widgets
