// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict.h"
#include "widgets/plots/plot.h"

#include <memory>

class QCustomPlot;

namespace quadric::widgets {

/// Pareto chart of standardised effects: bars of |t| (or of |effect| with Lenth's limits), largest on top,
/// positive solid, negative hatched, lines at the limits with their names.
class ParetoChart : public Plot {
    Q_OBJECT

public:
    explicit ParetoChart(QWidget* parent = nullptr);
    ~ParetoChart() override;
    void setFit(const model::Fit& fit);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// Main effects of one response: one panel per factor on a common response axis, fitted line with its 95 %
/// band and the observed means.
class MainEffectsPlot : public Plot {
    Q_OBJECT

public:
    explicit MainEffectsPlot(QWidget* parent = nullptr);
    ~MainEffectsPlot() override;
    void setCurves(const std::vector<model::EffectCurve>& curves);
    void clear(const QString& reason);
    void paintTo(QPainter& painter, const QRectF& target, bool forPrint) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
