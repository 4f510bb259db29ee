// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/cube_panel.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/design_views.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/design_scene.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

CubePanel::CubePanel(QWidget* parent)
    : QWidget(parent)
    , m_row(new QWidget)
    , m_cube(new DesignCube)
{
    auto* row = new QHBoxLayout(m_row);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    row->addWidget(mutedLabel(tr("Axes")));
    for (size_t axis = 0; axis < m_choosers.size(); ++axis) {
        auto* chooser = new QComboBox;
        nameWidget(chooser,
                   axis == 0   ? "cubeAxisX"
                   : axis == 1 ? "cubeAxisY"
                               : "cubeAxisZ",
                   tr("Factor on axis %1 of the cube").arg(axis + 1));
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        chooser->setMinimumContentsLength(4);
        chooser->setToolTip(tr("Which factor this axis of the cube shows; the others are looked through."));
        connect(chooser, &QComboBox::activated, this, [this, axis] { takeAxis(axis); });
        row->addWidget(chooser, 1);
        m_choosers[axis] = chooser;
    }
    describePlot(*m_cube, *findView(designViews(), "design-cube"));
    m_cube->setMinimumSize(200, 180);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_row);
    layout->addWidget(m_cube, 1);
    m_row->hide();
    connect(m_cube, &DesignCube::runPicked, this, &CubePanel::runPicked);
}

void CubePanel::setStudy(const study::Study& study)
{
    std::vector<std::string> factors;
    for (const size_t i : cubeFactors(study))
        factors.push_back(study.factors[i].name);
    m_cube->setStudy(study);
    if (factors == m_factors)
        return;
    m_factors = std::move(factors);
    m_cube->setAxes({});
    m_row->setVisible(m_factors.size() > m_choosers.size());
    for (QComboBox* chooser : m_choosers) {
        const QSignalBlocker blocker(chooser);
        chooser->clear();
        for (const std::string& name : m_factors)
            chooser->addItem(QString::fromStdString(name));
    }
    showAxes();
}

void CubePanel::showAxes()
{
    const std::vector<std::string> axes = m_cube->axes();
    for (size_t axis = 0; axis < std::min(axes.size(), m_choosers.size()); ++axis)
        m_choosers[axis]->setCurrentIndex(m_choosers[axis]->findText(QString::fromStdString(axes[axis])));
}

/// A factor that another axis shows changes places with the one that was here.
void CubePanel::takeAxis(size_t axis)
{
    std::vector<std::string> axes = m_cube->axes();
    const std::string chosen = m_choosers[axis]->currentText().toStdString();
    const auto present = std::ranges::find(axes, chosen);
    if (present != axes.end())
        *present = axes[axis];
    axes[axis] = chosen;
    m_cube->setAxes(axes);
    showAxes();
}

} // namespace quadric::widgets
