// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/study/study.h"
#include "widgets/design/design_page.h"

#include <QObject>
#include <QWidget>

#include <filesystem>
#include <set>
#include <string>

namespace quadric::widgets {
class StudyWizard;
}

namespace quadric::app {

/// What was typed into this window, whose author is not asked whether it may run. What a file brings is none
/// of it: a study that is edited must have been approved as it was, have been made in this session, or have
/// brought nothing that a command would be given.
class TypedCommand {
public:
    /// Of a new study.
    TypedCommand() = default;
    /// Of a study that is edited. `made` is what was made in this session, see makeKey().
    TypedCommand(const study::Study& study, const std::filesystem::path& document,
                 const std::set<std::string>& made);

    /// Of a study that begins with what another one brings: nothing of it was typed.
    static TypedCommand none();

    bool isTyped() const { return m_isTyped; }

    /// Approves the command of `study` where it was typed, at the moment in which its author wants it. What
    /// was not changed is left to the approval that it has. Where the approval cannot be kept, the question
    /// comes later.
    void approve(const study::Study& study, const std::filesystem::path& document) const;

    /// What would be executed if the study were measured by a command.
    static std::string makeKey(study::Study study, const std::filesystem::path& document);

private:
    bool m_isTyped = true;
    std::string m_before; ///< recipe of the study that is edited; empty: none
};

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
