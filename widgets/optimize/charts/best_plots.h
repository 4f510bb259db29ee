// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/run_plan.h"
#include "widgets/plots/panel/panel_plot.h"

#include <vector>

namespace quadric::widgets {

/// The best measured value over the runs in their order: a dot for each run, a cross at the foot for one that
/// failed, and the best until then as a line.
class BestSoFarPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit BestSoFarPlot(QWidget* parent = nullptr);

    void setRuns(const optimize::BestSoFar& runs);
};

/// One of the two responses that a front is drawn over.
struct FrontAxis {
    std::string response; ///< name in the front's points
    QString title;        ///< with unit
    study::Goal goal = study::Goal::None;
};

/// What a front is seen among.
struct FrontSurroundings {
    std::optional<QPointF> shown = {}; ///< predictions at the setting shown, in the order of the axes
    std::vector<double> overall = {};  ///< desirability of each point, its color; empty: one color
    std::vector<PanelDot> runs = {};   ///< observed values, in the order of the axes
};

/// Trade-off front: settings of which none is better than another in both responses, over two of the
/// responses: its axes say in which direction these are better. A click or the arrow keys pick a point; the
/// setting that is shown elsewhere and the runs that were observed are marked.
class FrontPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit FrontPlot(QWidget* parent = nullptr);

    /// `tips`: what is said of each point.
    void setFront(const std::vector<optimize::FrontPoint>& front, const FrontAxis& x, const FrontAxis& y,
                  const QStringList& tips = {});
    void setSurroundings(FrontSurroundings around);
    void clear(const QString& reason);

signals:
    /// Index in the front as it was set.
    void pointPicked(int index);

protected:
    void dotClicked(const PanelDot& dot) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showBoard();
    int findShownPoint() const;

    FrontAxis m_x, m_y;
    std::vector<QPointF> m_points; ///< in the unit of the responses
    QStringList m_tips;
    FrontSurroundings m_around;
};

} // namespace quadric::widgets
