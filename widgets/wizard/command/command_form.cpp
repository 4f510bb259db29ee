// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/command_form.h"

#include "core/run/proposal/command_line.h"
#include "core/run/proposal/ready_recipes.h"
#include "core/run/proposal/script_settings.h"
#include "core/study/benchmark.h"
#include "widgets/base/style.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/command/reading_form.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <algorithm>

namespace quadric::widgets {

namespace {

using Environment = decltype(study::Benchmark::env);

/// NAME=value, a line each.
QString asLines(const Environment& environment)
{
    QStringList lines;
    for (const auto& [name, value] : environment)
        lines << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    return lines.join(QLatin1Char('\n'));
}

/// The reverse; lines of another kind are left out.
Environment parseEnvironmentText(const QString& text)
{
    Environment environment;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const qsizetype at = line.indexOf(QLatin1Char('='));
        const QString name = line.left(at).trimmed();
        if (at > 0 && !name.isEmpty())
            environment[name.toStdString()] = line.mid(at + 1).toStdString();
    }
    return environment;
}

constexpr int kPatienceMs = 30'000; ///< a cold import from a network disk takes its time

constexpr int kEnvironmentLines = 3;

std::vector<std::string> splitCommandLine(const QString& line)
{
    return run::splitCommand(line.toStdString());
}

/// The one file that is dragged; empty for anything else.
QString draggedFile(const QMimeData* data)
{
    const QList<QUrl> urls = data ? data->urls() : QList<QUrl>();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

TorchProbe::TorchProbe(QObject* parent)
    : QObject(parent)
{
    connect(&m_python, &QProcess::finished, this, &TorchProbe::reportProbeResult);
    connect(&m_python, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            reportProbeResult();
    });
}

TorchProbe::~TorchProbe()
{
    m_python.disconnect(this);
    m_python.kill();
    m_python.waitForFinished();
}

void TorchProbe::ask()
{
    if (!m_sentence.isEmpty())
        return emit told(m_sentence);
    if (m_python.state() != QProcess::NotRunning)
        return;
    m_python.start(QStringLiteral("python3"),
                   {QStringLiteral("-c"), QString::fromStdString(run::torchScript())});
    QTimer::singleShot(kPatienceMs, &m_python, &QProcess::kill);
}

void TorchProbe::reportProbeResult()
{
    const std::string output = m_python.readAllStandardOutput().toStdString();
    m_sentence = QString::fromStdString(run::describeTorch(run::readTorchReport(output)));
    emit told(m_sentence);
}

CommandForm::CommandForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_recipe(new QComboBox)
    , m_undo(linkButton(tr("Undo")))
    , m_torch(mutedLabel({}))
    , m_probe(new TorchProbe(this))
    , m_command(new QLineEdit)
    , m_preview(mutedLabel({}))
    , m_help(mutedLabel({}))
    , m_add(linkButton({}))
    , m_commandNote(new FieldNote("commandProblem", tr("What is wrong with the command")))
    , m_environment(new QPlainTextEdit)
    , m_environmentNote(new FieldNote("environmentProblem", tr("What is wrong with the environment")))
    , m_folder(new QLineEdit)
    , m_folderNote(new FieldNote("folderProblem", tr("What is wrong with the folder")))
    , m_timeout(new QSpinBox)
    , m_reading(new ReadingForm)
    , m_test(quietButton(tr("T&est with run 1…")))
{
    setUpFields();
    nameFields();
    buildRows();
    connectFields();
}

void CommandForm::setUpFields()
{
    m_form->setContentsMargins(0, 0, kGap, 0);
    m_form->setHorizontalSpacing(kPageMargin);
    m_form->setVerticalSpacing(kGap);
    m_timeout->setRange(1, 7 * 24 * 3600);
    m_timeout->setSuffix(tr(" s"));
    m_command->setPlaceholderText(tr("python3 train.py --rate {rate}"));
    m_folder->setPlaceholderText(tr("the study's folder"));
    m_environment->setPlaceholderText(tr("NCCL_ALGO={algorithm}"));
    m_environment->setTabChangesFocus(true);
    m_environment->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // or its row takes what is left
    m_environment->setFixedHeight(kEnvironmentLines * fontMetrics().lineSpacing() + 2 * kGap);
    m_preview->setTextFormat(Qt::PlainText);
    m_preview->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_preview->setFont(fixedFont());
    m_undo->hide();
    m_torch->hide();
    setAcceptDrops(true);
    for (QWidget* field :
         {static_cast<QWidget*>(m_command), static_cast<QWidget*>(m_folder), m_environment->viewport()})
        field->setAcceptDrops(false); // a file that is dropped on them is the page's
}

void CommandForm::nameFields()
{
    nameWidget(m_recipe, "commandRecipe", tr("Template for the command"));
    nameWidget(m_torch, "foundTorch", tr("PyTorch on this machine"));
    nameWidget(m_undo, "undoRecipe", tr("Bring back the command as it was typed"));
    nameWidget(m_command, "command", tr("Command"));
    nameWidget(m_add, "addUnmentioned", tr("Add the factors that the command does not mention"));
    nameWidget(m_preview, "commandPreview", tr("The command as it will be run"));
    nameWidget(m_help, "commandHelp", tr("How the values of factors reach the program"));
    nameWidget(m_environment, "commandEnvironment", tr("Environment, NAME=value, a line each"));
    nameWidget(m_folder, "commandFolder", tr("Working folder"));
    nameWidget(m_timeout, "commandTimeout", tr("Time limit per run"));
    nameWidget(m_test, "testCommand", tr("Run the first setting once and show what is read"));
}

void CommandForm::connectFields()
{
    connect(m_recipe, &QComboBox::activated, this, &CommandForm::applyRecipe);
    connect(m_probe, &TorchProbe::told, m_torch, &QLabel::setText);
    connect(m_undo, &QPushButton::clicked, this, &CommandForm::undoChange);
    connect(m_add, &QPushButton::clicked, this, &CommandForm::addUnmentioned);
    connect(m_command, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &CommandForm::take);
    connect(m_folder, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_timeout, &QSpinBox::valueChanged, this, &CommandForm::take);
    connect(m_reading, &ReadingForm::edited, this, &CommandForm::take);
    connect(m_test, &QPushButton::clicked, this, &CommandForm::testRequested);
}

void CommandForm::buildRows()
{
    m_test->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_test->setToolTip(tr("On this machine, once. The test run is not saved."));
    auto* script = quietButton(tr("Bro&wse…"));
    auto* folder = quietButton(tr("Brow&se…"));
    script->setToolTip(tr("A script or program. You can also drop it on this page."));
    nameWidget(script, "browseScript", tr("Choose a script or program"));
    nameWidget(folder, "browseFolder", tr("Choose the working folder"));
    connect(script, &QPushButton::clicked, this, &CommandForm::browseScript);
    connect(folder, &QPushButton::clicked, this, &CommandForm::browseFolder);
    addLabeledRow(*m_form, tr("Te&mplate"), m_recipe, {besideButton(m_recipe, m_undo), m_torch});
    addLabeledRow(*m_form, tr("&Command"), m_command,
                  {besideButton(m_command, script), m_preview, m_commandNote, m_add, m_help});
    m_form->addRow(tr("&Results from"), m_reading);
    addLabeledRow(*m_form, tr("Fol&der"), m_folder, {besideButton(m_folder, folder), m_folderNote});
    addLabeledRow(*m_form, tr("En&vironment"), m_environment, {m_environment, m_environmentNote});
    m_form->addRow(tr("&Time limit"), m_timeout);
    m_form->addRow({}, m_test);
    m_form->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));
}

void CommandForm::fillRecipes()
{
    if (m_recipe->count() > 0)
        return;
    m_recipe->addItem(tr("(none)"));
    for (const run::ReadyRecipe& recipe : run::readyRecipes(m_study)) {
        m_recipe->addItem(fromUtf8(recipe.name));
        m_recipe->setItemData(m_recipe->count() - 1, fromUtf8(recipe.what), Qt::ToolTipRole);
    }
}

void CommandForm::setStudy(const study::Study& study)
{
    m_isShowing = true;
    m_study = study;
    const study::Benchmark& benchmark = study.benchmark;
    fillRecipes();
    if (benchmark.argv != m_made.argv)
        m_recipe->setCurrentIndex(0);
    if (benchmark != m_made) { // changed elsewhere, which *Undo* would take back as well
        m_before.reset();
        m_made = benchmark;
    }
    if (splitCommandLine(m_command->text()) != benchmark.argv) {
        m_command->setText(QString::fromStdString(run::joinCommand(benchmark.argv)));
        m_command->setCursorPosition(0);
    }
    if (parseEnvironmentText(m_environment->toPlainText()) != benchmark.env)
        m_environment->setPlainText(asLines(benchmark.env));
    if (m_folder->text().toStdString() != benchmark.cwd)
        m_folder->setText(QString::fromStdString(benchmark.cwd));
    m_timeout->setValue(int(benchmark.timeoutSeconds));
    m_reading->setStudy(study);
    m_isShowing = false;
    check();
}

void CommandForm::setDocument(const std::filesystem::path& document, bool isNew)
{
    m_document = document;
    m_accepted = isNew ? std::vector<run::RecipeProblem>() : findProblems();
    check();
}

std::vector<run::RecipeProblem> CommandForm::findProblems() const
{
    std::vector<run::RecipeProblem> problems = run::findRecipeProblems(m_study);
    if (!m_document.empty()) {
        const auto here = run::findPlaceProblems(m_study, m_document);
        problems.insert(problems.end(), here.begin(), here.end());
    }
    return problems;
}

/// The command as it would be run, and what is wrong with it.
void CommandForm::check()
{
    m_problems = findProblems();
    const QString preview = QString::fromStdString(run::makeCommandPreview(m_study));
    m_preview->setText(preview.isEmpty() ? QString() : tr("Run 1: %1").arg(preview));
    m_preview->setVisible(!preview.isEmpty());
    m_commandNote->showProblems(m_problems, {QStringLiteral("benchmark.argv")});
    m_environmentNote->showProblems(m_problems, {QStringLiteral("benchmark.env")});
    m_folderNote->showProblems(m_problems, {QStringLiteral("benchmark.cwd")});
    m_reading->showProblems(m_problems);
    m_test->setEnabled(std::ranges::none_of(m_problems, &run::RecipeProblem::isError));
    m_undo->setVisible(m_before.has_value());
    showHelp();
    const QString missing = QString::fromStdString(run::joinCommand(run::argumentsForUnmentioned(m_study)));
    m_add->setText(tr("Add %1").arg(missing));
    m_add->setVisible(!missing.isEmpty() && !m_study.benchmark.argv.empty());
}

/// How factors reach the program that is started.
void CommandForm::showHelp()
{
    const QString values =
        run::readsSettings(m_study)
            ? tr("The script reads each factor by its name: quadric.setting(\"batch\", 8).")
            : tr("Write {factor} where its value goes, {run_id} for the number of the run.");
    m_help->setText(values + QLatin1Char(' ') + tr("No shell: pipes and wildcards do not work."));
}

void CommandForm::addUnmentioned()
{
    const study::Benchmark before = m_study.benchmark;
    study::Benchmark benchmark = before;
    const std::vector<std::string> more = run::argumentsForUnmentioned(m_study);
    benchmark.argv.insert(benchmark.argv.end(), more.begin(), more.end());
    change(benchmark);
    m_before = before;
    check();
}

QStringList CommandForm::refusals() const
{
    QStringList words;
    for (const run::RecipeProblem& problem : m_problems)
        if (problem.isError && std::ranges::find(m_accepted, problem) == m_accepted.end())
            words << tr("Measurement: %1").arg(QString::fromStdString(problem.message));
    return words;
}

/// Each recipe starts from what was there before the first one.
void CommandForm::applyRecipe(int index)
{
    study::Study base = m_study;
    if (m_before)
        base.benchmark = *m_before;
    if (index == 0)
        return undoChange();
    const study::Benchmark before = base.benchmark;
    change(run::readyRecipes(base)[size_t(index - 1)].made);
    m_before = before;
    check();
    showTorch();
}

/// A template that starts PyTorch tells which one there is.
void CommandForm::showTorch()
{
    const bool needsTorch = std::ranges::any_of(
        m_made.argv, [](const std::string& each) { return each.find("torch") != std::string::npos; });
    m_torch->setVisible(needsTorch && m_recipe->currentIndex() > 0);
    if (!m_torch->isHidden())
        m_probe->ask();
}

/// The window shows it when it comes back.
void CommandForm::change(const study::Benchmark& benchmark)
{
    m_made = benchmark;
    emit benchmarkEdited(benchmark);
}

void CommandForm::undoChange()
{
    m_recipe->setCurrentIndex(0);
    m_torch->hide();
    if (!m_before)
        return;
    const study::Benchmark before = *m_before;
    m_before.reset();
    change(before);
    check();
    m_command->setFocus();
}

void CommandForm::take()
{
    if (m_isShowing)
        return;
    study::Benchmark benchmark = m_study.benchmark;
    benchmark.argv = splitCommandLine(m_command->text());
    benchmark.env = parseEnvironmentText(m_environment->toPlainText());
    benchmark.cwd = m_folder->text().toStdString();
    benchmark.timeoutSeconds = m_timeout->value();
    benchmark.parse = m_reading->parse();
    m_before.reset(); // undoing would take this with it
    change(benchmark);
}

void CommandForm::applyScript(const QString& path)
{
    const QFileInfo file(path);
    const study::Benchmark before = m_study.benchmark;
    change(
        run::withScriptFile(m_study, m_document, file.absoluteFilePath().toStdString(), file.isExecutable()));
    m_before = before;
    check();
}

void CommandForm::browseScript()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Choose a script or program"), QString::fromStdString(m_study.benchmark.cwd),
        tr("Scripts and programs (*.py *.sh *.R *.jl *.pl *.rb *.js);;All files (*)"));
    if (!path.isEmpty())
        applyScript(path);
}

void CommandForm::browseFolder()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Choose the working folder"),
                                                           QString::fromStdString(m_study.benchmark.cwd));
    if (path.isEmpty())
        return;
    m_folder->setText(path);
    take();
}

/// Files may have come or gone while the window was away.
void CommandForm::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    window()->installEventFilter(this);
    check();
}

bool CommandForm::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == window() && event->type() == QEvent::WindowActivate && isVisible())
        check();
    return QWidget::eventFilter(watched, event);
}

void CommandForm::dragEnterEvent(QDragEnterEvent* event)
{
    if (const QFileInfo file(draggedFile(event->mimeData())); file.isFile())
        event->acceptProposedAction();
}

void CommandForm::dropEvent(QDropEvent* event)
{
    if (const QString path = draggedFile(event->mimeData()); QFileInfo(path).isFile()) {
        event->acceptProposedAction();
        applyScript(path);
    }
}

} // namespace quadric::widgets
