// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/coding.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QSlider;

namespace quadric::widgets {

/// One slider per factor: over its legal values where there are few, over its range otherwise. The value
/// stands beside it.
class FactorSliders : public QWidget {
    Q_OBJECT

public:
    explicit FactorSliders(QWidget* parent = nullptr);

    /// Makes new sliders, all at the center, when the factors differ from the ones shown.
    void setFactors(const std::vector<study::Factor>& factors);
    /// Hides the sliders of these two factors (the axes of a surface).
    void hideFactors(std::size_t first, std::size_t second);

    study::CodedPoint point() const;
    void setPoint(const study::CodedPoint& point);

signals:
    void pointChanged();

private:
    struct Row {
        QLabel* name = nullptr;
        QSlider* slider = nullptr;
        QLabel* value = nullptr;
        std::vector<double> stops; ///< coded values of the slider's positions
    };
    Row makeRow(std::size_t factor);
    void showValue(std::size_t factor);

    std::vector<study::Factor> m_factors;
    std::vector<Row> m_rows;
    QGridLayout* m_grid = nullptr;
};

} // namespace quadric::widgets
