// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

#include <array>

class QComboBox;

namespace quadric::widgets {

class DesignCube;

/// The cube of a design; with more than three numeric factors, choosers for its axes above it.
class CubePanel : public QWidget {
    Q_OBJECT

public:
    explicit CubePanel(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);
    DesignCube& cube() { return *m_cube; }

signals:
    void runPicked(int runId);

private:
    void showAxes();
    void takeAxis(size_t axis);

    std::vector<std::string> m_factors; ///< that can be an axis
    QWidget* m_row;
    std::array<QComboBox*, 3> m_choosers{};
    DesignCube* m_cube;
};

} // namespace quadric::widgets
