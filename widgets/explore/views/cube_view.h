// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/slice_view.h"

#include <array>

class QComboBox;
class QWidget;

namespace quadric::widgets {

class CubePlot;

/// Predictions at the corners of three factors, which are chosen where the study has more; the others are
/// held.
class CubeView : public SliceView {
    Q_OBJECT

public:
    CubeView();
    /// Chooses these three factors.
    void setAxes(const std::vector<std::size_t>& factors) override;

protected:
    void showSlice(const study::CodedPoint& at) override;
    std::vector<std::size_t> shownFactors() const override { return m_factors; }

private:
    explicit CubeView(CubePlot* cube);
    void fillChoosers();
    void takeChoice(std::size_t axis);

    CubePlot* m_cube;
    QWidget* m_row;
    std::array<QComboBox*, 3> m_choosers{};
    std::vector<study::Factor> m_known;
    std::vector<std::size_t> m_factors; ///< on the axes; none: there are fewer than three
};

View* makeCubeView();

} // namespace quadric::widgets
