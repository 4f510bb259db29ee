// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/mapping_table_model.h"

#include "widgets/text/translate.h"

namespace quadric::widgets {

namespace {

using exchange::ColumnRole;

constexpr int kShownValues = 6;
constexpr int kLongestValue = 24;

/// The first different cells of a column, in the order of the rows.
QString valuesOf(const exchange::TextGrid& grid, std::size_t column)
{
    QStringList values;
    for (const std::vector<std::string>& row : grid.rows) {
        QString cell = QString::fromStdString(row[column]).simplified();
        if (cell.size() > kLongestValue)
            cell = cell.left(kLongestValue) + QStringLiteral("…");
        if (cell.isEmpty() || values.contains(cell))
            continue;
        if (values.size() == kShownValues)
            return values.join(QStringLiteral(" · ")) + QStringLiteral(" …");
        values << cell;
    }
    return values.join(QStringLiteral(" · "));
}

} // namespace

MappingTableModel::MappingTableModel(QObject* parent)
    : RecordModel({{tr("Column")},
                   {tr("Use as"), false, tr("What the column is in the study.")},
                   {tr("Name")},
                   {tr("Unit")},
                   {tr("Type"), false, tr("What values a factor can have.")},
                   {tr("Scale"), false, tr("The scale on which a factor is coded.")},
                   {tr("Goal"), false, tr("What is wanted of a response.")},
                   {tr("Values"), false, tr("The first different cells of the column.")}},
                  parent)
{
}

void MappingTableModel::setMapping(const exchange::TextGrid& grid,
                                   const std::vector<exchange::ColumnMapping>& mapping)
{
    std::vector<MappedColumn> columns;
    for (std::size_t i = 0; i < mapping.size(); ++i)
        columns.push_back({mapping[i], valuesOf(grid, i)});
    show(columns);
}

std::vector<exchange::ColumnMapping> MappingTableModel::mapping() const
{
    std::vector<exchange::ColumnMapping> mapping;
    for (const MappedColumn& column : records())
        mapping.push_back(column.mapping);
    return mapping;
}

QStringList MappingTableModel::roleWords()
{
    return {tr("ignored"), tr("factor"),     tr("response"), tr("run number"), tr("run order"),
            tr("block"),   tr("point type"), tr("status"),   tr("source"),     tr("remark")};
}

QString MappingTableModel::textOf(const MappedColumn& column, int cell) const
{
    const exchange::ColumnMapping& mapping = column.mapping;
    const bool isFactor = mapping.role == ColumnRole::Factor;
    const bool isResponse = mapping.role == ColumnRole::Response;
    switch (cell) {
    case Heading:
        return QString::fromStdString(mapping.header).simplified();
    case Role:
        return roleWords()[int(mapping.role)];
    case Name:
        return isFactor || isResponse ? QString::fromStdString(mapping.name) : QString();
    case Unit:
        return isFactor || isResponse ? QString::fromStdString(mapping.unit) : QString();
    case Type:
        return isFactor ? fromUtf8(study::nameOf(mapping.type)) : QString();
    case ScaleColumn:
        return canTypeInto(column, cell) ? fromUtf8(study::nameOf(mapping.scale)) : QString();
    case GoalColumn:
        return isResponse ? fromUtf8(study::nameOf(mapping.goal)) : QString();
    default:
        return column.values;
    }
}

bool MappingTableModel::canTypeInto(const MappedColumn& column, int cell) const
{
    const bool isFactor = column.mapping.role == ColumnRole::Factor;
    const bool isResponse = column.mapping.role == ColumnRole::Response;
    switch (cell) {
    case Role:
        return true;
    case Name:
    case Unit:
        return isFactor || isResponse;
    case Type:
        return isFactor;
    case ScaleColumn:
        return isFactor && column.mapping.type != study::FactorType::Categorical;
    case GoalColumn:
        return isResponse;
    default:
        return false;
    }
}

std::optional<MappedColumn> MappingTableModel::typedInto(const MappedColumn& column, int cell,
                                                         const QString& text) const
{
    MappedColumn after = column;
    exchange::ColumnMapping& mapping = after.mapping;
    const std::string word = text.trimmed().toStdString();
    const auto take = [&after](auto& field, const auto& value) -> std::optional<MappedColumn> {
        if (!value)
            return std::nullopt;
        field = *value;
        return after;
    };
    switch (cell) {
    case Role:
        if (const qsizetype role = roleWords().indexOf(text); role >= 0)
            return take(mapping.role, std::optional(static_cast<ColumnRole>(role)));
        return std::nullopt;
    case Name:
        return take(mapping.name, word.empty() ? std::nullopt : std::optional(word));
    case Unit:
        return take(mapping.unit, std::optional(word));
    case Type:
        return take(mapping.type, study::factorTypeFrom(word));
    case ScaleColumn:
        return take(mapping.scale, study::scaleFrom(word));
    case GoalColumn:
        return take(mapping.goal, study::goalFrom(word));
    default:
        return std::nullopt;
    }
}

} // namespace quadric::widgets
