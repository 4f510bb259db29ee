// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/table/columns.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QStringList>

namespace quadric::widgets {

/// A column of a table that is imported: what it becomes and what it holds.
struct MappedColumn {
    exchange::ColumnMapping mapping;
    QString values; ///< the first different cells
    bool operator==(const MappedColumn&) const = default;
};

/// The columns of a table, one row each, with what they become.
class MappingTableModel : public RecordModel<MappedColumn> {
    Q_OBJECT

public:
    enum Column { Heading, Role, Name, Unit, Type, ScaleColumn, GoalColumn, Values };

    explicit MappingTableModel(QObject* parent = nullptr);

    void setMapping(const exchange::TextGrid& grid, const std::vector<exchange::ColumnMapping>& mapping);
    std::vector<exchange::ColumnMapping> mapping() const;

    /// What a column can be, in words, in the order of exchange::ColumnRole.
    static QStringList roleWords();

protected:
    QString textOf(const MappedColumn& column, int cell) const override;
    bool canTypeInto(const MappedColumn& column, int cell) const override;
    std::optional<MappedColumn> typedInto(const MappedColumn& column, int cell,
                                          const QString& text) const override;
};

} // namespace quadric::widgets
