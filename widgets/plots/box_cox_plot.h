// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/select/boxcox.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Profile likelihood of the power of a transform with its 95 % interval, the likeliest power, the one in use
/// and the one recommended.
class BoxCoxPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit BoxCoxPlot(QWidget* parent = nullptr);
    /// `profile`: of the fit.
    void setProfile(const model::Fit& fit, const model::BoxCox& profile, const study::Transform& recommended);
};

} // namespace quadric::widgets
