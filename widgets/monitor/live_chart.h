// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/live_series.h"
#include "widgets/plots/base/plot.h"

#include <memory>

namespace quadric::widgets {

/// One quantity over the time of a run, newest on the right, with its last value beside the title.
class LiveChart : public Plot {
    Q_OBJECT

public:
    LiveChart(const QString& title, const QString& unit, QWidget* parent = nullptr);
    ~LiveChart() override;

    /// Of the points that are set from now on.
    void setUnit(const QString& unit);

    /// Oldest first, two at least; none: nothing was told yet.
    void setPoints(const std::vector<run::TimePoint>& points);

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;
    QSize sizeHint() const override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
