// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/charts/answer_map_plot.h"
#include "widgets/optimize/views/optimize_views.h"

#include <QTimer>

class QComboBox;
class QStackedWidget;
class QToolButton;

namespace quadric::widgets {

/// The score or a response over two factors around the setting that is looked at: a map, or on demand the
/// same as a surface that turns.
class MapView : public AnswerView {
    Q_OBJECT

public:
    explicit MapView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

signals:
    /// The surface is shown, which wants all the room there is, or no longer.
    void surfaceToggled(bool isShown);

private:
    void fillSubjects();
    SurfaceSubject subject() const;
    void draw(int points);
    void drawMap(int points);
    void requestSettingsAt(double x, double y);
    void step(double x, double y);

    QComboBox* m_subject = nullptr;
    AxisPair* m_axes = nullptr;
    QToolButton* m_asSurface = nullptr;
    QStackedWidget* m_stack = nullptr;
    AnswerMapPlot* m_plot = nullptr;
    SurfaceView* m_surface = nullptr;
    QTimer m_rest;
    Answer m_answer;
    study::Settings m_others; ///< of the factors that are not on the map, as the map was made with
    bool m_isStale = true;    ///< other models, goals or axes than the map was made with
};

/// The pictures: the score with the limits over it, or the limits alone.
std::shared_ptr<Plot> drawMap(const AnswerSource& source);
std::shared_ptr<Plot> drawLimits(const AnswerSource& source);

} // namespace quadric::widgets
