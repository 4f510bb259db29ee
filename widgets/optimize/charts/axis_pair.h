// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

#include <optional>
#include <utility>

class QComboBox;
class QHBoxLayout;

namespace quadric::widgets {

/// Chooses two different numeric factors as the axes of a plot; room for further choosers in the same line.
class AxisPair : public QWidget {
    Q_OBJECT

public:
    explicit AxisPair(QWidget* parent = nullptr);

    /// The choice is kept while the numeric factors stay the same.
    void setFactors(const std::vector<study::Factor>& factors);
    /// Indices in the study; empty where there are no two numeric factors.
    std::optional<std::pair<std::size_t, std::size_t>> axes() const;
    /// Chooses these without a word; none: nothing changes.
    void setAxes(const std::optional<std::pair<std::size_t, std::size_t>>& axes);

    /// Adds a chooser before those of the axes.
    void addBefore(QWidget* widget, int stretch = 1);

signals:
    void changed();

private:
    void keepApart(QComboBox* moved, QComboBox* other);

    QHBoxLayout* m_layout;
    QComboBox* m_first;
    QComboBox* m_second;
};

} // namespace quadric::widgets
