// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_plan.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Mean response of one fast and of several slow machines over the rate at which jobs come: by formula as
/// lines, at the rate that is asked for simulated, with the load at which the answer turns.
class QueuePlot : public PanelPlot {
    Q_OBJECT

public:
    explicit QueuePlot(QWidget* parent = nullptr);
    /// `plan` and `turn` are empty while they are simulated.
    void setQueue(const plan::QueueSystems& systems, double rate, const std::optional<plan::QueuePlan>& plan,
                  const std::optional<plan::QueueTurn>& turn);
};

} // namespace quadric::widgets
