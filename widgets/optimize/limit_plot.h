// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/limit_map.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

struct PlaneFrame;
struct PlotStyle;

/// The limits of all responses laid over one another: the sweet spot is filled, each limit is a line with
/// short strokes on the forbidden side and its name on it. Click, drag or arrow keys look at another setting.
class LimitPlot : public Plot {
    Q_OBJECT

public:
    explicit LimitPlot(QWidget* parent = nullptr);

    /// `shown`: the setting that is looked at, actual values.
    void setMap(const optimize::LimitMap& map, QPointF shown);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

signals:
    void placeRequested(double x, double y);
    /// A step by key: shares of both axes.
    void stepRequested(double x, double y);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    PlaneFrame frameOn(const QRectF& area, const PlotStyle& style) const;
    PlaneFrame frameOnScreen() const;

    optimize::LimitMap m_map;
    QPointF m_shown;
    QString m_reason;
};

} // namespace quadric::widgets
