// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "widgets/optimize/answer_view.h"

class QComboBox;

namespace quadric::widgets {

class AxisPair;
class SurfaceView;

/// The surface of any response, or of the overall desirability, over two factors around the setting that is
/// looked at. Coarse while things move, fine as soon as they rest.
class ResponseMapView : public AnswerView {
    Q_OBJECT

public:
    explicit ResponseMapView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

protected:
    void choose(const AnswerSource& source) override;

private:
    void fillChooser(const Answer& answer);
    void showMap(int points);
    model::SurfaceGrid gridOf(std::size_t x, std::size_t y, int points) const;

    QComboBox* m_what = nullptr;
    AxisPair* m_axes = nullptr;
    SurfaceView* m_surface = nullptr;
    QTimer m_rest;
    Answer m_answer;
};

} // namespace quadric::widgets
