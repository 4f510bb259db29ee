// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/session/optimize_session.h"

class QTableView;

namespace quadric::widgets {

class SteadyLabel;
class TextTableModel;

/// The log of the runs that were added one after the other: why, and what came of each. Hidden while there
/// are none.
class TriedPanel : public QWidget {
    Q_OBJECT

public:
    explicit TriedPanel(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer);

private:
    SteadyLabel* m_words = nullptr;
    TextTableModel* m_model = nullptr;
    QTableView* m_table = nullptr;
};

/// How much of the time is spent, and why it ended.
QString triedText(const TriedRuns& tried, bool isRunning);

} // namespace quadric::widgets
