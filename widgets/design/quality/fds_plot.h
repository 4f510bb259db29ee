// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "widgets/plots/panel/panel_plot.h"

#include <vector>

namespace quadric::widgets {

struct FdsCurve {
    QString name; ///< empty where there is only one
    std::vector<design::FdsPoint> points;
};

/// Fraction-of-design-space curves (Zahran, Anderson-Cook & Myers 2003): how well a design predicts over the
/// region. Low and flat is good. Several designs can be laid over one another, each with its own line style.
class FdsPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit FdsPlot(QWidget* parent = nullptr);
    void setCurves(std::vector<FdsCurve> curves);

    /// "half of the region is predicted within 0.45 σ, nine tenths within 0.62 σ, …", design by design.
    QString words() const;

private:
    std::vector<FdsCurve> m_curves;
};

} // namespace quadric::widgets
