// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/views/answer_view.h"

class QLabel;
class QTableView;

namespace quadric::widgets {

class MeasuredRuns;
class TextTableModel;

/// The ranked, distinct settings, which others may be the best, and the best runs that were measured;
/// choosing one looks at it.
class SolutionsView : public AnswerView {
    Q_OBJECT

public:
    explicit SolutionsView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

private:
    void markShown(const Answer& answer);
    void pick(int row);

    TextTableModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_region = nullptr; ///< which settings may be the best
    MeasuredRuns* m_measured = nullptr;
    std::vector<optimize::Solution> m_solutions;
};

} // namespace quadric::widgets
