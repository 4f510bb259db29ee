// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/pareto_data.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

/// Pareto chart of standardised effects: bars of |t| (or of |effect| with Lenth's limits), largest on top,
/// positive solid, negative hatched, lines at the limits with their names.
class ParetoChart : public Plot {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);
    void setFit(const model::Fit& fit);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;
    TextTable table() const override { return m_table; }

protected:
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QString m_title;
    ParetoData m_data;
    TextTable m_table;
    QString m_reason;
};

} // namespace quadric::widgets
