// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/dialogs/typed_command.h"
#include "core/study/study.h"
#include "widgets/design/design_page.h"

#include <QObject>

#include <filesystem>

class QWidget;

namespace quadric::widgets {
class StudyWizard;
}

namespace quadric::app {

class StudySession;

/// What is asked in dialogs about the open study or a new one: in the wizard, or which file is meant.
class StudyDialogs : public QObject {
    Q_OBJECT

public:
    /// `window` is what the dialogs belong to. Both must outlive this.
    StudyDialogs(StudySession& session, QWidget& window);

    void newStudy();
    /// A study that is measured by this script or program.
    void newStudyWithScript(const QString& path);
    /// A new one that begins as the open study.
    void newStudyLikeThis();
    void editDesign(widgets::WizardStep step);
    /// Saves the study under its name and opens it. False: it could not be saved.
    bool create(const study::Study& study);
    void chooseStudy();
    void chooseSavePath();
    void chooseComparison();
    void exportPlots();

signals:
    void studyChosen(const QString& path);
    void comparisonChosen(const QString& name, const quadric::study::Study& study);
    void failed(const QString& title, const QString& reason);

private:
    void makeNew(widgets::StudyWizard& wizard, const TypedCommand& typed);
    void noteMade(const study::Study& study, const TypedCommand& typed);
    void openWizard(widgets::StudyWizard& wizard, widgets::WizardStep step,
                    const std::filesystem::path& document, const TypedCommand& typed);
    void offerTrial(widgets::StudyWizard& wizard, const std::filesystem::path& document,
                    const TypedCommand& typed);

    StudySession& m_session;
    QWidget& m_window;
    std::set<std::string> m_made; ///< what was typed in this session, see TypedCommand::makeKey()
};

} // namespace quadric::app
