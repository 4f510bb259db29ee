// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace quadric::widgets {

/// A column of a table that is typed into.
struct SheetColumn {
    QString title;
    bool isNumber = false;
    QString tooltip = {};
    QStringList otherTitles =
        {}; ///< under which the column is recognized in pasted headings, in small letters
};

/// What is wrong with a cell, in words.
struct CellProblem {
    int row = 0, column = 0;
    QString words = {};
    bool isError = true;
    bool operator==(const CellProblem&) const = default;
};

/// A list of records, one row each, as a table that is typed into like a spreadsheet: what the model/view
/// framework asks, written once. Under the records there may be an empty row; typing into it makes a record.
/// A text that means nothing stays in its cell, which is marked, until something else is typed there.
/// Subclasses say what the cells contain.
class SheetModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// With as many rows as there are records.
    explicit SheetModel(std::vector<SheetColumn> columns, QObject* parent = nullptr);
    /// With an empty row, in which `invitation` stands.
    SheetModel(std::vector<SheetColumn> columns, QString invitation, QObject* parent);

    virtual int recordCount() const = 0;
    int rowCount(const QModelIndex& parent = {}) const final;
    int columnCount(const QModelIndex& parent = {}) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;
    QVariant data(const QModelIndex& index, int role) const final;
    Qt::ItemFlags flags(const QModelIndex& index) const final;
    bool setData(const QModelIndex& index, const QVariant& value, int role) final;

    /// Marks these cells.
    void setProblems(std::vector<CellProblem> problems);
    /// The texts that mean nothing, with why.
    std::vector<CellProblem> refusals() const;

    /// Puts cells into the table as a spreadsheet does: from this place to the right and down, with new
    /// records below the last. Whole rows at the first column, also with headings, go to the columns that
    /// they are for.
    void paste(int row, int column, const std::vector<QStringList>& rows);

signals:
    /// The user changed the table.
    void edited();

protected:
    enum class Typed { Refused, Same, Changed };
    virtual QString cellText(int row, int column) const = 0;
    /// What stands in gray in an empty cell.
    virtual QString hintText(int, int) const { return {}; }
    virtual bool canType(int row, int column) const = 0;
    virtual Typed type(int row, int column, const QString& text) = 0;
    virtual QString explainRefusal(int row, int column, const QString& text) const = 0;
    virtual void appendRecord() = 0;
    virtual void resetRecord(int row) = 0;
    /// The column of each of these cells of one pasted row, −1 for none.
    virtual std::vector<int> columnsFor(const QStringList&) const { return {}; }

    void emitRowsChanged(int firstRow, int lastRow);
    /// Takes what was refused to where its records are now, −1 for nowhere.
    void moveRefusals(const std::function<int(int)>& newRow);

private:
    using Place = std::pair<int, int>; ///< row, column

    Typed enter(int row, int column, const QString& text);
    void addRecord();
    void pasteRow(int row, const QStringList& cells, const std::vector<int>& columns, bool isWhole);
    std::vector<int> columnsTitled(const QStringList& cells) const;
    const CellProblem* problemAt(int row, int column) const;
    QVariant emptyRowData(int column, int role) const;
    QVariant problemData(const CellProblem& problem, int role) const;
    QVariant recordData(int row, int column, int role) const;

    std::vector<SheetColumn> m_columns;
    QString m_invitation;
    int m_emptyRows;
    std::map<Place, QString> m_refused;
    std::vector<CellProblem> m_problems;
};

/// The part that is the same whatever the records are.
template <typename Record> class RecordModel : public SheetModel {
public:
    using SheetModel::SheetModel;

    int recordCount() const final { return int(m_records.size()); }

protected:
    virtual QString textOf(const Record& record, int column) const = 0;
    virtual QString hintOf(const Record&, int) const { return {}; }
    virtual bool canTypeInto(const Record& record, int column) const = 0;
    /// The record with one cell changed; nothing when the text means no such value.
    virtual std::optional<Record> withCellText(const Record& record, int column,
                                               const QString& text) const = 0;
    /// Why there is nothing, in a sentence.
    virtual QString describeRefusal(const Record&, int, const QString& text) const { return text; }
    virtual Record newRecord() const { return {}; }

    const std::vector<Record>& records() const { return m_records; }

    void show(const std::vector<Record>& records)
    {
        if (records == m_records)
            return;
        const bool isSameSize = records.size() == m_records.size();
        if (!isSameSize)
            beginResetModel();
        moveRefusals([&](int row) {
            const auto found = std::ranges::find(records, m_records[size_t(row)]);
            return found == records.end() ? -1 : int(found - records.begin());
        });
        m_records = records;
        if (!isSameSize)
            endResetModel();
        else
            emitRowsChanged(0, recordCount() - 1);
    }

private:
    QString cellText(int row, int column) const final { return textOf(m_records[size_t(row)], column); }
    QString hintText(int row, int column) const final { return hintOf(m_records[size_t(row)], column); }
    bool canType(int row, int column) const final
    {
        return canTypeInto(row < recordCount() ? m_records[size_t(row)] : newRecord(), column);
    }
    QString explainRefusal(int row, int column, const QString& text) const final
    {
        return describeRefusal(m_records[size_t(row)], column, text);
    }
    void appendRecord() final { m_records.push_back(newRecord()); }
    void resetRecord(int row) final { m_records[size_t(row)] = newRecord(); }
    Typed type(int row, int column, const QString& text) final
    {
        Record& record = m_records[size_t(row)];
        auto after = withCellText(record, column, text);
        if (!after)
            return Typed::Refused;
        if (*after == record)
            return Typed::Same;
        record = std::move(*after);
        return Typed::Changed;
    }

    std::vector<Record> m_records;
};

/// Why a text that parseTypedNumber() does not take is no number, as a sentence about `what` ("The high of
/// lr").
QString explainInvalidNumber(const QString& what, const QString& text);

} // namespace quadric::widgets
