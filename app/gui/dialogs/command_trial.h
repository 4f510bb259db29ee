// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"

#include <QObject>
#include <QWidget>

#include <filesystem>

namespace quadric::app {

/// Tries the command of a study that is being made: asks for approval where it is needed, runs the first
/// setting once and shows what was read.
class CommandTrial : public QObject {
    Q_OBJECT

public:
    /// `window` is what the dialogs belong to.
    explicit CommandTrial(QWidget& window);

    /// `document` is where the study lies or will lie.
    void start(const study::Study& study, const std::filesystem::path& document);

signals:
    void failed(const QString& title, const QString& reason);
    /// The user has picked numbers in the output.
    void parseChosen(const quadric::study::ParseSpec& parse);

private:
    void approveAndRun(const run::ApprovalRequest& request, const study::Study& study,
                       const std::filesystem::path& document);
    void run(const study::Study& study, const std::filesystem::path& document);

    QWidget& m_window;
};

} // namespace quadric::app
