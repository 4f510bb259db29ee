// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/run_matrix_model.h"

#include "core/study/run.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/design/matrix/run_matrix.h"

#include <QFont>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace quadric::widgets {

namespace {

QColor stateColor(const study::Run& run)
{
    const PlotColors colors = plotColors(QGuiApplication::palette());
    switch (run.status) {
    case study::RunStatus::Pending:
        return colors.grid;
    case study::RunStatus::Running:
        return colors.accent;
    case study::RunStatus::Done:
        return study::isDisturbed(run) ? colors.warning : colors.good;
    case study::RunStatus::Failed:
        return colors.error;
    case study::RunStatus::Excluded:
        return colors.mutedText;
    }
    return colors.mutedText;
}

/// A disc for runs that are over, a ring for those that are not: never color alone.
QPixmap stateMark(const study::Run& run)
{
    const qreal ratio = qGuiApp->devicePixelRatio();
    QPixmap pixmap(QSize(12, 12) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = stateColor(run);
    const bool isOver = run.status == study::RunStatus::Done || run.status == study::RunStatus::Failed;
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(isOver ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QRectF(2, 2, 8, 8));
    return pixmap;
}

/// The value of a run's factor or response, as text; empty: none.
std::string valueIn(const study::Study& study, int runId, const std::string& name)
{
    const study::Run* run = study::findRun(study, runId);
    if (!run)
        return {};
    if (const auto result = run->results.find(name); result != run->results.end())
        return study::toText(result->second);
    const auto setting = run->settings.find(name);
    return setting == run->settings.end() ? std::string() : study::toText(setting->second);
}

bool hasSameShape(const RunMatrix& a, const RunMatrix& b)
{
    return a.columns() == b.columns() && a.factors() == b.factors() && a.responses() == b.responses() &&
           std::ranges::equal(a.runs(), b.runs(), {}, &study::Run::id, &study::Run::id);
}

} // namespace

RunMatrixModel::RunMatrixModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void RunMatrixModel::setStudy(const study::Study& study, MatrixEdits edits)
{
    RunMatrix matrix(study, m_units);
    const bool isSame = hasSameShape(matrix, m_matrix);
    if (!isSame)
        beginResetModel();
    std::erase_if(m_refused, [&](const auto& cell) {
        const auto& [run, name] = cell.first;
        return study.id != m_study.id || !study::findRun(study, run) ||
               valueIn(study, run, name) != valueIn(m_study, run, name);
    });
    m_study = study;
    m_matrix = std::move(matrix);
    m_edits = edits;
    if (!isSame)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunMatrixModel::setUnits(SettingUnits units)
{
    if (units == m_units)
        return;
    m_units = units;
    setStudy(m_study, m_edits);
}

void RunMatrixModel::refuse(int runId, const QString& name, const RefusedCell& cell)
{
    m_refused[{runId, name.toStdString()}] = cell;
    if (const int row = rowOf(runId); row >= 0)
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void RunMatrixModel::forgetRefused()
{
    m_refused.clear();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunMatrixModel::setNextRun(int runId)
{
    if (std::exchange(m_nextRun, runId) != runId && rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const RefusedCell* RunMatrixModel::refusedIn(const study::Run& run, const MatrixColumn& column) const
{
    if (column.kind != MatrixColumn::Setting && column.kind != MatrixColumn::Result)
        return nullptr;
    const auto found = m_refused.find({run.id, m_matrix.nameOf(column)});
    return found == m_refused.end() ? nullptr : &found->second;
}

int RunMatrixModel::rowOf(int runId) const
{
    const auto found = std::ranges::find(m_matrix.runs(), runId, &study::Run::id);
    return found == m_matrix.runs().end() ? -1 : int(found - m_matrix.runs().begin());
}

int RunMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_matrix.runs().size());
}

int RunMatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_matrix.columns().size());
}

QVariant RunMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const MatrixColumn& column = m_matrix.columns()[size_t(section)];
    if (role == Qt::TextAlignmentRole)
        return int((column.isNumber() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom);
    if (role == Qt::DisplayRole)
        return m_matrix.heading(column);
    return {};
}

QVariant RunMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const study::Run& run = m_matrix.runs()[size_t(index.row())];
    const MatrixColumn& column = m_matrix.columns()[size_t(index.column())];
    const RefusedCell* refused = refusedIn(run, column);
    switch (role) {
    case Qt::DisplayRole:
        return refused ? QStringLiteral("⚠ ") + refused->typed : m_matrix.text(run, column);
    case Qt::EditRole:
        return refused ? refused->typed : m_matrix.exactText(run, column);
    case kSortRole: {
        const double number = m_matrix.number(run, column);
        QString text = m_matrix.text(run, column);
        if (std::isnan(number) && !text.isEmpty())
            return text;
        return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number; // missing ones first
    }
    case Qt::ToolTipRole:
        return refused ? refused->reason : toolTip(run, column);
    case Qt::DecorationRole:
        return column.kind == MatrixColumn::State ? QVariant(stateMark(run)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((column.isNumber() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return color(run, column);
    case Qt::FontRole: {
        QFont font;
        font.setWeight(QFont::DemiBold);
        return run.id == m_nextRun ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant RunMatrixModel::color(const study::Run& run, const MatrixColumn& column) const
{
    const QPalette palette = QGuiApplication::palette();
    if (refusedIn(run, column))
        return plotColors(palette).error;
    if (run.status == study::RunStatus::Excluded)
        return palette.color(QPalette::PlaceholderText);
    return run.id == m_nextRun ? QVariant(plotColors(palette).accent) : QVariant();
}

Qt::ItemFlags RunMatrixModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid())
        flags.setFlag(Qt::ItemIsEditable, canType(m_matrix.runs()[size_t(index.row())],
                                                  m_matrix.columns()[size_t(index.column())]));
    return flags;
}

bool RunMatrixModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable))
        return false;
    const study::Run run = m_matrix.runs()[size_t(index.row())]; // the listener may give a new study
    const MatrixColumn column = m_matrix.columns()[size_t(index.column())];
    const QString typed = value.toString().remove(QChar(0x202F)).simplified();
    if (refusedIn(run, column)) {
        m_refused.erase({run.id, m_matrix.nameOf(column)});
        emit dataChanged(index, index);
    }
    if (typed == m_matrix.exactText(run, column))
        return true;
    if (column.kind == MatrixColumn::Result)
        return enterTypedResult(run, column, typed);
    emit settingTyped(run.id, QString::fromStdString(m_matrix.nameOf(column)), typed);
    return true;
}

bool RunMatrixModel::enterTypedResult(const study::Run& run, const MatrixColumn& column, const QString& typed)
{
    const QString response = QString::fromStdString(m_matrix.nameOf(column));
    const auto number = parseQuantity(typed, m_matrix.responses()[column.index].unit);
    if (!number && !typed.isEmpty()) {
        refuse(run.id, response, {typed, explainRefusedResult(run, response, typed)});
        emit resultRefused();
        return false;
    }
    emit resultTyped(run.id, response, number.value_or(0.0), number.has_value());
    return true;
}

/// "speed of run 3: “fast”, expected a number.", and what the study has instead.
QString RunMatrixModel::explainRefusedResult(const study::Run& run, const QString& response,
                                             const QString& typed) const
{
    const auto kept = run.results.find(response.toStdString());
    const QString reason = tr("%1 of run %2: “%3”, expected a number.").arg(response).arg(run.id).arg(typed);
    return kept == run.results.end()
               ? reason
               : reason + QLatin1Char(' ') +
                     tr("The study keeps %1.").arg(QString::fromStdString(study::toText(kept->second)));
}

bool RunMatrixModel::canType(const study::Run& run, const MatrixColumn& column) const
{
    if (column.kind == MatrixColumn::Result)
        return m_edits.results;
    return column.kind == MatrixColumn::Setting && m_edits.settings && canChangeSettings(run);
}

QString RunMatrixModel::toolTip(const study::Run& run, const MatrixColumn& column) const
{
    if (run.failure && (column.kind == MatrixColumn::State || column.kind == MatrixColumn::Result))
        return QStringLiteral("%1: %2").arg(QString::fromStdString(run.failure->kind),
                                            QString::fromStdString(run.failure->message));
    switch (column.kind) {
    case MatrixColumn::State:
        return run.status == study::RunStatus::Excluded ? QString::fromStdString(run.reason) : QString();
    case MatrixColumn::Order:
        return tr("Place in the order in which the runs are executed.");
    case MatrixColumn::Number:
        return tr("Number of the run in the design's standard order.");
    case MatrixColumn::Block:
        return tr("Runs of one block are measured together; a shift between blocks is not taken for an "
                  "effect.");
    case MatrixColumn::Setting:
        return m_edits.settings && !canChangeSettings(run)
                   ? tr("This run has results, so its settings stay as they were measured.")
                   : QString();
    default:
        return {};
    }
}

} // namespace quadric::widgets
