// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/cube_panel.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/design_scene.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

namespace {

QComboBox* narrowChooser()
{
    auto* chooser = new QComboBox;
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(4);
    return chooser;
}

QHBoxLayout* rowIn(QWidget* box)
{
    auto* row = marginless<QHBoxLayout>(box, kGap);
    box->hide();
    return row;
}

void fill(QComboBox& chooser, const std::vector<std::string>& names)
{
    const QSignalBlocker blocker(chooser);
    chooser.clear();
    for (const std::string& name : names)
        chooser.addItem(QString::fromStdString(name), QString::fromStdString(name));
}

} // namespace

CubePanel::CubePanel(QWidget* parent)
    : QWidget(parent)
    , m_pictures(new QHBoxLayout)
{
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addWidget(buildChoosers());
    layout->addLayout(m_pictures, 1);
    m_pictures->setSpacing(kGap);
    addSlot();
}

QWidget* CubePanel::buildChoosers()
{
    m_axisRow = new QWidget;
    QHBoxLayout* axes = rowIn(m_axisRow);
    axes->addWidget(mutedLabel(tr("Axes")));
    for (size_t axis = 0; axis < m_choosers.size(); ++axis) {
        QComboBox* chooser = m_choosers[axis] = narrowChooser();
        nameWidget(chooser,
                   axis == 0   ? "cubeAxisX"
                   : axis == 1 ? "cubeAxisY"
                               : "cubeAxisZ",
                   tr("Factor on axis %1 of the cube").arg(axis + 1));
        chooser->setToolTip(tr("Which factor this axis of the cube shows; the others are looked through."));
        connect(chooser, &QComboBox::activated, this, [this, axis] { assignAxisFactor(axis); });
        axes->addWidget(chooser, 1);
    }
    m_levelRow = new QWidget;
    QHBoxLayout* levels = rowIn(m_levelRow);
    m_levelName = mutedLabel({});
    m_levelName->setWordWrap(false);
    m_level = narrowChooser();
    nameWidget(m_level, "cubeLevel", tr("Level that is shown"));
    m_level->setToolTip(
        tr("Runs at one level, or a picture for each of them. Page up and down in the picture "
           "go through the levels."));
    connect(m_level, &QComboBox::activated, this, &CubePanel::applyFacetLevel);
    levels->addWidget(m_levelName);
    levels->addWidget(m_level, 1);
    auto* box = new QWidget;
    auto* rows = marginless<QVBoxLayout>(box, kGap);
    rows->addWidget(m_axisRow);
    rows->addWidget(m_levelRow);
    return box;
}

void CubePanel::addSlot()
{
    Slot slot{new QWidget, new QLabel, new DesignCube};
    slot.name->setAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    slot.name->setWordWrap(true);
    slot.name->setTextFormat(Qt::PlainText);
    slot.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum); // all pictures are of one width
    describePlot(*slot.cube, *findView(designViews(), "design-cube"));
    slot.cube->setMinimumSize(160, 180);
    auto* column = marginless<QVBoxLayout>(slot.box, kGap / 2);
    column->addWidget(slot.name);
    column->addWidget(slot.cube, 1);
    m_pictures->addWidget(slot.box, 1);
    connect(slot.cube, &DesignCube::runsPicked, this, &CubePanel::runsPicked);
    connect(slot.cube, &DesignCube::levelShown, this, &CubePanel::showLevel);
    m_slots.push_back(slot);
}

void CubePanel::setDesigns(const std::vector<NamedDesign>& designs)
{
    while (m_slots.size() < designs.size())
        addSlot();
    for (size_t i = 0; i < m_slots.size(); ++i) {
        const Slot& slot = m_slots[i];
        slot.box->setVisible(i < designs.size());
        if (i >= designs.size())
            continue;
        slot.name->setText(designs[i].name);
        slot.name->setVisible(!designs[i].name.isEmpty());
        slot.name->setMinimumHeight(2 * fontMetrics().lineSpacing()); // so that all pictures are as high
        slot.cube->setStudy(designs[i].study);
    }
    if (!designs.empty())
        setFactors(designs.front().study);
}

/// The choosers for the factors that the pictures share.
void CubePanel::setFactors(const study::Study& study)
{
    std::vector<std::string> factors;
    for (const size_t i : cubeFactors(study))
        factors.push_back(study.factors[i].name);
    const study::Factor* facet = facetFactor(study);
    const std::vector<std::string> levels = facet ? facet->categories : std::vector<std::string>{};
    m_levelName->setText(facet ? QString::fromStdString(facet->name) : QString());
    if (levels != m_levels) {
        m_levels = levels;
        fill(*m_level, m_levels);
        m_level->addItem(tr("all levels"), QString());
        for (const Slot& slot : m_slots)
            slot.cube->setLevel({});
    }
    m_levelRow->setVisible(!m_levels.empty() && !factors.empty());
    showLevel(cube().shownLevel());
    if (factors == m_factors)
        return;
    m_factors = std::move(factors);
    for (const Slot& slot : m_slots)
        slot.cube->setAxes({});
    m_axisRow->setVisible(m_factors.size() > m_choosers.size());
    for (QComboBox* chooser : m_choosers)
        fill(*chooser, m_factors);
    showAxes();
}

void CubePanel::showAxes()
{
    const std::vector<std::string> axes = cube().axes();
    for (size_t axis = 0; axis < std::min(axes.size(), m_choosers.size()); ++axis)
        m_choosers[axis]->setCurrentIndex(m_choosers[axis]->findText(QString::fromStdString(axes[axis])));
}

void CubePanel::showLevel(const std::string& level)
{
    m_level->setCurrentIndex(m_level->findData(QString::fromStdString(level)));
}

/// A factor that another axis shows changes places with the one that was here.
void CubePanel::assignAxisFactor(size_t axis)
{
    std::vector<std::string> axes = cube().axes();
    const std::string chosen = m_choosers[axis]->currentText().toStdString();
    const auto present = std::ranges::find(axes, chosen);
    if (present != axes.end())
        *present = axes[axis];
    axes[axis] = chosen;
    for (const Slot& slot : m_slots)
        slot.cube->setAxes(axes);
    showAxes();
}

void CubePanel::applyFacetLevel(int index)
{
    const std::string level = m_level->itemData(index).toString().toStdString();
    for (const Slot& slot : m_slots)
        slot.cube->setLevel(level);
}

} // namespace quadric::widgets
