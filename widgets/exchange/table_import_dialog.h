// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/table_import.h"
#include "core/exchange/table/columns.h"
#include "widgets/base/job_runner.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QWidget>

class QLabel;
class QScrollArea;
class QPushButton;
class QVBoxLayout;
class QComboBox;

namespace quadric::widgets {

/// What an import would make, or why it cannot.
struct ImportOutcome {
    std::optional<study::Study> study;
    QString recognized; ///< which design the runs are
    QStringList warnings;
    QString problem; ///< empty where there is a study
};

/// The outcome of an import that did not fail.
ImportOutcome makeImportOutcome(const exchange::ImportedStudy& imported);
ImportOutcome failedOutcome(const std::exception& error);

/// A table as it was read, its columns and what becomes of it. Without a mapping the columns are guessed.
struct TableOutcome {
    exchange::TextGrid grid;
    std::vector<exchange::ColumnMapping> mapping;
    ImportOutcome import;
};
TableOutcome readTable(const std::string& text, const std::string& name, const exchange::Dialect& dialect,
                       const std::vector<exchange::ColumnMapping>& mapping);

class TextTableModel;

/// The study that an import would make: its design in a sentence, everything that deserves a look, and its
/// first runs; or why there is none.
class ImportSummary : public QWidget {
    Q_OBJECT

public:
    explicit ImportSummary(QWidget* parent = nullptr);
    void setOutcome(const ImportOutcome& outcome);

private:
    void showWarnings(const QStringList& warnings);

    QLabel* m_sentence;
    QLabel* m_warnings;
    QScrollArea* m_warningArea;
    TextTableModel* m_runs;
};

/// Shows what an import makes before it is made. It reads no files: whoever opened it gives the outcome, and
/// takes study() when it is accepted.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    /// `name` is that of the file.
    explicit ImportDialog(const QString& name, QWidget* parent = nullptr);

    /// Offers to look for the results of the runs in a folder.
    void offerResults();

    void setOutcome(const ImportOutcome& outcome);
    const study::Study& study() const { return *m_outcome.study; }

signals:
    void resultsFolderWanted();

protected:
    /// Where the subclass puts what can be chosen: below the title.
    QVBoxLayout& choices() { return *m_choices; }
    /// While a newer outcome is being made the old one cannot be taken.
    void setBusy();

private:
    QLayout* buildButtons();

    ImportOutcome m_outcome;
    QVBoxLayout* m_choices;
    ImportSummary* m_summary;
    QPushButton* m_import = nullptr;
};

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
    std::optional<MappedColumn> withCellText(const MappedColumn& column, int cell,
                                             const QString& text) const override;
};

class Spreadsheet;

/// A table of settings and results on its way into a study: how the text is cut, what each column becomes,
/// and at every moment the study that this makes.
class TableImportDialog : public ImportDialog {
    Q_OBJECT

public:
    /// `text` is what the file `name` holds.
    TableImportDialog(const QString& name, std::string text, QWidget* parent = nullptr);
    ~TableImportDialog() override;

private:
    QLayout* buildDialect();
    Spreadsheet* buildMapping();
    exchange::Dialect dialect() const;
    void read(const std::vector<exchange::ColumnMapping>& mapping);
    void show(const TableOutcome& outcome);
    void showFound(const exchange::TextGrid& grid);

    std::string m_name, m_text;
    QComboBox* m_separator;
    QComboBox* m_decimal;
    MappingTableModel* m_mapping;
    JobRunner<TableOutcome> m_jobs;
};

} // namespace quadric::widgets
