// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/response_table_model.h"

#include "core/study/study.h"

#include <cmath>

namespace quadric::widgets {

namespace {

std::optional<double> numberIn(const QString& text)
{
    bool isNumber = false;
    const double value = QString(text).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

QString textOf(const std::optional<double>& value)
{
    return value ? QString::fromStdString(study::toText(*value)) : QString();
}

QString cellText(const study::Response& response, int column)
{
    switch (column) {
    case ResponseTableModel::Name:
        return QString::fromStdString(response.name);
    case ResponseTableModel::Unit:
        return QString::fromStdString(response.unit);
    case ResponseTableModel::GoalColumn:
        return QString::fromUtf8(study::nameOf(response.goal).data());
    case ResponseTableModel::Target:
        return response.goal == study::Goal::Target ? textOf(response.target) : QString();
    case ResponseTableModel::Low:
        return textOf(response.low);
    case ResponseTableModel::High:
        return textOf(response.high);
    default:
        return textOf(response.weight);
    }
}

bool isNumberColumn(int column)
{
    return column >= ResponseTableModel::Target;
}

} // namespace

std::optional<study::Response> withCell(study::Response response, int column, const QString& typed)
{
    const QString text = typed.trimmed();
    const auto number = numberIn(text);
    if (isNumberColumn(column) && !number && !text.isEmpty())
        return std::nullopt;
    switch (column) {
    case ResponseTableModel::Name:
        response.name = text.toStdString();
        break;
    case ResponseTableModel::Unit:
        response.unit = text.toStdString();
        break;
    case ResponseTableModel::GoalColumn:
        if (const auto goal = study::goalFrom(text.toStdString()))
            response.goal = *goal;
        else
            return std::nullopt;
        break;
    case ResponseTableModel::Target:
        response.target = number.value_or(0.0);
        break;
    case ResponseTableModel::Low:
        response.low = number;
        break;
    case ResponseTableModel::High:
        response.high = number;
        break;
    case ResponseTableModel::Weight:
        if (number.value_or(1.0) < 0.0)
            return std::nullopt;
        response.weight = number.value_or(1.0);
        break;
    default:
        return std::nullopt;
    }
    return response;
}

void ResponseTableModel::setResponses(const std::vector<study::Response>& responses)
{
    if (responses == m_responses)
        return;
    const bool isSameSize = responses.size() == m_responses.size();
    if (!isSameSize)
        beginResetModel();
    m_responses = responses;
    if (!isSameSize)
        endResetModel();
    else if (!m_responses.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int ResponseTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_responses.size());
}

int ResponseTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant ResponseTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString names[] = {tr("Name"),        tr("Unit"),        tr("Goal"),  tr("Target"),
                             tr("Lower limit"), tr("Upper limit"), tr("Weight")};
    return names[section];
}

QVariant ResponseTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int column = index.column();
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return cellText(m_responses[size_t(index.row())], column);
    if (role == Qt::TextAlignmentRole)
        return int((isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && (column == Low || column == High))
        return tr("Empty: the smallest or largest value that is observed.");
    if (role == Qt::ToolTipRole && column == Weight)
        return tr("Importance in the compromise; 0 takes the response out of it.");
    return {};
}

Qt::ItemFlags ResponseTableModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const study::Response& response = m_responses[size_t(index.row())];
    const bool isIdle = index.column() == Target && response.goal != study::Goal::Target;
    return isIdle ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                  : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable;
}

bool ResponseTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid())
        return false;
    study::Response& response = m_responses[size_t(index.row())];
    const auto after = withCell(response, index.column(), value.toString());
    if (!after)
        return false;
    if (*after != response) {
        response = *after;
        emit dataChanged(this->index(index.row(), 0), this->index(index.row(), kColumns - 1));
        emit edited();
    }
    return true;
}

} // namespace quadric::widgets
