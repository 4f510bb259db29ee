// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_matrix_model.h"

#include "widgets/base/theme.h"
#include "widgets/design/words.h"
#include "widgets/text/wording.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

std::optional<study::Coding> codingOf(const std::vector<study::Factor>& factors)
{
    try {
        return study::Coding(factors);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

QColor stateColor(const study::Run& run)
{
    const PlotColors colors = plotColors(QGuiApplication::palette());
    switch (run.status) {
    case study::RunStatus::Pending:
        return colors.grid;
    case study::RunStatus::Running:
        return colors.accent;
    case study::RunStatus::Done:
        return isDisturbed(run) ? colors.warning : colors.good;
    case study::RunStatus::Failed:
        return colors.error;
    case study::RunStatus::Excluded:
        return colors.mutedText;
    }
    return colors.mutedText;
}

/// A disc for runs that are over, a ring for those that are not: never colour alone.
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

bool hasSameShape(const std::vector<study::Run>& a, const std::vector<study::Run>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.id == y.id; });
}

} // namespace

RunMatrixModel::RunMatrixModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void RunMatrixModel::setStudy(const study::Study& study, bool canType)
{
    std::vector<study::Run> runs;
    for (const study::Run* run : study::inRunOrder(study))
        runs.push_back(*run);
    const bool isSame =
        study.factors == m_factors && study.responses == m_responses && hasSameShape(runs, m_runs);
    if (!isSame)
        beginResetModel();
    m_factors = study.factors;
    m_responses = study.responses;
    m_coding = codingOf(m_factors);
    m_uncertainty.clear();
    for (const auto& response : m_responses)
        m_uncertainty[response.name] = commonUncertainty(study, response.name);
    m_runs = std::move(runs);
    m_canType = canType;
    if (!isSame)
        endResetModel();
    else if (!m_runs.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunMatrixModel::setCoded(bool coded)
{
    if (coded == m_isCoded)
        return;
    m_isCoded = coded;
    if (!m_runs.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int RunMatrixModel::runIdAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_runs[size_t(row)].id : -1;
}

int RunMatrixModel::rowOf(int runId) const
{
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const auto& run) { return run.id == runId; });
    return found == m_runs.end() ? -1 : int(found - m_runs.begin());
}

int RunMatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int RunMatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstFactorColumn + int(m_factors.size() + m_responses.size());
}

QVariant RunMatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isNumber = section <= NumberColumn || section >= FirstFactorColumn;
    if (role == Qt::TextAlignmentRole)
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom);
    if (role != Qt::DisplayRole)
        return {};
    if (const study::Factor* factor = factorAt(section))
        return columnHeading(factor->name, m_isCoded ? std::string("coded") : factor->unit);
    if (const study::Response* response = responseAt(section))
        return columnHeading(response->name, response->unit);
    const QString names[] = {tr("Order"), tr("Run"), tr("Kind"), tr("State")};
    return names[section];
}

QVariant RunMatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const study::Run& run = m_runs[size_t(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(run, column);
    case Qt::EditRole:
        return editText(run, column);
    case Qt::ToolTipRole:
        return toolTip(run, column);
    case Qt::DecorationRole:
        return column == StateColumn ? QVariant(stateMark(run)) : QVariant();
    case Qt::TextAlignmentRole:
        return int((column == KindColumn || column == StateColumn ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    default:
        return {};
    }
}

Qt::ItemFlags RunMatrixModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (m_canType && index.isValid() && responseAt(index.column()))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool RunMatrixModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const study::Response* response = index.isValid() ? responseAt(index.column()) : nullptr;
    if (role != Qt::EditRole || !response || !m_canType)
        return false;
    const QString typed = value.toString().remove(QChar(0x2009)).simplified();
    bool isNumber = false;
    const double number = typed.toDouble(&isNumber);
    if (!typed.isEmpty() && (!isNumber || !std::isfinite(number)))
        return false;
    emit resultTyped(runIdAt(index.row()), QString::fromStdString(response->name), number, !typed.isEmpty());
    return true;
}

const study::Factor* RunMatrixModel::factorAt(int column) const
{
    const int i = column - FirstFactorColumn;
    return i >= 0 && i < int(m_factors.size()) ? &m_factors[size_t(i)] : nullptr;
}

const study::Response* RunMatrixModel::responseAt(int column) const
{
    const int i = column - FirstFactorColumn - int(m_factors.size());
    return i >= 0 && i < int(m_responses.size()) ? &m_responses[size_t(i)] : nullptr;
}

QString RunMatrixModel::text(const study::Run& run, int column) const
{
    if (factorAt(column))
        return settingText(run, column);
    if (const study::Response* response = responseAt(column))
        return resultText(run, *response);
    switch (column) {
    case OrderColumn:
        return QString::number(run.order);
    case NumberColumn:
        return QString::number(run.id);
    case KindColumn:
        return kindText(run.kind);
    default:
        return statusText(run).section(QLatin1Char(':'), 0, 0);
    }
}

QString RunMatrixModel::settingText(const study::Run& run, int column) const
{
    const study::Factor& factor = *factorAt(column);
    const auto found = run.settings.find(factor.name);
    if (found == run.settings.end())
        return tr("not set");
    if (!m_isCoded || !m_coding || !factor.isNumeric())
        return QString::fromStdString(study::toText(found->second));
    const double actual = study::numberOf(found->second);
    if (!std::isfinite(actual) || (factor.scale == study::Scale::Log2 && actual <= 0.0))
        return tr("not set");
    const double coded = m_coding->toCoded(size_t(column - FirstFactorColumn), actual);
    if (std::abs(coded) < 0.0005)
        return QStringLiteral("0");
    QString number = QString::number(std::abs(coded), 'f', 3);
    while (number.endsWith(QLatin1Char('0')))
        number.chop(1);
    if (number.endsWith(QLatin1Char('.')))
        number.chop(1);
    return (coded < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

QString RunMatrixModel::resultText(const study::Run& run, const study::Response& response) const
{
    const auto found = run.results.find(response.name);
    return found == run.results.end() ? QString()
                                      : formatNumber(found->second, m_uncertainty.at(response.name));
}

QString RunMatrixModel::editText(const study::Run& run, int column) const
{
    const study::Response* response = responseAt(column);
    const auto found = response ? run.results.find(response->name) : run.results.end();
    return found == run.results.end() ? QString() : QString::fromStdString(study::toText(found->second));
}

QString RunMatrixModel::toolTip(const study::Run& run, int column) const
{
    if (run.failure && (column == StateColumn || responseAt(column)))
        return QStringLiteral("%1: %2").arg(QString::fromStdString(run.failure->kind),
                                            QString::fromStdString(run.failure->message));
    if (run.status == study::RunStatus::Excluded && column == StateColumn)
        return QString::fromStdString(run.reason);
    if (column == OrderColumn)
        return tr("Place in the order in which the runs are executed.");
    if (column == NumberColumn)
        return tr("Number of the run in the design's standard order.");
    return {};
}

} // namespace quadric::widgets
