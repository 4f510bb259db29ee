// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/study_dialogs.h"

#include "app/gui/dialogs/message_boxes.h"
#include "app/gui/dialogs/warnings_dialog.h"
#include "app/gui/session/study_session.h"
#include "core/run/launch/launch.h"
#include "core/run/words/run_files.h"
#include "core/run/worker/active_run.h"
#include "core/study/new_records.h"
#include "widgets/gallery/study_pictures.h"
#include "widgets/wizard/command/trial_dialog.h"
#include "widgets/wizard/study_wizard.h"

#include <QFileDialog>

#include <algorithm>

namespace quadric::app {

namespace {

bool hasText(const study::Settings& settings)
{
    return std::ranges::any_of(
        settings, [](const auto& each) { return std::holds_alternative<std::string>(each.second); });
}

/// No part of a command, and no text that one would be given.
bool bringsNothing(const study::Study& study)
{
    const study::Benchmark& benchmark = study.benchmark;
    return benchmark.argv.empty() && benchmark.env.empty() && benchmark.cwd.empty() &&
           !benchmark.slurm.holdsCommands() && !hasText(benchmark.options) && !hasText(study.fixed) &&
           std::ranges::all_of(study.factors, &study::Factor::isNumeric);
}

QString fileFilter()
{
    return StudyDialogs::tr("Studies (*.quadric)");
}

/// A study that is not saved yet has no document: where it will be.
std::filesystem::path documentOr(const std::filesystem::path& document, const study::Study& study)
{
    return document.empty() ? newStudyPath(QString::fromStdString(study.name)) : document;
}

/// The wizard starts nothing itself.
void askForDevices(widgets::StudyWizard& wizard)
{
    auto* question = new run::TrainerDevicesQuestion(&wizard);
    QObject::connect(question, &run::TrainerDevicesQuestion::answered, &wizard,
                     &widgets::StudyWizard::setDevices);
    question->start();
}

} // namespace

TypedCommand::TypedCommand(const study::Study& study, const std::filesystem::path& document,
                           const std::set<std::string>& made)
{
    const run::ApprovalRequest request(study, document);
    const bool isKnown = run::needsApproval(study) ? request.isApproved() : bringsNothing(study);
    m_isTyped = isKnown || made.contains(makeKey(study, document));
    m_before = request.recipe();
}

TypedCommand TypedCommand::none()
{
    TypedCommand command;
    command.m_isTyped = false;
    return command;
}

void TypedCommand::approve(const study::Study& study, const std::filesystem::path& document) const
{
    if (!m_isTyped)
        return;
    try {
        const run::ApprovalRequest request(study, document);
        if (request.recipe() != m_before)
            request.approve();
    } catch (const std::exception&) {
        return; // it is asked for before it is executed
    }
}

std::string TypedCommand::makeKey(study::Study study, const std::filesystem::path& document)
{
    study.benchmark.workload = "command";
    return run::ApprovalRequest(study, document).recipe();
}

CommandTrial::CommandTrial(QWidget& window)
    : QObject(&window)
    , m_window(window)
{
}

void CommandTrial::start(const study::Study& study, const std::filesystem::path& document)
{
    try {
        const run::ApprovalRequest request(study, document);
        if (request.isApproved())
            return run(study, document);
        askForApproval(&m_window, request.question(),
                       [this, request, study, document] { approveAndRun(request, study, document); });
    } catch (const std::exception& error) {
        emit failed(tr("The command has a mistake"), QString::fromUtf8(error.what()));
    }
}

void CommandTrial::approveAndRun(const run::ApprovalRequest& request, const study::Study& study,
                                 const std::filesystem::path& document)
{
    try {
        request.approve();
    } catch (const std::exception& error) {
        emit failed(tr("The approval cannot be saved"), QString::fromUtf8(error.what()));
        return;
    }
    run(study, document);
}

void CommandTrial::run(const study::Study& study, const std::filesystem::path& document)
{
    try {
        std::filesystem::create_directories(document.parent_path());
        auto trial = std::make_unique<run::Trial>(study, 0, document);
        auto* dialog = new widgets::TrialDialog(study, trial->settings(), &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        run::Trial* running = trial.release();
        running->setParent(dialog); // closing the dialog ends the program
        connect(running, &run::Trial::ended, dialog, &widgets::TrialDialog::setReport);
        connect(dialog, &widgets::TrialDialog::stopRequested, running, &run::Trial::stop);
        connect(dialog, &widgets::TrialDialog::parseChosen, this, &CommandTrial::parseChosen);
        running->start();
        dialog->open();
    } catch (const std::exception& error) {
        emit failed(tr("The command has a mistake"), QString::fromUtf8(error.what()));
    }
}

StudyDialogs::StudyDialogs(StudySession& session, QWidget& window)
    : QObject(&window)
    , m_session(session)
    , m_window(window)
{
}

void StudyDialogs::newStudy()
{
    makeNew(*new widgets::StudyWizard(run::thisMachine(), &m_window), TypedCommand());
}

void StudyDialogs::newStudyWithScript(const QString& path)
{
    auto* wizard = new widgets::StudyWizard(run::thisMachine(), &m_window);
    wizard->startWithScript(path);
    makeNew(*wizard, TypedCommand());
}

void StudyDialogs::newStudyLikeThis()
{
    auto* wizard = new widgets::StudyWizard(run::thisMachine(), &m_window);
    wizard->startFrom(m_session.editor().context()->study);
    makeNew(*wizard, TypedCommand::none());
}

void StudyDialogs::makeNew(widgets::StudyWizard& wizard, const TypedCommand& typed)
{
    connect(&wizard, &QDialog::accepted, this, [this, &wizard, typed] {
        if (create(wizard.study()))
            noteMade(wizard.study(), typed);
    });
    openWizard(wizard, widgets::WizardStep::Question, {}, typed);
}

void StudyDialogs::editDesign(widgets::WizardStep step)
{
    auto* wizard = new widgets::StudyWizard(run::thisMachine(), &m_window);
    const widgets::ContextPointer start = m_session.editor().context();
    const TypedCommand typed(start->study, start->path, m_made);
    wizard->editStudy(start->study);
    connect(wizard, &QDialog::accepted, this, [this, wizard, start, typed] {
        StudyEditor& editor = m_session.editor(); // its study may have changed meanwhile
        if (!editor.isOpen() || editor.context()->path != start->path)
            return;
        editor.change(study::withNewRecords(wizard->study(), start->study, editor.context()->study),
                      tr("Edit the design"));
        noteMade(wizard->study(), typed);
    });
    openWizard(*wizard, step, start->path, typed);
}

/// The open study was made in the wizard.
void StudyDialogs::noteMade(const study::Study& study, const TypedCommand& typed)
{
    const std::filesystem::path& path = m_session.editor().context()->path;
    typed.approve(study, path);
    if (typed.isTyped())
        m_made.insert(TypedCommand::makeKey(study, path));
}

void StudyDialogs::openWizard(widgets::StudyWizard& wizard, widgets::WizardStep step,
                              const std::filesystem::path& document, const TypedCommand& typed)
{
    wizard.setAttribute(Qt::WA_DeleteOnClose);
    connect(&wizard, &widgets::StudyWizard::helpRequested, &wizard,
            [&wizard](const QString& topic) { showHelp(&wizard, topic); });
    wizard.setDestination([document](const study::Study& study) {
        return QString::fromStdU16String(documentOr(document, study).u16string());
    });
    offerTrial(wizard, document, typed);
    askForDevices(wizard);
    wizard.setDocument(documentOr(document, wizard.study()), document.empty());
    wizard.setStep(step);
    wizard.open();
}

/// A study that is not saved yet is tried where it will be.
void StudyDialogs::offerTrial(widgets::StudyWizard& wizard, const std::filesystem::path& document,
                              const TypedCommand& typed)
{
    auto* trial = new CommandTrial(wizard);
    connect(trial, &CommandTrial::failed, this, &StudyDialogs::failed);
    connect(trial, &CommandTrial::parseChosen, &wizard, &widgets::StudyWizard::setParse);
    connect(&wizard, &widgets::StudyWizard::testRequested, trial,
            [trial, document, typed](const study::Study& study) {
                const std::filesystem::path place = documentOr(document, study);
                typed.approve(study, place);
                trial->start(study, place);
            });
}

bool StudyDialogs::create(const study::Study& study)
{
    const QString reason = m_session.create(study);
    if (!reason.isEmpty())
        emit failed(tr("The new study cannot be saved"), reason);
    return reason.isEmpty();
}

void StudyDialogs::chooseStudy()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open a study"), studiesFolder(), fileFilter());
    if (!path.isEmpty())
        emit studyChosen(path);
}

void StudyDialogs::chooseComparison()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Compare with a study"), studiesFolder(), fileFilter());
    if (path.isEmpty())
        return;
    try {
        const study::Study other = study::loadStudy(path.toStdU16String()).study;
        emit comparisonChosen(QString::fromStdString(other.name), other);
    } catch (const std::exception& error) {
        emit failed(tr("This study cannot be opened"), QString::fromStdString(error.what()));
    }
}

void StudyDialogs::chooseSavePath()
{
    const auto present = QString::fromStdU16String(m_session.editor().context()->path.u16string());
    QString path = QFileDialog::getSaveFileName(&m_window, tr("Save the study as"), present, fileFilter());
    if (path.isEmpty())
        return;
    if (!path.endsWith(QStringLiteral(".quadric")))
        path += QStringLiteral(".quadric");
    const QString reason = m_session.saveAs(path.toStdU16String());
    if (!reason.isEmpty())
        emit failed(tr("The study is not saved there"), reason);
}

void StudyDialogs::exportPlots()
{
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Export plots into a folder"));
    if (folder.isEmpty())
        return;
    const widgets::ContextPointer context = m_session.editor().analyzed();
    const auto samples = [path = context->path](int run) { return run::RunFiles(path, run).read().samples; };
    new widgets::GalleryExport(context, samples, folder, &m_window); // goes with its dialog
}

} // namespace quadric::app
