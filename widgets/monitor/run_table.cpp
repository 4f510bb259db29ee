// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_table.h"

#include "core/report/tables/study_tables.h"
#include "core/run/follow/run_durations.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QApplication>
#include <QDateTime>
#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>
#include <optional>
#include <set>

namespace quadric::widgets {

namespace {

const run::ActiveNews* findActiveNews(const study::Run& run, const run::RunnerNews& news)
{
    const auto found = news.active.find(run.id);
    return found == news.active.end() ? nullptr : &found->second;
}

QString phaseText(const run::ActiveNews& active)
{
    const std::string& phase = active.phase;
    if (phase.empty())
        return active.isExecuting ? tr("running") : tr("starting");
    return phase == "warm-up" ? tr("warming up") : tr("measuring");
}

/// One that has failed and is repeated says so.
QString pendingText(const study::Run& run)
{
    const std::optional<study::Failure>& earlier = run.provenance.earlierFailure;
    if (!earlier)
        return statusText(run);
    const QString kind = QString::fromStdString(earlier->kind).replace(QLatin1Char('-'), QLatin1Char(' '));
    return tr("%1, rerun after: %2").arg(statusText(run), kind);
}

/// A runner at work executes what is in its queue and nothing else.
QString waitingWords(const study::Run& run, const run::RunnerNews& news)
{
    QString pending = pendingText(run);
    const bool isKnown = !news.queue.empty() || !news.active.empty();
    if (!isKnown)
        return pending;
    const auto place = std::ranges::find(news.queue, run.id);
    if (place == news.queue.end())
        return tr("%1, skipped this time").arg(pending);
    return place == news.queue.begin() ? tr("%1, comes next").arg(pending) : pending;
}

/// Of one that is not in progress.
QString restingWords(const study::Run& run, const run::RunnerNews& news)
{
    if (run.status == study::RunStatus::Pending)
        return waitingWords(run, news);
    const bool isQueued = std::ranges::find(news.queue, run.id) != news.queue.end();
    return isQueued ? tr("%1, will be rerun").arg(statusText(run)) : statusText(run);
}

constexpr int kRunColumn = 1, kKindColumn = 2;
constexpr int kFirstSetting = 3; ///< after order, run and kind

/// Header of a column that stays narrow: the unit stands under the name.
QString twoLines(const std::string& name, const std::string& unit)
{
    return unit.empty() ? nameText(name) : nameText(name) + QLatin1Char('\n') + QString::fromStdString(unit);
}

QColor rowColor(const study::Run& run)
{
    const QPalette palette = QApplication::palette();
    const PlotColors colors = plotColors(palette);
    switch (run.status) {
    case study::RunStatus::Pending:
    case study::RunStatus::Excluded:
        return colors.mutedText;
    case study::RunStatus::Running:
        return colors.accent;
    case study::RunStatus::Failed:
        return study::isCancelled(run) ? colors.mutedText : colors.error;
    case study::RunStatus::Done:
        return study::isDisturbed(run) ? colors.warning : colors.text;
    }
    return colors.text;
}

/// Null where the run has none; a baseline has those that matter to one rank.
const study::Value* shownSetting(const study::Run& run, const study::Factor& factor)
{
    if (run.kind == study::RunKind::Baseline)
        return study::findBaselineSetting(run, factor);
    const auto found = run.settings.find(factor.name);
    return found == run.settings.end() ? nullptr : &found->second;
}

bool haveSameShape(const study::Study& a, const study::Study& b)
{
    const auto ids = [](const study::Study& study) {
        std::vector<int> list;
        for (const study::Run& baseline : study.baselines)
            list.push_back(baseline.id);
        for (const study::Run* run : study::inRunOrder(study))
            list.push_back(run->id);
        return list;
    };
    return a.factors.size() == b.factors.size() && a.responses.size() == b.responses.size() &&
           ids(a) == ids(b);
}

} // namespace

QString statusWords(const study::Run& run, const run::RunnerNews& news)
{
    const run::ActiveNews* active = findActiveNews(run, news);
    if (!active)
        return restingWords(run, news);
    if (!active->waitsFor.empty())
        return QString::fromStdString(active->waitsFor);
    QString state = phaseText(*active);
    if (!active->phase.empty())
        state += QLatin1Char(' ') + formatPercent(active->done, 0);
    // The record of a run that is done is that of its last attempt.
    const int attempt = run.provenance.attempt.value_or(1) + (run.status == study::RunStatus::Done ? 1 : 0);
    if (attempt > 1)
        state = tr("attempt %1: %2").arg(attempt).arg(state);
    const QString devices = QString::fromStdString(active->devices.inWords());
    return devices.isEmpty() ? state : tr("%1 on %2").arg(state, devices);
}

QString timeWords(const study::Run& run, const run::RunnerNews& news)
{
    const run::ActiveNews* active = findActiveNews(run, news);
    if (!active) {
        const std::optional<double>& seconds = run.provenance.seconds;
        return seconds ? formatDuration(*seconds) : QString();
    }
    const std::string began = active->started.empty() ? run.provenance.started : active->started;
    const auto started = QDateTime::fromString(QString::fromStdString(began), Qt::ISODate);
    if (!started.isValid())
        return {};
    const double elapsed =
        std::max(0.0, static_cast<double>(started.secsTo(QDateTime::currentDateTimeUtc())));
    const auto left = run::secondsLeft({.done = active->done, .elapsedSeconds = elapsed});
    return left ? tr("%1, %2").arg(formatDuration(elapsed), remainingText(*left)) : formatDuration(elapsed);
}

void RunTableModel::setStudy(const study::Study& study)
{
    const bool isSameTable = haveSameShape(m_study, study);
    if (!isSameTable)
        beginResetModel();
    m_study = study;
    m_baselines = m_study.baselines;
    m_order.clear();
    for (const study::Run& baseline : m_baselines)
        m_order.push_back(&baseline);
    const std::vector<const study::Run*> runs = study::inRunOrder(m_study);
    m_order.insert(m_order.end(), runs.begin(), runs.end());
    m_uncertainty.clear();
    for (const study::Response& response : study.responses)
        m_uncertainty[response.name] = report::commonUncertainty(study, response.name);
    if (!isSameTable) {
        endResetModel();
    } else if (!m_order.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
    emit headerDataChanged(Qt::Horizontal, 0, std::max(0, columnCount() - 1));
}

void RunTableModel::setNews(const run::RunnerNews& news)
{
    std::set<int> changed;
    for (const auto& [id, each] : m_news.active)
        changed.insert(id);
    for (const auto& [id, each] : news.active)
        changed.insert(id);
    for (const int id : m_news.queue) // may be skipped, or not come next any more
        changed.insert(id);
    for (const int id : news.queue)
        changed.insert(id);
    m_news = news;
    for (const int id : changed)
        refreshRow(rowOf(id));
}

void RunTableModel::refreshTimes()
{
    for (const auto& [id, each] : m_news.active)
        refreshRow(rowOf(id));
}

void RunTableModel::refreshRow(int row)
{
    if (row >= 0)
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
}

/// News of a run in progress, null for others.
const run::ActiveNews* RunTableModel::findActiveNews(const study::Run& run) const
{
    const auto found = m_news.active.find(run.id);
    return found == m_news.active.end() ? nullptr : &found->second;
}

int RunTableModel::rowOf(int runId) const
{
    const auto found = std::find_if(m_order.begin(), m_order.end(),
                                    [runId](const study::Run* run) { return run->id == runId; });
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    constexpr int kAfterResults = 2; // duration, status
    return parent.isValid()
               ? 0
               : kFirstSetting + static_cast<int>(m_study.factors.size() + m_study.responses.size()) +
                     kAfterResults;
}

const study::Response* RunTableModel::responseAt(int column) const
{
    const int first = kFirstSetting + static_cast<int>(m_study.factors.size());
    const int index = column - first;
    return index >= 0 && index < static_cast<int>(m_study.responses.size())
               ? &m_study.responses[static_cast<std::size_t>(index)]
               : nullptr;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const study::Run& run = runAt(index.row());
    const bool isWords = index.column() == kKindColumn || index.column() == statusColumn();
    switch (role) {
    case Qt::DisplayRole:
        return text(run, index.column());
    case Qt::ForegroundRole:
        return rowColor(run);
    case Qt::TextAlignmentRole:
        return static_cast<int>((isWords ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return tooltip(run, index.column());
    case RunIdRole:
        return run.id;
    case ProgressRole:
        return findActiveNews(run) ? QVariant(findActiveNews(run)->done) : QVariant();
    default:
        return {};
    }
}

QString RunTableModel::text(const study::Run& run, int column) const
{
    if (column == 0)
        return run.kind == study::RunKind::Baseline ? QString() : QString::number(run.order);
    if (column == kRunColumn)
        return QString::number(run.id);
    if (column == kKindColumn)
        return kindText(run.kind);
    if (const study::Response* response = responseAt(column))
        return resultText(run, response->name, m_uncertainty.at(response->name));
    if (column == statusColumn())
        return statusWords(run, m_news);
    if (column == statusColumn() - 1)
        return timeWords(run, m_news);
    return settingText(run, m_study.factors[static_cast<std::size_t>(column - kFirstSetting)]);
}

QString RunTableModel::settingText(const study::Run& run, const study::Factor& factor) const
{
    const study::Value* value = shownSetting(run, factor);
    if (value == nullptr)
        return {};
    const auto* level = std::get_if<std::string>(value);
    return level ? QString::fromStdString(*level) : formatNumber(std::get<double>(*value));
}

QVariant RunTableModel::tooltip(const study::Run& run, int column) const
{
    if (run.status == study::RunStatus::Failed && run.failure)
        return QString::fromStdString(run.failure->message);
    if (column == statusColumn() && study::isDisturbed(run))
        return QString::fromStdString(study::disturbanceOf(run));
    if (run.kind == study::RunKind::Baseline && column < kFirstSetting)
        return tr(
            "One rank alone: the scaling efficiency of runs with the same work for a rank is related to "
            "its speed. It is no part of the design and enters no model.");
    const std::string devices = run::readRunDevices(run.provenance).inWords();
    if (column == statusColumn() && !devices.empty())
        return tr("Had for itself: %1").arg(QString::fromStdString(devices));
    if (responseAt(column) != nullptr && !run.results.empty())
        return tr("%1. ± is the spread inside the run.").arg(sourceText(run.provenance.source));
    return {};
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isWords = section == kKindColumn || section == statusColumn();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isWords ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return tr("Order");
    if (section == kRunColumn)
        return tr("Run");
    if (section == kKindColumn)
        return tr("Kind");
    if (section == statusColumn())
        return tr("Status");
    if (section == statusColumn() - 1)
        return tr("Time");
    if (const study::Response* response = responseAt(section))
        return twoLines(response->name, response->unit);
    const study::Factor& factor = m_study.factors[static_cast<std::size_t>(section - kFirstSetting)];
    return twoLines(factor.name, factor.unit);
}

namespace {

constexpr qreal kProgressHeight = 3;
constexpr qreal kCellPadding = 8;
constexpr qreal kBarWidth = 160;
constexpr float kRestOpacity = 0.25F;

} // namespace

void StatusDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    TableDelegate::paint(painter, option, index);
    const QVariant progress = index.data(RunTableModel::ProgressRole);
    if (!progress.isValid())
        return;
    const PlotColors colors = plotColors(option.palette);
    const QRectF cell = option.rect;
    QRectF bar(cell.left() + kCellPadding, cell.bottom() - kProgressHeight - 1,
               std::min(kBarWidth, cell.width() - 2 * kCellPadding), kProgressHeight);
    const bool isSelected = option.state & QStyle::State_Selected;
    const QColor done = isSelected ? option.palette.color(QPalette::HighlightedText) : colors.accent;
    QColor rest = done;
    rest.setAlphaF(kRestOpacity);
    painter->fillRect(bar, rest);
    bar.setWidth(bar.width() * progress.toDouble());
    painter->fillRect(bar, done);
}

RunTableView::RunTableView(QWidget* parent)
    : QTableView(parent)
    , m_model(new RunTableModel(this))
{
    setUpTable(*this);
    setModel(m_model);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAccessibleName(tr("Runs"));
    setTabKeyNavigation(false); // Tab goes on; the arrows choose a run
    horizontalHeader()->setStretchLastSection(true);
    verticalHeader()->setDefaultSectionSize(28);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setMinimumHeight(120);
    placeDelegate();
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunTableView::emitPicked);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RunTableView::emitPicked);
    // The row that is lit already, because its run is in progress.
    connect(this, &QAbstractItemView::pressed, this, &RunTableView::emitPicked);
}

void RunTableView::placeDelegate()
{
    const int column = m_model->statusColumn();
    if (column == m_statusColumn)
        return;
    if (m_statusColumn >= 0)
        setItemDelegateForColumn(m_statusColumn, nullptr);
    setItemDelegateForColumn(column, new StatusDelegate(this));
    m_statusColumn = column;
}

void RunTableView::emitPicked()
{
    if (!m_isLighting)
        emit picked();
}

std::vector<int> RunTableView::selectedRuns() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::ranges::sort(rows);
    std::vector<int> ids;
    ids.reserve(rows.size());
    for (const int row : rows)
        ids.push_back(m_model->index(row, 0).data(RunTableModel::RunIdRole).toInt());
    return ids;
}

int RunTableView::currentRun() const
{
    return currentIndex().isValid() ? currentIndex().data(RunTableModel::RunIdRole).toInt() : -1;
}

void RunTableView::setStudy(const study::Study& study)
{
    const std::vector<int> selected = selectedRuns();
    const int current = currentRun();
    const int column = std::max(0, currentIndex().column());
    const QScopedValueRollback isLighting(m_isLighting, true);
    m_model->setStudy(study);
    placeDelegate();
    if (currentRun() == current && selectedRuns() == selected)
        return;
    if (const int row = m_model->rowOf(current); row >= 0)
        selectionModel()->setCurrentIndex(m_model->index(row, std::min(column, m_model->statusColumn())),
                                          QItemSelectionModel::NoUpdate);
    QItemSelection selection;
    for (const int run : selected) {
        if (const int row = m_model->rowOf(run); row >= 0)
            selection.select(m_model->index(row, 0), m_model->index(row, m_model->statusColumn()));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void RunTableView::light(const PickedRuns& runs)
{
    const QScopedValueRollback isLighting(m_isLighting, true);
    const int row = m_model->rowOf(runs.current);
    if (row < 0) {
        clearSelection();
        selectionModel()->clearCurrentIndex();
        return;
    }
    // Not setCurrentIndex() of the view, which looks at the keys that happen to be held down.
    if (PickedRuns(selectedRuns()).all != runs.all || currentRun() != runs.current)
        selectionModel()->setCurrentIndex(m_model->index(row, 0),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    for (const int run : runs.all)
        if (const int beside = m_model->rowOf(run); beside >= 0 && run != runs.current)
            selectionModel()->select(m_model->index(beside, 0),
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    scrollTo(m_model->index(row, 0));
}

} // namespace quadric::widgets
