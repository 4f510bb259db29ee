// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace quadric::widgets {

/// A column of a table that is typed into.
struct SheetColumn {
    QString title;
    bool isNumber = false;
    QString tooltip = {};
};

/// A list of records, one row each, as a table that is typed into like a spreadsheet: what the model/view
/// framework asks, written once. Subclasses say what the cells hold.
class SheetModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit SheetModel(std::vector<SheetColumn> columns, QObject* parent = nullptr);

    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;
    bool setData(const QModelIndex& index, const QVariant& value, int role) final;

signals:
    /// The user changed the table.
    void edited();

protected:
    enum class Typed { Refused, Same, Changed };
    virtual QString cellText(int row, int column) const = 0;
    virtual bool canType(int row, int column) const = 0;
    virtual Typed type(int row, int column, const QString& text) = 0;

    void tellChanged(int firstRow, int lastRow);

private:
    std::vector<SheetColumn> m_columns;
};

/// The part that is the same whatever the records are.
template <typename Record> class RecordModel : public SheetModel {
public:
    using SheetModel::SheetModel;

    int rowCount(const QModelIndex& parent = {}) const final
    {
        return parent.isValid() ? 0 : int(m_records.size());
    }

protected:
    virtual QString textOf(const Record& record, int column) const = 0;
    virtual bool canTypeInto(const Record& record, int column) const = 0;
    /// The record with one cell changed; nothing when the text means no such value.
    virtual std::optional<Record> typedInto(const Record& record, int column, const QString& text) const = 0;

    const std::vector<Record>& records() const { return m_records; }

    void show(const std::vector<Record>& records)
    {
        if (records == m_records)
            return;
        const bool isSameSize = records.size() == m_records.size();
        if (!isSameSize)
            beginResetModel();
        m_records = records;
        if (!isSameSize)
            endResetModel();
        else
            tellChanged(0, rowCount() - 1);
    }

private:
    QString cellText(int row, int column) const final { return textOf(m_records[size_t(row)], column); }
    bool canType(int row, int column) const final { return canTypeInto(m_records[size_t(row)], column); }
    Typed type(int row, int column, const QString& text) final
    {
        Record& record = m_records[size_t(row)];
        auto after = typedInto(record, column, text);
        if (!after)
            return Typed::Refused;
        if (*after == record)
            return Typed::Same;
        record = std::move(*after);
        return Typed::Changed;
    }

    std::vector<Record> m_records;
};

} // namespace quadric::widgets
