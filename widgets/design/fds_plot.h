// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"
#include "widgets/plots/plot.h"

#include <memory>
#include <vector>

namespace quadric::widgets {

struct FdsCurve {
    QString name; ///< empty where there is only one
    std::vector<design::FdsPoint> points;
};

/// Fraction-of-design-space curves (Zahran, Anderson-Cook & Myers 2003): how well a design predicts over the
/// region. Low and flat is good. Several designs can be laid over one another, each with its own line style.
class FdsPlot : public Plot {
    Q_OBJECT

public:
    explicit FdsPlot(QWidget* parent = nullptr);
    ~FdsPlot() override;
    void setCurves(std::vector<FdsCurve> curves);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

    /// "half of the region is predicted within 0.45 σ, nine tenths within 0.62 σ, …", design by design.
    QString words() const;

protected:
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
