// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/answer_view.h"

namespace quadric::optimize {
struct LimitMap;
} // namespace quadric::optimize

namespace quadric::widgets {

class AxisPair;
class LimitPlot;
class SteadyLabel;

/// The sweet spot: where the limits of all responses hold at once over two factors, and which of them are in
/// the way.
class LimitsView : public AnswerView {
    Q_OBJECT

public:
    explicit LimitsView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

protected:
    void choose(const AnswerSource& source) override;

private:
    void showMap();
    void findPlaces(const optimize::LimitMap& map, QPointF shown, std::size_t x, std::size_t y);
    void look(double x, double y);
    void step(double x, double y);

    AxisPair* m_axes = nullptr;
    SteadyLabel* m_words = nullptr;
    LimitPlot* m_plot = nullptr;
    Answer m_answer;
    FollowUp<Eigen::MatrixXd> m_places;
};

/// How large the sweet spot is and what limits it most, in one sentence.
QString limitsText(const optimize::LimitMap& map);

} // namespace quadric::widgets
