// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/claims.h"
#include "widgets/text/text_table.h"

#include <QDialog>

class QLabel;
class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// Somebody's conclusions beside what the runs of the study say, and what the data themselves give away.
/// Reads no files: whoever opened it gives the claims.
class AuditDialog : public QDialog {
    Q_OBJECT

public:
    explicit AuditDialog(study::Study study, QWidget* parent = nullptr);
    void setClaims(const exchange::Claims& claims);

signals:
    void claimsFileWanted();

private:
    QLayout* buildButtons();
    void copy() const;

    study::Study m_study;
    QLabel* m_source;
    QLabel* m_count;
    QTableView* m_view;
    TextTableModel* m_model;
    QLabel* m_findings;
    TextTable m_table;
};

} // namespace quadric::widgets
