// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/charts/contour_profiler_plot.h"
#include "widgets/optimize/views/optimize_views.h"

#include <QScrollArea>

#include <optional>
#include <string>
#include <vector>

class QAbstractButton;
class QGridLayout;
class QLineEdit;
class QSlider;

namespace quadric::widgets {

/// A response whose contour is drawn: the range that its slider has and its prediction at the setting that is
/// looked at.
struct ContourResponse {
    std::string name, unit;
    double low = 0.0, high = 1.0;
    double predicted = 0.0;
};

/// A row per response with the value of its contour, by slider or typed. The value is the prediction, and
/// follows it, until the user fixes another one.
class ContourValues : public QScrollArea {
    Q_OBJECT

public:
    explicit ContourValues(QWidget* parent = nullptr);

    /// Values that were fixed stay while the responses are the same.
    void setResponses(const std::vector<ContourResponse>& responses);
    /// In the order of the responses.
    std::vector<double> values() const;

signals:
    void changed();

private:
    struct Row {
        QSlider* slider = nullptr;
        QLineEdit* typed = nullptr;
        QAbstractButton* fixed = nullptr;
        std::optional<double> value; ///< that the user fixed
    };
    void makeRows();
    Row makeRow(QGridLayout& grid, std::size_t index);
    double valueOf(std::size_t index) const;
    void showRow(std::size_t index);
    void fix(std::size_t index, std::optional<double> value);
    void commitTypedValue(std::size_t index);

    std::vector<ContourResponse> m_responses;
    std::vector<Row> m_rows;
};

/// Over which factors and around which other settings a map is made: it is the same wherever the crosshair
/// stands on it.
struct MapPlace {
    AxisChoice axes;
    study::Settings others;
    bool operator==(const MapPlace&) const = default;
};
MapPlace makeMapPlace(const Answer& answer, const AxisChoice& axes);

/// The map of the answer over these axes.
optimize::LimitMap answerMap(const Answer& answer, const AxisChoice& axes, optimize::MapResponses which);

/// Where a map over these axes is supported by runs, at its nodes (optimize::supportGrid()).
Eigen::MatrixXd answerSupport(const Answer& answer, const AxisChoice& axes);

/// What is predicted where the answer is looked at, in the order of the map's responses.
std::vector<std::optional<double>> collectPredictions(const Answer& answer, const optimize::LimitMap& map);

/// A response of the map as a surface without errors and runs, with so many nodes along each axis.
model::MarkedSurface smallSurface(const optimize::LimitMap& map, const optimize::LimitLayer& layer,
                                  int points);

/// 1 where a setting of the plane may be the best, 0 elsewhere; empty while that region is not known.
Eigen::MatrixXd sampleOptimumRegion(const Answer& answer, const AxisChoice& axes,
                                    const std::stop_token& stop);

/// What is told of a place of the map: both factors, all predictions with what their limits say, and what
/// forbids it.
std::function<QString(double x, double y)> makeMapReading(const Answer& answer, const AxisChoice& axes);

/// How large the sweet spot is and what limits it most, in one sentence; empty where no limit is set.
QString limitsText(const optimize::LimitMap& map);

/// The contour profiler: map, values of the contours and small surfaces.
AnswerView* makeContourProfiler();

/// The pictures: contours at the predictions of the setting that is looked at, or the limits alone.
std::shared_ptr<Plot> drawContourProfiler(const AnswerSource& source);
std::shared_ptr<Plot> drawLimits(const AnswerSource& source);

} // namespace quadric::widgets
