// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/dialogs/message_boxes.h"
#include "app/gui/dialogs/study_dialogs.h"
#include "app/gui/dialogs/warnings_dialog.h"
#include "app/gui/exchange_actions.h"
#include "app/gui/frame/rail.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/palette.h"
#include "app/gui/start/start_page.h"
#include "app/gui/window_actions.h"
#include "widgets/base/application_behavior.h"
#include "widgets/base/style.h"
#include "widgets/monitor/run_page.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace quadric::app {

namespace {

constexpr QSize kFirstSize(1280, 800);
constexpr QSize kLeastSize(800, 520);

/// Style sheets read the colors of the palette once; a new palette needs them read again.
void applyStyleSheetsAgain()
{
    for (QWidget* widget : QApplication::allWidgets())
        if (!widget->styleSheet().isEmpty())
            widget->setStyleSheet(widget->styleSheet());
}

/// "Scaling — scaling.quadric (~/Studies)": two studies of one name are told apart.
QString titleOf(const widgets::StudyContext& context)
{
    QString name = QString::fromStdString(context.study.name);
    if (context.path.empty())
        return name;
    const QFileInfo file(QString::fromStdU16String(context.path.u16string()));
    QString folder = file.absolutePath();
    const QString home = QDir::homePath();
    if (folder == home || folder.startsWith(home + QLatin1Char('/')))
        folder.replace(0, home.size(), QStringLiteral("~"));
    return MainWindow::tr("%1 — %2 (%3)").arg(name, file.fileName(), folder);
}

} // namespace

MainWindow::MainWindow(QSettings& store, QWidget* parent)
    : QMainWindow(parent)
    , m_store(store)
    , m_settings(loadSettings(store))
    , m_dialogs(new StudyDialogs(m_session, *this))
    , m_exchange(new Exchange(m_session.editor(), *this))
    , m_actions(new WindowActions(*this, m_session, *m_dialogs, *m_exchange))
{
    loadResources();
    new widgets::PlainTexts(this);
    new widgets::UndoKeys(this);
    new widgets::FocusRing(this);
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(kLeastSize);
    buildCentral();
    connectActions();
    connectSession();
    connectWarnings();
    connectPalette();
    connectStart();
    connectDialogs();
    connectExchange();
    if (!restoreGeometry(m_settings.windowGeometry))
        widgets::resizeWithinScreen(*this, kFirstSize);
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
    m_banner = new DocumentBanner(m_session.document());

    m_workspace = new QWidget;
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    columns->addWidget(m_rail);
    columns->addWidget(m_pages, 1);
    auto* rows = new QVBoxLayout(m_workspace);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_banner);
    rows->addLayout(columns, 1);
    rows->addWidget(m_status);

    m_central = new QStackedWidget;
    m_central->addWidget(m_start);
    m_central->addWidget(m_workspace);
    setCentralWidget(m_central);
}

void MainWindow::connectActions()
{
    connect(m_actions, &WindowActions::closeRequested, this, &MainWindow::closeStudy);
    connect(m_actions, &WindowActions::stepRequested, this, &MainWindow::showStep);
    connect(m_actions, &WindowActions::themeRequested, this, &MainWindow::setTheme);
    connect(m_actions, &WindowActions::helpRequested, this, [this] {
        if (!showHelpOnFocus(*this))
            showPageHelp();
    });
    connect(m_actions, &WindowActions::pageHelpRequested, this, &MainWindow::showPageHelp);
}

void MainWindow::connectSession()
{
    StudyEditor& editor = m_session.editor();
    connect(&editor, &StudyEditor::contextChanged, this, &MainWindow::showContext);
    connect(&editor, &StudyEditor::refused, m_status, &StatusLine::showNotice);
    connect(&m_session.autosave(), &Autosave::dirtyChanged, this, &MainWindow::showTitle);
    connect(&m_session.document(), &StudyDocument::message, m_status, &StatusLine::showNotice);
    connect(&m_session.document(), &StudyDocument::failed, m_status, &StatusLine::showNotice);
    connect(m_banner, &DocumentBanner::saveAsRequested, m_dialogs, &StudyDialogs::chooseSavePath);
    connect(&m_session, &StudySession::opened, this, &MainWindow::showOpenedStudy);
    connect(&m_session, &StudySession::warned, this, [this](const QStringList& warnings) {
        m_status->showNotice(warnings.join(QStringLiteral(" · ")));
    });
    connect(&m_session.experiment(), &Experiment::newsChanged, m_status,
            [this](const run::RunnerNews& news) { m_status->setRemaining(news.remaining); });
    connect(&m_session.experiment(), &Experiment::message, m_status, [this](const auto& message) {
        const bool isPassing = message.severity == widgets::RunMessage::Severity::News;
        if (isPassing || m_pages->step() != widgets::Step::Run) // which shows the others itself
            m_status->showNotice(message.words);
    });
    connect(&m_session.experiment(), &Experiment::approvalWanted, this, [this](const QString& question) {
        askForApproval(this, question, [this] { m_session.experiment().approveAndStart(); });
    });
    m_pages->follow(m_session.experiment());
    connect(m_pages, &Pages::changeRequested, &editor, &StudyEditor::change);
    connect(m_pages, &Pages::stepRequested, this, &MainWindow::showStep);
    connect(m_rail, &Rail::stepPicked, this, &MainWindow::showStep);
    connect(&m_pages->designPage(), &widgets::DesignPage::editRequested, m_dialogs,
            &StudyDialogs::editDesign);
    connect(&m_pages->runPage(), &widgets::RunPage::editRequested, m_dialogs,
            [this] { m_dialogs->editDesign(widgets::WizardStep::Measurement); });
    connect(&m_pages->designPage(), &widgets::DesignPage::comparisonFileRequested, m_dialogs,
            &StudyDialogs::chooseComparison);
    connect(m_pages, &Pages::undoRequested, &editor, &StudyEditor::undo);
    connect(m_pages, &Pages::runsPicked, m_status, [this](const widgets::PickedRuns& runs) {
        if (runs.all.size() > 1)
            m_status->showNotice(widgets::pickedText(runs));
    });
}

void MainWindow::connectWarnings()
{
    auto* remedies = new Remedies(m_session.editor(), *m_pages, *this);
    connect(m_status, &StatusLine::warningsClicked, remedies, &Remedies::showWarnings);
    connect(m_pages, &Pages::remedyRequested, remedies, &Remedies::take);
    connect(remedies, &Remedies::stepRequested, this, &MainWindow::showStep);
}

void MainWindow::connectPalette()
{
    auto* palette = new Palette(m_session.editor(), *m_pages, *this);
    connect(m_actions, &WindowActions::paletteRequested, palette,
            [this, palette] { palette->show(m_settings.recentStudies); });
    connect(palette, &Palette::stepRequested, this, &MainWindow::showStep);
    connect(palette, &Palette::studyPicked, this, &MainWindow::openStudy);
}

void MainWindow::connectStart()
{
    connect(m_start, &StartPage::newRequested, m_dialogs, &StudyDialogs::newStudy);
    connect(m_start, &StartPage::openRequested, m_dialogs, &StudyDialogs::chooseStudy);
    connect(m_start, &StartPage::studyPicked, this, &MainWindow::openStudy);
    connect(m_start, &StartPage::removeRequested, this, &MainWindow::forgetStudy);
    connect(m_start, &StartPage::examplePicked, this, &MainWindow::openExample);
}

void MainWindow::connectDialogs()
{
    connect(m_dialogs, &StudyDialogs::studyChosen, this, &MainWindow::openStudy);
    connect(m_dialogs, &StudyDialogs::comparisonChosen, &m_pages->designPage(),
            &widgets::DesignPage::compareWith);
    connect(m_dialogs, &StudyDialogs::failed, this, &MainWindow::complain);
}

void MainWindow::connectExchange()
{
    connect(m_start, &StartPage::importRequested, m_exchange, &Exchange::chooseImport);
    connect(m_exchange, &Exchange::studyChosen, this, &MainWindow::openStudy);
    connect(m_exchange, &Exchange::scriptChosen, m_dialogs, &StudyDialogs::newStudyWithScript);
    connect(m_exchange, &Exchange::studyImported, m_dialogs, &StudyDialogs::create);
    connect(m_exchange, &Exchange::failed, this, &MainWindow::complain);
    connect(m_exchange, &Exchange::done, m_status, &StatusLine::showNotice);
}

void MainWindow::openStudy(const QString& path)
{
    const QString reason = m_session.open(path.toStdU16String());
    if (!reason.isEmpty())
        complain(tr("This study cannot be opened"), reason);
}

void MainWindow::openFile(const QString& path)
{
    m_exchange->openFile(path);
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
    m_dialogs->newStudy();
}

void MainWindow::closeStudy()
{
    if (confirmClose())
        showStart();
}

bool MainWindow::confirmClose()
{
    if (m_session.close())
        return true;
    if (!confirmLosingUnsavedChanges(*this))
        return false;
    m_session.discard();
    return true;
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        QTimer::singleShot(0, this, applyStyleSheetsAgain); // when every widget has the new palette
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!confirmClose()) {
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
    const int warnings = countWarnings(*context);
    m_rail->setContext(*context, warnings);
    m_pages->setContext(context, m_session.editor().analyzed());
    m_status->setWords(statusWords(*context));
    m_status->setWarnings(warnings);
    if (context->isRunning && !m_wasRunning)
        m_status->showNotice(tr("Runs go on when you close Quadric."));
    m_wasRunning = context->isRunning;
    showTitle();
}

void MainWindow::showTitle()
{
    const auto& context = m_session.editor().context();
    if (!context)
        return setWindowTitle(QStringLiteral("Quadric"));
    const QString name = titleOf(*context);
    setWindowTitle(m_session.autosave().isDirty() ? name + QStringLiteral(" ●") : name);
}

void MainWindow::showStart()
{
    m_actions->setStudyOpen(false);
    m_wasRunning = false;
    m_start->setRecentStudies(m_settings.recentStudies);
    m_central->setCurrentWidget(m_start);
    showTitle();
}

void MainWindow::showOpenedStudy(const QString& path)
{
    const auto& context = *m_session.editor().context();
    m_settings = withRecentStudy(m_settings, path);
    store();
    m_actions->setStudyOpen(true);
    m_central->setCurrentWidget(m_workspace);
    m_status->setRemaining(m_session.experiment().news().remaining);
    showStep(openingStep(context));
}

void MainWindow::forgetStudy(const QString& path)
{
    m_settings = withoutRecentStudy(m_settings, path);
    store();
    m_start->setRecentStudies(m_settings.recentStudies);
}

void MainWindow::setTheme(widgets::ThemeChoice choice)
{
    m_settings.theme = choice;
    store();
    widgets::applyTheme(*qApp, choice);
}

void MainWindow::showPageHelp()
{
    const bool isStart = m_central->currentWidget() == m_start;
    showHelp(this, QLatin1String(isStart ? "start" : helpPageName(m_pages->step())));
}

void MainWindow::complain(const QString& title, const QString& reason)
{
    showComplaint(*this, title, reason);
}

void MainWindow::store()
{
    saveSettings(m_settings, m_store);
}

} // namespace quadric::app
