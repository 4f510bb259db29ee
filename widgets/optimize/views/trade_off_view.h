// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/charts/front_plot.h"
#include "widgets/optimize/views/answer_view.h"

class QComboBox;

namespace quadric::widgets {

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
