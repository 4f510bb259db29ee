// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/desirability.h"
#include "widgets/plots/plot.h"

#include <memory>

namespace quadric::widgets {

/// One cell of the prediction profiler: a response (or the overall desirability) along one factor, the others
/// at the current setting.
struct ProfilerCell {
    model::EffectCurve curve;
    double current = 0.0; ///< actual value of the factor now (categorical: index of the level)
};

/// Rows: responses and, last, overall desirability; columns: factors.
struct ProfilerData {
    std::vector<std::vector<ProfilerCell>> cells;
    std::vector<std::string> currentTexts; ///< per factor, under its column
};

/// Prediction profiler: curves with bands, a red line per factor that is dragged, stepped with the arrow
/// keys, or typed after a double click.
class Profiler : public Plot {
    Q_OBJECT

public:
    explicit Profiler(QWidget* parent = nullptr);
    ~Profiler() override;
    void setData(const ProfilerData& data);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

signals:
    /// The user moved the red line of this factor (index of the column) to an actual value.
    void valueRequested(int factor, double actual);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void askValue(int column);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Desirability of one response over its value, with the limits as handles that can be dragged and the
/// current prediction as a mark.
class DesirabilityCurve : public Plot {
    Q_OBJECT

public:
    explicit DesirabilityCurve(QWidget* parent = nullptr);
    ~DesirabilityCurve() override;
    void setDesirability(const optimize::Desirability& desirability, std::optional<double> predicted);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    QSize sizeHint() const override;

signals:
    void limitsRequested(double low, double target, double high);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void requestLimit(double value);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
