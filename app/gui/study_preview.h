// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QString>

#include <filesystem>
#include <optional>

namespace quadric::app {

/// What a card of the start page shows of a study.
struct StudyPreview {
    QString title;
    QString words;     ///< "15 of 15 runs done · simulated"
    QPixmap thumbnail; ///< the fitted surface, or the design where nothing is fitted yet
};

/// Reads the study at `path` (a file or a resource). Empty when it cannot be read.
std::optional<StudyPreview> previewOf(const QString& path, const QSize& size, qreal devicePixelRatio,
                                      const QPalette& palette);

} // namespace quadric::app
