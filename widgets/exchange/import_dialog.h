// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/exchange/import_outcome.h"

#include <QDialog>

class QPushButton;
class QVBoxLayout;

namespace quadric::widgets {

class ImportSummary;

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

} // namespace quadric::widgets
