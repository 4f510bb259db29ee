// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/answer_view.h"

class QTableView;

namespace quadric::widgets {

class TextTableModel;

/// The ranked, distinct settings; choosing one looks at it.
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
    std::vector<optimize::Solution> m_solutions;
};

} // namespace quadric::widgets
