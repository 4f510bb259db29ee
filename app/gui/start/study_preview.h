// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QPalette>
#include <QPixmap>
#include <QString>

#include <optional>

namespace quadric::app {

/// What a card of the start page shows of a study.
struct StudyPreview {
    study::Study study;
    QString words;          ///< "15 of 15 runs done · simulated", "running · 3 of 15 runs done"
    bool isRunning = false; ///< a runner has it
    QString timeLeft;       ///< "about 4 minutes left"; empty where nobody knows
};

/// Reads the study at `path` (a file or a resource). Empty when it cannot be read.
std::optional<StudyPreview> readPreview(const QString& path);

/// Whether a runner has the study at `path`: cheap enough to be asked every second.
bool isBeingRun(const QString& path);

/// Three claims of a page beside their verdicts, for an example that checks claims.
QPixmap drawClaims(const QSize& size, qreal devicePixelRatio, const QPalette& palette);

} // namespace quadric::app
