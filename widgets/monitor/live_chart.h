// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/live_series.h"
#include "core/run/words/run_files.h"
#include "widgets/plots/base/plot.h"

#include <functional>
#include <memory>

namespace quadric::widgets {

/// The same quantity in another run.
struct OtherLine {
    QString name;
    std::vector<run::TimePoint> points; ///< as in LiveChart::setPoints()
};

/// One quantity over the time of a run, newest on the right, with its last value beside the title. Lines of
/// other runs lie behind its own, each over the time since that run was started.
class LiveChart : public Plot {
    Q_OBJECT

public:
    LiveChart(const QString& title, const QString& unit, QWidget* parent = nullptr);
    ~LiveChart() override;

    /// Of the points that are set from now on.
    void setUnit(const QString& unit);

    /// Oldest first, two at least; none: nothing was told yet.
    void setPoints(const std::vector<run::TimePoint>& points);

    /// The lines behind it, kMostComparedRuns at most; those without two points are left out.
    void setOthers(std::vector<OtherLine> others);

    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override;
    QSize sizeHint() const override { return {240, 140}; }

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// A line of each run, "run 7".
std::vector<OtherLine>
collectOtherLines(const std::vector<run::ComparedRun>& runs,
                  const std::function<std::vector<run::TimePoint>(const run::RunSamples&)>& seriesIn);

} // namespace quadric::widgets
