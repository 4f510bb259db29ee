// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QString>
#include <QWidget>

#include <array>

class QComboBox;
class QHBoxLayout;
class QLabel;

namespace quadric::widgets {

class DesignCube;

/// A design and what it is called.
struct NamedDesign {
    QString name; ///< above its picture; empty where there is only one
    study::Study study;
};

/// The pictures of one design or of several side by side, all of one width, with the axes and the level of a
/// categorical factor that they share: choosers where there are more than three numeric factors, and where
/// there are levels.
class CubePanel : public QWidget {
    Q_OBJECT

public:
    explicit CubePanel(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) { setDesigns({{{}, study}}); }
    void setDesigns(const std::vector<NamedDesign>& designs);
    /// The picture of the first design.
    DesignCube& cube() { return *m_slots.front().cube; }

signals:
    void runsPicked(const quadric::widgets::PickedRuns& runs);

private:
    struct Slot {
        QWidget* box = nullptr;
        QLabel* name = nullptr;
        DesignCube* cube = nullptr;
    };
    QWidget* buildChoosers();
    void addSlot();
    void setFactors(const study::Study& study);
    void showAxes();
    void showLevel(const std::string& level);
    void assignAxisFactor(size_t axis);
    void applyFacetLevel(int index);

    std::vector<std::string> m_factors; ///< that can be an axis
    std::vector<std::string> m_levels;  ///< one is shown of these; empty without a categorical factor
    QWidget* m_axisRow = nullptr;
    QWidget* m_levelRow = nullptr;
    std::array<QComboBox*, 3> m_choosers{};
    QComboBox* m_level = nullptr;
    QLabel* m_levelName = nullptr;
    QHBoxLayout* m_pictures;
    std::vector<Slot> m_slots;
};

} // namespace quadric::widgets
