// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/speed_up.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Speed-up over the number of GPUs: runs, the model with its band or the means with their intervals, and the
/// ideal line.
class SpeedUpPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit SpeedUpPlot(QWidget* parent = nullptr);
    /// Without runs it shows the message.
    void setSpeedUp(const plan::SpeedUp& speedUp);
};

} // namespace quadric::widgets
