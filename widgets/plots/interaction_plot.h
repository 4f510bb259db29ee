// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/curves.h"
#include "widgets/plots/panel/panel_plot.h"

namespace quadric::widgets {

/// Interactions: a panel per pair of factors. Lines that run apart say that the effect of one factor depends
/// on the other.
class InteractionPlot : public PanelPlot {
    Q_OBJECT

public:
    explicit InteractionPlot(QWidget* parent = nullptr);
    void setPairs(const std::vector<model::InteractionPlot>& pairs);
};

/// "batch = 32 images" → "32 images", where something else names the factor.
QString levelText(const model::InteractionLine& line);

/// The curves of these pairs in numbers.
TextTable interactionTable(const std::vector<model::InteractionPlot>& pairs);

} // namespace quadric::widgets
