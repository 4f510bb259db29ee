// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/fixed_table_model.h"

#include "widgets/base/typed_number.h"

namespace quadric::widgets {

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
std::optional<FixedSetting> FixedTableModel::typedInto(const FixedSetting& setting, int column,
                                                       const QString& typed) const
{
    const QString text = typed.trimmed();
    FixedSetting changed = setting;
    if (column == ValueColumn) {
        const auto number = typedNumber(text);
        changed.value = number ? study::Value(*number) : study::Value(text.toStdString());
        return changed;
    }
    changed.name = text.toStdString();
    const bool isTaken = changed.name != setting.name &&
                         std::ranges::find(records(), changed.name, &FixedSetting::name) != records().end();
    return text.isEmpty() || isTaken ? std::nullopt : std::optional(changed);
}

QString FixedTableModel::refusalOf(const FixedSetting&, int, const QString& text) const
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
