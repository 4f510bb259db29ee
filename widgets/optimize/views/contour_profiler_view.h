// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/views/contour_profile.h"

#include <QTimer>

class QComboBox;
class QStackedWidget;

namespace quadric::widgets {

class AxisPair;
class ContourValues;
struct ContourResponse;
class SmallSurfaces;
class SteadyLabel;
class SurfaceView;

/// The contour profiler: a map over two factors with a crosshair at the setting that is looked at, a contour
/// per response with its value beside it, the limits of all responses and the constraints; small surfaces of
/// all responses, each of which can take the map's place.
class ContourProfilerView : public AnswerView {
    Q_OBJECT

public:
    explicit ContourProfilerView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addChooser();
    void addParts();
    void fillChooser();
    void chooseSurface(int index);
    void showAll();
    void showMap();
    void showLarge(int points);
    void showSmall();
    void findMap();
    void findPlaces();
    void look(double x, double y);
    void step(double x, double y);
    std::vector<ContourResponse> responses() const;
    bool showsSurface() const;

    QComboBox* m_what = nullptr;
    AxisPair* m_axes = nullptr;
    SteadyLabel* m_words = nullptr;
    ContourValues* m_values = nullptr;
    QStackedWidget* m_large = nullptr;
    ContourProfilerPlot* m_plot = nullptr;
    SurfaceView* m_surface = nullptr;
    SmallSurfaces* m_small = nullptr;
    QTimer m_rest;
    Answer m_answer;
    ContourProfile m_profile;
    MapPlace m_place;                                          ///< where the map was made
    bool m_hasOtherModels = true, m_hasOtherGoals = true;      ///< than those that the map was made with
    std::vector<model::MarkedSurface> m_responses;             ///< the small surfaces of the map's responses
    std::shared_ptr<const optimize::OptimumRegion> m_placesOf; ///< the region whose places the map has
    FollowUp<Eigen::MatrixXd> m_places;
};

} // namespace quadric::widgets
