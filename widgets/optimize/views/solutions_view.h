// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/next/run_plan.h"
#include "widgets/optimize/charts/best_plots.h"
#include "widgets/optimize/views/optimize_views.h"

#include <QWidget>

class QTableView;
class QLabel;
class QComboBox;

namespace quadric::widgets {

/// The best runs that were measured, under their own title; choosing one looks at its setting.
class MeasuredRuns : public QWidget {
    Q_OBJECT

public:
    explicit MeasuredRuns(QWidget* parent = nullptr);

    /// Hidden where there are none.
    void setRuns(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs);

signals:
    void picked(const quadric::study::Settings& settings);

private:
    void pick(int row);

    QTableView* m_table;
    TextTableModel* m_model;
    std::vector<optimize::MeasuredRun> m_runs;
};

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

/// The trade-off front of two responses that the user chooses, with the setting that is looked at marked;
/// picking a point looks there. The front does not depend on weights and limits, so that it stands still
/// while these are dragged; when goals change, a search in the background follows, the newest request wins.
class TradeOffView : public AnswerView {
    Q_OBJECT

public:
    explicit TradeOffView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

protected:
    void choose(const AnswerSource& source) override;

private:
    void fillChoosers();
    void search();
    void showFront();
    void showMark();

    QWidget* m_axes = nullptr; ///< the choosers, where there is a choice
    QComboBox* m_x = nullptr;
    QComboBox* m_y = nullptr;
    FrontPlot* m_plot = nullptr;
    QStringList m_further; ///< responses that a picture asks for although they have no goal
    Answer m_answer;
    std::vector<optimize::FrontPoint> m_front;
    std::optional<Answer> m_searched; ///< what the front, or the search that is under way, is for
    JobRunner<std::vector<optimize::FrontPoint>> m_job;
};

/// Names of the responses that a trade-off is about: with a goal and a model.
QStringList tradedResponses(const study::Study& study, const std::vector<model::Fit>& fits);

} // namespace quadric::widgets
