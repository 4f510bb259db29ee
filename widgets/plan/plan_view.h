// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/session/optimize_session.h"
#include "widgets/plan/plan_form.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/text/text_table.h"

class QLabel;
class QScrollArea;
class QTableView;

namespace quadric::widgets {

class PanelPlot;
class PlanFigure;
class SteadyLabel;

/// What a question is answered with.
struct PlanReply {
    QString sentence = {}, remark = {}; ///< above and below the figure
    PanelBoard board = {};
    QString reason = {}; ///< why there is no figure
    QString held = {};   ///< what factors that the figure does not show are set to
    TextTable table = {};
    /// What takes longer than a frame: the reply with it, computed in the background. Until then the table is
    /// that of before.
    std::function<PlanReply()> whole = {};
};

/// A question of the page: its words, its controls, and how it is answered.
struct PlanQuestion {
    std::string id;
    QString title, tab;
    QString tableName = {}; ///< for assistive technology
    std::vector<PlanControl> controls = {};
    std::function<PlanReply(const PlanSource&)> answer = {};
};

/// One question of the page: its controls at the left, the answer in a sentence and a figure at the right.
class PlanView : public QWidget {
    Q_OBJECT

public:
    explicit PlanView(PlanQuestion question, QWidget* parent = nullptr);

    /// Shows what is asked now. A view is told only while it can be seen.
    void showPlan(const PlanSource& source);
    /// For a picture of the view: everything computed at once.
    void showWhole(const PlanSource& source);
    PanelPlot* plot() const;
    /// What the view answers in words: the sentence above the figure, and what is remarked below it.
    QString sentence() const;
    QString remark() const;
    /// The table below the figure, where it has rows.
    std::vector<TextTable> tables() const;

signals:
    /// The user asks something else.
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitControls();
    void showReply(const PlanReply& reply);

    PlanQuestion m_question;
    PlanForm* m_form = nullptr;
    QScrollArea* m_area = nullptr; ///< of the form
    SteadyLabel* m_sentence = nullptr;
    PlanFigure* m_figure = nullptr;
    QTableView* m_view = nullptr;
    TextTableModel* m_model = nullptr;
    TextTable m_table;
    QLabel* m_remark = nullptr;
    FollowUp<PlanReply> m_job;
};

} // namespace quadric::widgets
