// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/approval_box.h"
#include "app/gui/command_trial.h"
#include "app/gui/exchange.h"
#include "app/gui/help.h"
#include "app/gui/pages.h"
#include "app/gui/rail.h"
#include "app/gui/resources.h"
#include "app/gui/start_page.h"
#include "app/gui/status_line.h"
#include "app/gui/study_files.h"
#include "app/gui/window_actions.h"
#include "core/run/launch.h"
#include "core/run/trainer_devices.h"
#include "core/study/document.h"
#include "widgets/base/plain_text.h"
#include "widgets/design/labels.h"
#include "widgets/gallery/gallery_export.h"
#include "widgets/wizard/study_wizard.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

namespace quadric::app {

namespace {

constexpr QSize kFirstSize(1280, 800);
constexpr QSize kLeastSize(800, 520);
constexpr QSize kFrameSize(16, 48); ///< what a window manager puts around a window, generously

/// Style sheets read the colours of the palette once; a new palette needs them read again.
void applyStyleSheetsAgain()
{
    for (QWidget* widget : QApplication::allWidgets())
        if (!widget->styleSheet().isEmpty())
            widget->setStyleSheet(widget->styleSheet());
}

QString fileFilter()
{
    return MainWindow::tr("Studies (*.quadric)");
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

MainWindow::MainWindow(QSettings& store, QWidget* parent)
    : QMainWindow(parent)
    , m_store(store)
    , m_settings(loadSettings(store))
    , m_actions(new WindowActions(*this))
    , m_exchange(new Exchange(m_session.editor(), *this))
{
    loadResources();
    new widgets::PlainTexts(this);
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(kLeastSize);
    buildCentral();
    connectActions();
    connectSession();
    connectStart();
    connectExchange();
    if (!restoreGeometry(m_settings.windowGeometry))
        resize(kFirstSize.boundedTo(screen()->availableSize() - kFrameSize));
    m_actions->setTheme(m_settings.theme);
    showStart();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentral()
{
    m_start = new StartPage;
    m_rail = new Rail;
    m_pages = new Pages;
    m_status = new StatusLine;

    m_workspace = new QWidget;
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    columns->addWidget(m_rail);
    columns->addWidget(m_pages, 1);
    auto* rows = new QVBoxLayout(m_workspace);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(columns, 1);
    rows->addWidget(m_status);

    m_central = new QStackedWidget;
    m_central->addWidget(m_start);
    m_central->addWidget(m_workspace);
    setCentralWidget(m_central);
}

void MainWindow::connectActions()
{
    StudyEditor& editor = m_session.editor();
    m_actions->followUndoStack(editor.undoStack());
    connect(m_actions, &WindowActions::newRequested, this, &MainWindow::newStudy);
    connect(m_actions, &WindowActions::likeThisRequested, this, &MainWindow::newStudyLikeThis);
    connect(m_actions, &WindowActions::openRequested, this, &MainWindow::chooseStudy);
    connect(m_actions, &WindowActions::saveRequested, &m_session.autosave(), &Autosave::saveNow);
    connect(m_actions, &WindowActions::saveAsRequested, this, &MainWindow::chooseSavePath);
    connect(m_actions, &WindowActions::exportPlotsRequested, this, &MainWindow::exportPlots);
    connect(m_actions, &WindowActions::closeRequested, this, &MainWindow::closeStudy);
    connect(m_actions, &WindowActions::quitRequested, this, &QWidget::close);
    connect(m_actions, &WindowActions::undoRequested, &editor, &StudyEditor::undo);
    connect(m_actions, &WindowActions::redoRequested, &editor, &StudyEditor::redo);
    connect(m_actions, &WindowActions::editDesignRequested, this,
            [this] { editDesign(widgets::WizardStep::Design); });
    connect(m_actions, &WindowActions::stepRequested, this, &MainWindow::showStep);
    connect(m_actions, &WindowActions::themeRequested, this, &MainWindow::setTheme);
    connect(m_actions, &WindowActions::helpRequested, this, &MainWindow::showPageHelp);
    connect(m_actions, &WindowActions::aboutRequested, this, &MainWindow::showAbout);
}

void MainWindow::connectSession()
{
    StudyEditor& editor = m_session.editor();
    connect(&editor, &StudyEditor::contextChanged, this, &MainWindow::showContext);
    connect(&editor, &StudyEditor::refused, m_status, &StatusLine::showNotice);
    connect(&m_session.autosave(), &Autosave::dirtyChanged, this, &MainWindow::showTitle);
    connect(&m_session.autosave(), &Autosave::failed, m_status, &StatusLine::showNotice);
    connect(&m_session, &StudySession::opened, this, &MainWindow::noteOpened);
    connect(&m_session, &StudySession::warned, this, [this](const QStringList& warnings) {
        m_status->showNotice(warnings.join(QStringLiteral(" · ")));
    });
    connect(&m_session.experiment(), &Experiment::remainingChanged, m_status, &StatusLine::setRemaining);
    connect(&m_session.experiment(), &Experiment::message, m_status, &StatusLine::showNotice);
    connect(&m_session.experiment(), &Experiment::approvalWanted, this, [this](const QString& question) {
        askForApproval(this, question, [this] { m_session.experiment().approveAndStart(); });
    });
    m_pages->follow(m_session.experiment());
    connect(m_pages, &Pages::changeRequested, &editor, &StudyEditor::change);
    connect(m_pages, &Pages::stepRequested, this, &MainWindow::showStep);
    connect(m_rail, &Rail::stepPicked, this, &MainWindow::showStep);
    connect(&m_pages->designPage(), &widgets::DesignPage::editRequested, this, &MainWindow::editDesign);
    connect(&m_pages->designPage(), &widgets::DesignPage::comparisonFileRequested, this,
            &MainWindow::chooseComparison);
    connect(&m_pages->designPage(), &widgets::DesignPage::undoRequested, &editor, &StudyEditor::undo);
}

void MainWindow::connectStart()
{
    connect(m_start, &StartPage::newRequested, this, &MainWindow::newStudy);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::chooseStudy);
    connect(m_start, &StartPage::studyPicked, this, &MainWindow::openStudy);
    connect(m_start, &StartPage::examplePicked, this, &MainWindow::openExample);
}

void MainWindow::connectExchange()
{
    connect(m_start, &StartPage::importRequested, m_exchange, &Exchange::chooseImport);
    connect(m_actions, &WindowActions::importRequested, m_exchange, &Exchange::chooseImport);
    connect(m_actions, &WindowActions::exportRequested, m_exchange, &Exchange::chooseExport);
    connect(m_actions, &WindowActions::auditRequested, m_exchange, &Exchange::showAudit);
    connect(m_actions, &WindowActions::copyRunsRequested, m_exchange, &Exchange::copyRuns);
    connect(m_actions, &WindowActions::copyTablesRequested, m_exchange, &Exchange::copyTables);
    connect(m_exchange, &Exchange::studyDropped, this, &MainWindow::openStudy);
    connect(m_exchange, &Exchange::studyImported, this, &MainWindow::createStudy);
    connect(m_exchange, &Exchange::failed, this, &MainWindow::complain);
    connect(m_exchange, &Exchange::done, m_status, &StatusLine::showNotice);
}

void MainWindow::openStudy(const QString& path)
{
    const QString reason = m_session.open(path.toStdU16String());
    if (!reason.isEmpty())
        complain(tr("This study cannot be opened"), reason);
}

void MainWindow::openExample(const Example& example)
{
    try {
        openStudy(QString::fromStdU16String(copyExample(example).u16string()));
        if (!example.claims.isEmpty())
            m_exchange->showAudit();
    } catch (const std::exception& error) {
        complain(tr("The example cannot be copied"), QString::fromStdString(error.what()));
    }
}

void MainWindow::newStudy()
{
    openWizard(new widgets::StudyWizard(run::thisMachine(), this), widgets::WizardStep::Question);
}

void MainWindow::newStudyLikeThis()
{
    auto* wizard = new widgets::StudyWizard(run::thisMachine(), this);
    wizard->startFrom(m_session.editor().context()->study);
    openWizard(wizard, widgets::WizardStep::Question);
}

void MainWindow::openWizard(widgets::StudyWizard* wizard, widgets::WizardStep step)
{
    offerTrial(wizard, {});
    askForDevices(*wizard);
    wizard->setAttribute(Qt::WA_DeleteOnClose);
    wizard->setStep(step);
    connect(wizard, &QDialog::accepted, this, [this, wizard] { createStudy(wizard->study()); });
    wizard->open();
}

void MainWindow::createStudy(const study::Study& study)
{
    const QString reason = m_session.create(study);
    if (!reason.isEmpty())
        complain(tr("The new study cannot be saved"), reason);
}

/// A study that is not saved yet is tried where it will be.
void MainWindow::offerTrial(widgets::StudyWizard* wizard, const std::filesystem::path& document)
{
    auto* trial = new CommandTrial(*wizard);
    connect(trial, &CommandTrial::failed, this, &MainWindow::complain);
    connect(wizard, &widgets::StudyWizard::testRequested, trial,
            [trial, document](const study::Study& study) {
                trial->start(study,
                             document.empty() ? newStudyPath(QString::fromStdString(study.name)) : document);
            });
}

void MainWindow::editDesign(widgets::WizardStep step)
{
    auto* wizard = new widgets::StudyWizard(run::thisMachine(), this);
    wizard->setAttribute(Qt::WA_DeleteOnClose);
    wizard->editStudy(m_session.editor().context()->study);
    offerTrial(wizard, m_session.editor().context()->path);
    askForDevices(*wizard);
    wizard->setStep(step);
    connect(wizard, &QDialog::accepted, this,
            [this, wizard] { m_session.editor().change(wizard->study(), tr("Edit the design")); });
    wizard->open();
}

void MainWindow::chooseStudy()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a study"), studiesFolder(), fileFilter());
    if (!path.isEmpty())
        openStudy(path);
}

void MainWindow::chooseComparison()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Compare with a study"), studiesFolder(), fileFilter());
    if (path.isEmpty())
        return;
    try {
        const study::Study other = study::loadStudy(path.toStdU16String()).study;
        m_pages->designPage().compareWith(QString::fromStdString(other.name), other);
    } catch (const std::exception& error) {
        complain(tr("This study cannot be opened"), QString::fromStdString(error.what()));
    }
}

void MainWindow::chooseSavePath()
{
    const auto present = QString::fromStdU16String(m_session.editor().context()->path.u16string());
    QString path = QFileDialog::getSaveFileName(this, tr("Save the study as"), present, fileFilter());
    if (path.isEmpty())
        return;
    if (!path.endsWith(QStringLiteral(".quadric")))
        path += QStringLiteral(".quadric");
    const QString reason = m_session.saveAs(path.toStdU16String());
    if (!reason.isEmpty())
        complain(tr("The study is not saved there"), reason);
}

void MainWindow::exportPlots()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export all plots into a folder"));
    if (!folder.isEmpty())
        new widgets::GalleryExport(m_session.editor().context(), folder, this); // goes with its dialog
}

void MainWindow::closeStudy()
{
    if (mayClose())
        showStart();
}

bool MainWindow::mayClose()
{
    const bool isKept = m_session.editor().isOpen() && m_session.editor().context()->isRunning &&
                        m_session.autosave().isDirty();
    if (isKept && QMessageBox::question(
                      this, tr("The experiment goes on"),
                      tr("Your changes since it started can only be saved when it has ended. Close and lose "
                         "these changes? Nothing that was measured is lost.")) != QMessageBox::Yes)
        return false;
    if (m_session.close())
        return true;
    return QMessageBox::question(this, tr("The study could not be saved"),
                                 tr("Close it all the same and lose the last changes?")) == QMessageBox::Yes;
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        QTimer::singleShot(0, this, applyStyleSheetsAgain); // when every widget has the new palette
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    m_settings.windowGeometry = saveGeometry();
    store();
    event->accept();
}

void MainWindow::showStep(widgets::Step step)
{
    m_rail->setStep(step);
    m_pages->setStep(step);
}

void MainWindow::showContext(const widgets::ContextPointer& context)
{
    m_rail->setContext(*context);
    m_pages->setContext(context);
    m_status->setWords(statusWords(*context));
    showTitle();
}

void MainWindow::showTitle()
{
    const auto& context = m_session.editor().context();
    if (!context)
        return setWindowTitle(QStringLiteral("Quadric"));
    const QString name = QString::fromStdString(context->study.name);
    setWindowTitle(m_session.autosave().isDirty() ? name + QStringLiteral(" ●") : name);
}

void MainWindow::showStart()
{
    m_actions->setStudyOpen(false);
    m_start->setRecentStudies(m_settings.recentStudies);
    m_central->setCurrentWidget(m_start);
    showTitle();
}

void MainWindow::noteOpened(const QString& path)
{
    const auto& context = *m_session.editor().context();
    m_settings = withRecentStudy(m_settings, path);
    store();
    m_actions->setStudyOpen(true);
    m_central->setCurrentWidget(m_workspace);
    m_status->setRemaining(-1.0);
    showStep(context.isRunning ? widgets::Step::Run : widgets::Step::Design);
}

void MainWindow::setTheme(widgets::ThemeChoice choice)
{
    m_settings.theme = choice;
    store();
    widgets::applyTheme(*qApp, choice);
}

void MainWindow::showPageHelp()
{
    constexpr std::array topics = {"design", "run", "explore", "optimize", "report"};
    const bool isStart = m_central->currentWidget() == m_start;
    showHelp(this, QLatin1String(isStart ? "start" : topics[size_t(m_pages->step())]));
}

void MainWindow::showAbout()
{
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Quadric"),
                        tr("Quadric %1").arg(QCoreApplication::applicationVersion()), QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Interactive experiment design.\nGPL-3.0-or-later"));
    box->setIconPixmap(windowIcon().pixmap(64));
    box->open();
}

void MainWindow::complain(const QString& title, const QString& reason)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title, title, QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("complaint"));
    box->setInformativeText(reason);
    box->open();
}

void MainWindow::store()
{
    saveSettings(m_settings, m_store);
}

} // namespace quadric::app
