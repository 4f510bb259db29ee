// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/factor_pairs.h"
#include "widgets/explore/views/slice_view.h"

class QComboBox;

namespace quadric::widgets {

class InteractionMatrix;
class InteractionPlot;

/// Interactions: the pairs of factors that matter, or one that is chosen, each in a panel of its own; or all
/// of them as a matrix.
class InteractionView : public SliceView {
    Q_OBJECT

public:
    InteractionView();
    /// Chooses the pair of these two factors.
    void setAxes(const std::vector<std::size_t>& factors) override;

protected:
    void takeFit() override { m_room = 0; }
    void showSlice(const study::CodedPoint& at) override;
    std::vector<std::size_t> shownFactors() const override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    explicit InteractionView(InteractionPlot* panels);
    void fillChooser();
    void addPair(const model::FactorPair& pair);
    void choose(std::size_t first, std::size_t second);
    std::size_t mostPanels() const;
    void fitPanels();
    std::vector<model::FactorPair> chosenPairs() const;
    void showPlot(bool isMatrix);

    QComboBox* m_chooser = nullptr;
    InteractionPlot* m_panels;
    InteractionMatrix* m_matrix;
    std::size_t m_room = 0; ///< panels that the choice was made for; 0: it is yet to be made
};

/// The matrix alone.
View* makeInteractionProfiler();
View* makeInteractionView();

} // namespace quadric::widgets
