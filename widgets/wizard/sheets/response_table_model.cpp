// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/response_table_model.h"

#include "core/study/study.h"
#include "widgets/base/typed_value.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

QString limitText(const std::optional<double>& value)
{
    return value ? QString::fromStdString(study::toText(*value)) : QString();
}

/// Without a text there are no bounds; nothing where the text means none.
std::optional<study::Response> withBounds(study::Response response, const QString& text)
{
    response.bounds = study::boundsFrom(text.toStdString());
    const bool isWrong = !response.bounds || !study::problemOf(*response.bounds).empty();
    return isWrong && !text.isEmpty() ? std::nullopt : std::optional(response);
}

bool isNumberColumn(int column)
{
    return column >= ResponseTableModel::Target && column <= ResponseTableModel::Weight;
}

} // namespace

std::optional<study::Response> withCell(study::Response response, int column, const QString& typed)
{
    const QString text = typed.trimmed();
    const auto number = parseTypedNumber(text);
    if (isNumberColumn(column) && !number && !text.isEmpty())
        return std::nullopt;
    switch (column) {
    case ResponseTableModel::Name:
        response.name = text.toStdString();
        if (!response.bounds)
            response.bounds = study::knownBounds(response.name);
        break;
    case ResponseTableModel::Unit:
        response.unit = text.toStdString();
        break;
    case ResponseTableModel::GoalColumn:
        if (const auto goal = study::goalFrom(text.toLower().toStdString()))
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
    case ResponseTableModel::BoundsColumn:
        return withBounds(response, text);
    default:
        return std::nullopt;
    }
    return response;
}

ResponseTableModel::ResponseTableModel(QObject* parent)
    : RecordModel({{tr("Name"), false, {}, {"response"}},
                   {tr("Unit"), false, {}, {"units"}},
                   {tr("Goal"), false, {}, {"aim"}},
                   {tr("Target"), true},
                   {tr("Lower limit"),
                    true,
                    tr("Empty: the smallest or largest value that is observed."),
                    {"low", "lower", "min", "minimum"}},
                   {tr("Upper limit"),
                    true,
                    tr("Empty: the smallest or largest value that is observed."),
                    {"high", "upper", "max", "maximum"}},
                   {tr("Weight"),
                    true,
                    tr("Importance in the compromise; 0 takes the response out of it."),
                    {"importance"}},
                   {tr("Bounds"),
                    false,
                    tr("Values that the response can have, such as 0 … 100 for a percentage or ≥ 0: no "
                       "prediction leaves them. Empty: any."),
                    {"range"}}},
                  tr("Type or paste responses here"), parent)
{
}

study::Response ResponseTableModel::newRecord() const
{
    study::Response response;
    for (size_t i = records().size() + 1;
         response.name.empty() ||
         std::ranges::find(records(), response.name, &study::Response::name) != records().end();
         ++i)
        response.name = "response_" + std::to_string(i);
    return response;
}

QString ResponseTableModel::describeRefusal(const study::Response& response, int column,
                                            const QString& text) const
{
    const QString name = QString::fromStdString(response.name);
    if (column == GoalColumn)
        return tr("The goal of %1 is “%2”, expected maximize, minimize, target or none.").arg(name, text);
    if (column == Weight && parseTypedNumber(text))
        return tr("The weight of %1 is %2, expected 0 or more.").arg(name, text.trimmed());
    if (column == BoundsColumn)
        return tr("The bounds of %1 are “%2”, expected such as 0 … 100, or ≥ 0.").arg(name, text);
    const QString what = column == Target ? tr("The target of %1")
                         : column == Low  ? tr("The lower limit of %1")
                         : column == High ? tr("The upper limit of %1")
                                          : tr("The weight of %1");
    return explainInvalidNumber(what.arg(name), text);
}

/// The name first; a goal is known by its word, another word is the unit, numbers are the limits.
std::vector<int> ResponseTableModel::columnsFor(const QStringList& cells) const
{
    std::vector<int> columns(size_t(cells.size()), Name);
    int nextNumber = Low, nextWord = Unit;
    for (size_t i = 1; i < columns.size(); ++i) {
        const QString cell = cells[qsizetype(i)].trimmed();
        if (study::goalFrom(cell.toLower().toStdString())) {
            columns[i] = GoalColumn;
            nextNumber = cell.toLower() == QStringLiteral("target") ? Target : Low;
        } else if (parseTypedNumber(cell)) {
            columns[i] = nextNumber <= Weight ? nextNumber++ : -1;
        } else {
            columns[i] = cell.isEmpty() ? -1 : nextWord;
            nextWord = cell.isEmpty() ? nextWord : int(GoalColumn);
        }
    }
    return columns;
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
    case ResponseTableModel::BoundsColumn:
        return response.bounds ? QString::fromStdString(study::describeBounds(*response.bounds)) : QString();
    default:
        return limitText(response.weight);
    }
}

bool ResponseTableModel::canTypeInto(const study::Response& response, int column) const
{
    return column != Target || response.goal == study::Goal::Target;
}

std::optional<study::Response> ResponseTableModel::withCellText(const study::Response& response, int column,
                                                                const QString& text) const
{
    return withCell(response, column, text);
}

FixedTableModel::FixedTableModel(QObject* parent)
    : RecordModel({{tr("Name"), false, {}, {"setting", "factor"}}, {tr("Value"), false, {}, {"values"}}},
                  tr("Type a setting here"), parent)
{
}

void FixedTableModel::setSettings(const study::Settings& settings)
{
    if (settings == this->settings())
        return;
    std::vector<FixedSetting> rows;
    for (const auto& [name, value] : settings)
        rows.push_back({name, value});
    show(rows);
}

study::Settings FixedTableModel::settings() const
{
    study::Settings settings;
    for (const FixedSetting& setting : records())
        settings[setting.name] = setting.value;
    return settings;
}

QString FixedTableModel::textOf(const FixedSetting& setting, int column) const
{
    return QString::fromStdString(column == Name ? setting.name : study::toText(setting.value));
}

bool FixedTableModel::canTypeInto(const FixedSetting&, int) const
{
    return true;
}

/// A name is free, and a value is a number where it can be one.
std::optional<FixedSetting> FixedTableModel::withCellText(const FixedSetting& setting, int column,
                                                          const QString& typed) const
{
    const QString text = typed.trimmed();
    FixedSetting changed = setting;
    if (column == ValueColumn) {
        const auto number = parseTypedNumber(text);
        changed.value = number ? study::Value(*number) : study::Value(text.toStdString());
        return changed;
    }
    changed.name = text.toStdString();
    const bool isTaken = changed.name != setting.name &&
                         std::ranges::find(records(), changed.name, &FixedSetting::name) != records().end();
    return text.isEmpty() || isTaken ? std::nullopt : std::optional(changed);
}

QString FixedTableModel::describeRefusal(const FixedSetting&, int, const QString& text) const
{
    return text.trimmed().isEmpty() ? tr("A fixed setting has no name.")
                                    : tr("The fixed setting “%1” is there already.").arg(text.trimmed());
}

FixedSetting FixedTableModel::newRecord() const
{
    FixedSetting setting;
    for (size_t i = records().size() + 1;
         setting.name.empty() ||
         std::ranges::find(records(), setting.name, &FixedSetting::name) != records().end();
         ++i)
        setting.name = "setting_" + std::to_string(i);
    return setting;
}

std::vector<int> FixedTableModel::columnsFor(const QStringList& cells) const
{
    std::vector<int> columns(size_t(cells.size()), -1);
    for (size_t i = 0; i < columns.size() && i < 2; ++i)
        columns[i] = int(i);
    return columns;
}

} // namespace quadric::widgets
