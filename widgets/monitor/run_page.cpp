// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_page.h"

#include "widgets/base/empty_state.h"
#include "widgets/base/theme.h"
#include "widgets/monitor/run_table_model.h"
#include "widgets/monitor/status_delegate.h"
#include "widgets/monitor/step_time_chart.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <map>
#include <vector>

namespace quadric::widgets {

namespace {

constexpr qsizetype kMostLogLines = 2000; ///< kept per run
constexpr int kRedrawMs = 50;             ///< samples that come closer together are drawn together

struct RunNews {
    std::vector<double> samples; ///< milliseconds
    QStringList log;
};

QString summaryText(const study::Study& study)
{
    const auto total = static_cast<int>(study.runs.size());
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countRuns(study, study::RunStatus::Failed);
    QString text = done == total ? RunPage::tr("All %1 runs are done").arg(total)
                                 : RunPage::tr("%1 of %2 runs done").arg(done).arg(total);
    if (failed > 0)
        text += RunPage::tr(" · %1 failed").arg(failed);
    return text;
}

/// The run with its results taken away, as if it had never been executed.
void makePending(study::Run& run)
{
    run.status = study::RunStatus::Pending;
    run.failure.reset();
    run.reason.clear();
    run.results.clear();
    run.spread.clear();
    run.provenance = {};
}

} // namespace

struct RunPage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    QLabel* summary = nullptr;
    QLabel* remaining = nullptr;
    QProgressBar* overall = nullptr;
    QPushButton* button = nullptr;
    RunTableModel* model = nullptr;
    QTableView* table = nullptr;
    StepTimeChart* chart = nullptr;
    QLabel* logTitle = nullptr;
    QPlainTextEdit* log = nullptr;
    QTimer* redraw = nullptr;
    ContextPointer context;
    std::map<int, RunNews> news;
    int pickedRun = -1;
    int runningRun = -1; ///< the last run that sent news
    QString message;
    double remainingSeconds = -1.0;

    QWidget* makeBar();
    QWidget* makeViews(RunPage& page);
    QWidget* makeTable(RunPage& page);
    QWidget* makeLog();
    int shownRun() const { return pickedRun >= 0 ? pickedRun : runningRun; }
    void showBar();
    void showButton();
    void showChart();
    void showLog();
};

QWidget* RunPage::Parts::makeBar()
{
    auto* bar = new QWidget;
    summary = new QLabel(bar);
    QFont large = summary->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    summary->setFont(large);
    remaining = new QLabel(bar);
    remaining->setWordWrap(true);
    overall = new QProgressBar(bar);
    overall->setTextVisible(false);
    overall->setFixedHeight(6);
    overall->setAccessibleName(tr("Runs done"));
    button = new QPushButton(bar);
    button->setMinimumSize(176, 48);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(summary);
    words->addWidget(overall);
    words->addWidget(remaining);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(24);
    layout->addLayout(words, 1);
    layout->addWidget(button);
    return bar;
}

QWidget* RunPage::Parts::makeTable(RunPage& page)
{
    model = new RunTableModel(&page);
    table = new QTableView;
    setUpTable(*table);
    table->setModel(model);
    table->setAccessibleName(tr("Runs"));
    table->horizontalHeader()->setStretchLastSection(true);
    table->verticalHeader()->setDefaultSectionSize(28);
    table->setContextMenuPolicy(Qt::CustomContextMenu);
    table->setMinimumHeight(140);
    return table;
}

QWidget* RunPage::Parts::makeLog()
{
    auto* panel = new QWidget;
    logTitle = new QLabel(panel);
    log = new QPlainTextEdit(panel);
    log->setReadOnly(true);
    log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    log->setLineWrapMode(QPlainTextEdit::NoWrap);
    log->setMaximumBlockCount(static_cast<int>(kMostLogLines));
    log->setFrameShape(QFrame::NoFrame);
    log->setAccessibleName(tr("Log of the run"));
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(logTitle);
    layout->addWidget(log, 1);
    return panel;
}

QWidget* RunPage::Parts::makeViews(RunPage& page)
{
    chart = new StepTimeChart;
    chart->setMinimumSize(240, 140);
    auto* below = new QSplitter(Qt::Horizontal);
    below->setChildrenCollapsible(false);
    below->setHandleWidth(16);
    below->addWidget(chart);
    below->addWidget(makeLog());
    below->setSizes({1000, 1000});
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(16);
    split->addWidget(makeTable(page));
    split->addWidget(below);
    split->setSizes({1400, 1000});
    auto* views = new QWidget;
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(makeBar());
    layout->addWidget(split, 1);
    return views;
}

void RunPage::Parts::showBar()
{
    const study::Study& study = context->study;
    summary->setText(summaryText(study));
    overall->setRange(0, static_cast<int>(study.runs.size()));
    overall->setValue(study::countRuns(study, study::RunStatus::Done));
    const bool isTyped = study.benchmark.workload == "none";
    QStringList words;
    if (isTyped && study::countRuns(study, study::RunStatus::Pending) > 0)
        words << tr("Type the results into the table.");
    if (context->isRunning)
        words << remainingText(remainingSeconds);
    else if (study::countRuns(study, study::RunStatus::Failed) > 0)
        words << tr("A failed run can be run again from the menu of its row.");
    words << message;
    words.removeAll(QString());
    remaining->setText(words.join(QStringLiteral(" · ")));
    remaining->setVisible(!words.isEmpty());
    button->setVisible(!isTyped);
    showButton();
}

void RunPage::Parts::showButton()
{
    const int waiting = study::countRuns(context->study, study::RunStatus::Pending) +
                        study::countRuns(context->study, study::RunStatus::Running);
    const bool hasBegun = study::countRuns(context->study, study::RunStatus::Done) > 0;
    button->setEnabled(context->isRunning || waiting > 0);
    if (context->isRunning)
        button->setText(tr("&Stop"));
    else if (waiting == 0)
        button->setText(tr("Nothing left to run"));
    else if (waiting == 1)
        button->setText(hasBegun ? tr("&Start the last run") : tr("&Start the run"));
    else
        button->setText(hasBegun ? tr("&Start the other %1 runs").arg(waiting)
                                 : tr("&Start %1 runs").arg(waiting));
}

void RunPage::Parts::showChart()
{
    const auto found = news.find(shownRun());
    const bool hasSamples = found != news.end() && found->second.samples.size() > 1;
    const study::Run* run = context ? study::findRun(context->study, shownRun()) : nullptr;
    const QString title = run ? tr("Step times · order %1").arg(run->order) : tr("Step times");
    const bool isOver = run && run->status != study::RunStatus::Running;
    chart->setSamples(title, hasSamples ? found->second.samples : std::vector<double>{},
                      isOver ? tr("This run has sent no step times while this window was open.")
                             : tr("The step times of the run in progress appear here."));
}

void RunPage::Parts::showLog()
{
    const study::Run* run = context ? study::findRun(context->study, shownRun()) : nullptr;
    logTitle->setText(run ? tr("Log · order %1").arg(run->order) : tr("Log"));
    const auto found = news.find(shownRun());
    QStringList lines = found == news.end() ? QStringList() : found->second.log;
    if (run && run->failure)
        lines << QString::fromStdString(run->failure->message);
    log->setPlainText(lines.join(QLatin1Char('\n')));
    log->setPlaceholderText(run ? tr("No log lines from this run while this window was open.")
                                : tr("Pick a run to see its log."));
    log->moveCursor(QTextCursor::End);
}

RunPage::RunPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->empty->setTexts(tr("This study has no runs yet"),
                             tr("A design says which settings are measured, and in which order."),
                             tr("Go to Design"));
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews(*this));
    m_parts->table->setItemDelegateForColumn(m_parts->model->statusColumn(), new StatusDelegate(this));
    m_parts->redraw = new QTimer(this);
    m_parts->redraw->setSingleShot(true);
    m_parts->redraw->setInterval(kRedrawMs);
    m_parts->showChart();
    m_parts->showLog();
    wire();
}

RunPage::~RunPage() = default;

void RunPage::wire()
{
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] { emit stepRequested(Step::Design); });
    connect(m_parts->redraw, &QTimer::timeout, this, [this] { m_parts->showChart(); });
    connect(m_parts->button, &QPushButton::clicked, this, [this] {
        if (m_parts->context && m_parts->context->isRunning)
            emit stopRequested();
        else
            emit startRequested();
    });
    connect(m_parts->model, &RunTableModel::resultTyped, this, &RunPage::requestResult);
    connect(m_parts->table, &QWidget::customContextMenuRequested, this, &RunPage::showMenu);
    connect(m_parts->table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const int run = current.isValid() ? current.data(RunTableModel::RunIdRole).toInt() : -1;
                if (run == m_parts->pickedRun)
                    return;
                pickRun(run);
                emit runPicked(run);
            });
}

void RunPage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
    const study::Study& study = m_parts->context->study;
    m_parts->stack->setCurrentIndex(study.runs.empty() ? 0 : 1);
    const int statusColumn = m_parts->model->statusColumn();
    m_parts->model->setStudy(study);
    if (statusColumn != m_parts->model->statusColumn()) {
        m_parts->table->setItemDelegateForColumn(m_parts->model->statusColumn(),
                                                 m_parts->table->itemDelegateForColumn(statusColumn));
        m_parts->table->setItemDelegateForColumn(statusColumn, nullptr);
    }
    if (m_parts->context->isRunning)
        m_parts->message.clear();
    m_parts->showBar();
    m_parts->showLog();
}

void RunPage::requestResult(int runId, const QString& response, std::optional<double> value)
{
    study::Study after = m_parts->context->study;
    study::Run* run = study::findRun(after, runId);
    if (run == nullptr)
        return;
    const std::string name = response.toStdString();
    if (value)
        run->results[name] = *value;
    else
        run->results.erase(name);
    const bool isComplete = std::all_of(after.responses.begin(), after.responses.end(),
                                        [run](const auto& each) { return run->results.contains(each.name); });
    run->status = isComplete ? study::RunStatus::Done : study::RunStatus::Pending;
    run->provenance.source = run->results.empty() ? study::Source::Unknown : study::Source::Typed;
    emit changeRequested(after, tr("Type %1 of run %2").arg(nameText(name)).arg(runId),
                         QStringLiteral("typed:%1:%2").arg(runId).arg(response));
}

void RunPage::showMenu(const QPoint& position)
{
    const QModelIndex index = m_parts->table->indexAt(position);
    const study::Run* run =
        index.isValid() && m_parts->context
            ? study::findRun(m_parts->context->study, index.data(RunTableModel::RunIdRole).toInt())
            : nullptr;
    if (run == nullptr || m_parts->context->isRunning)
        return;
    QMenu menu(this);
    const int id = run->id;
    if (run->status == study::RunStatus::Failed || run->status == study::RunStatus::Done)
        menu.addAction(tr("Run again"), this,
                       [this, id] { requestRun(id, tr("Run %1 again").arg(id), makePending); });
    if (run->status == study::RunStatus::Done)
        menu.addAction(tr("Leave out of the models"), this, [this, id] {
            requestRun(id, tr("Leave out run %1").arg(id), [](study::Run& each) {
                each.status = study::RunStatus::Excluded;
                each.reason = "by hand";
            });
        });
    if (run->status == study::RunStatus::Excluded)
        menu.addAction(tr("Put back into the models"), this, [this, id] {
            requestRun(id, tr("Put back run %1").arg(id), [](study::Run& each) {
                each.status = each.results.empty() ? study::RunStatus::Pending : study::RunStatus::Done;
                each.reason.clear();
            });
        });
    if (!menu.isEmpty())
        menu.exec(m_parts->table->viewport()->mapToGlobal(position));
}

void RunPage::requestRun(int id, const QString& label, const std::function<void(study::Run&)>& change)
{
    study::Study after = m_parts->context->study;
    if (study::Run* run = study::findRun(after, id)) {
        change(*run);
        emit changeRequested(after, label, {});
    }
}

void RunPage::showProgress(int run, double done, const QString& phase)
{
    m_parts->model->setProgress(run, done, phase);
    if (m_parts->runningRun == run)
        return;
    m_parts->runningRun = run;
    m_parts->showChart();
    m_parts->showLog();
}

void RunPage::showSample(int run, double stepMs)
{
    std::vector<double>& samples = m_parts->news[run].samples;
    samples.push_back(stepMs);
    if (samples.size() > StepTimeChart::kMostSamples)
        samples.erase(samples.begin());
    m_parts->runningRun = run;
    if (run == m_parts->shownRun() && !m_parts->redraw->isActive())
        m_parts->redraw->start();
}

void RunPage::appendLog(int run, const QString& line)
{
    QStringList& log = m_parts->news[run].log;
    log << line;
    if (log.size() > kMostLogLines)
        log.removeFirst();
    if (run == m_parts->shownRun())
        m_parts->log->appendPlainText(line);
}

void RunPage::showRemaining(double seconds)
{
    m_parts->remainingSeconds = seconds;
    if (m_parts->context)
        m_parts->showBar();
}

void RunPage::showMessage(const QString& message)
{
    m_parts->message = message;
    if (m_parts->context)
        m_parts->showBar();
}

void RunPage::pickRun(int run)
{
    m_parts->pickedRun = run;
    const int row = m_parts->model->rowOf(run);
    if (row >= 0)
        m_parts->table->setCurrentIndex(m_parts->model->index(row, 0));
    else
        m_parts->table->clearSelection();
    m_parts->showChart();
    m_parts->showLog();
}

} // namespace quadric::widgets
