// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/job_runner.h"
#include "widgets/exchange/import_dialog.h"

class QComboBox;
class QLineEdit;

namespace quadric::widgets {

class MappingTableModel;
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
