// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/response_table_model.h"

#include "core/study/study.h"
#include "widgets/base/typed_number.h"

namespace quadric::widgets {

namespace {

QString limitText(const std::optional<double>& value)
{
    return value ? QString::fromStdString(study::toText(*value)) : QString();
}

bool isNumberColumn(int column)
{
    return column >= ResponseTableModel::Target;
}

} // namespace

std::optional<study::Response> withCell(study::Response response, int column, const QString& typed)
{
    const QString text = typed.trimmed();
    const auto number = typedNumber(text);
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

ResponseTableModel::ResponseTableModel(QObject* parent)
    : RecordModel({{tr("Name")},
                   {tr("Unit")},
                   {tr("Goal")},
                   {tr("Target"), true},
                   {tr("Lower limit"), true, tr("Empty: the smallest or largest value that is observed.")},
                   {tr("Upper limit"), true, tr("Empty: the smallest or largest value that is observed.")},
                   {tr("Weight"), true, tr("Importance in the compromise; 0 takes the response out of it.")}},
                  parent)
{
}

QString ResponseTableModel::textOf(const study::Response& response, int column) const
{
    switch (column) {
    case ResponseTableModel::Name:
        return QString::fromStdString(response.name);
    case ResponseTableModel::Unit:
        return QString::fromStdString(response.unit);
    case ResponseTableModel::GoalColumn:
        return QString::fromUtf8(study::nameOf(response.goal).data());
    case ResponseTableModel::Target:
        return response.goal == study::Goal::Target ? limitText(response.target) : QString();
    case ResponseTableModel::Low:
        return limitText(response.low);
    case ResponseTableModel::High:
        return limitText(response.high);
    default:
        return limitText(response.weight);
    }
}

bool ResponseTableModel::canTypeInto(const study::Response& response, int column) const
{
    return column != Target || response.goal == study::Goal::Target;
}

std::optional<study::Response> ResponseTableModel::typedInto(const study::Response& response, int column,
                                                             const QString& text) const
{
    return withCell(response, column, text);
}

} // namespace quadric::widgets
