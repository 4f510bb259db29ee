// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/exchange/import_outcome.h"

#include <QWidget>

class QLabel;
class QScrollArea;

namespace quadric::widgets {

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

} // namespace quadric::widgets
