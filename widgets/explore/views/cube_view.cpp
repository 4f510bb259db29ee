// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/cube_view.h"

#include "widgets/plots/scene/cube_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

CubeView::CubeView()
    : CubeView(new CubePlot)
{
}

CubeView::CubeView(CubePlot* cube)
    : SliceView(cube)
    , m_cube(cube)
    , m_row(new QWidget(this))
{
    auto* row = new QHBoxLayout(m_row);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const std::array<QString, 3> names{tr("Width"), tr("Depth"), tr("Height")};
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis) {
        m_choosers[axis] = new QComboBox(m_row);
        m_choosers[axis]->setObjectName(QStringLiteral("cubeAxis%1").arg(axis));
        m_choosers[axis]->setAccessibleName(names[axis]);
        m_choosers[axis]->setToolTip(tr("The factor along the %1 of the cube.").arg(names[axis].toLower()));
        m_choosers[axis]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_choosers[axis]->setMinimumContentsLength(4);
        row->addWidget(m_choosers[axis], 1);
        connect(m_choosers[axis], &QComboBox::activated, this, [this, axis] { takeChoice(axis); });
    }
    column().insertWidget(0, m_row);
}

/// Those that explain most, until others are chosen; the choice is kept while the factors stay the same.
void CubeView::fillChoosers()
{
    m_row->setVisible(fit().factors.size() > m_choosers.size());
    if (!fit().isOk() || fit().factors == m_known)
        return;
    m_known = fit().factors;
    m_factors = leadingFactors(fit(), m_choosers.size());
    if (m_factors.size() < m_choosers.size())
        m_factors.clear();
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis) {
        const QSignalBlocker quiet(m_choosers[axis]);
        m_choosers[axis]->clear();
        for (const study::Factor& factor : m_known)
            m_choosers[axis]->addItem(nameText(factor.name));
        m_choosers[axis]->setCurrentIndex(m_factors.empty() ? -1 : static_cast<int>(m_factors[axis]));
    }
}

/// Choosing a factor of another axis swaps the two.
void CubeView::takeChoice(std::size_t axis)
{
    const auto chosen = static_cast<std::size_t>(m_choosers[axis]->currentIndex());
    if (m_factors.empty() || chosen >= m_known.size())
        return;
    std::vector<std::size_t> factors = m_factors;
    if (const auto other = std::ranges::find(factors, chosen); other != factors.end())
        *other = factors[axis];
    factors[axis] = chosen;
    setAxes(factors);
}

void CubeView::setAxes(const std::vector<std::size_t>& factors)
{
    if (factors.size() != m_choosers.size() || m_factors.empty())
        return;
    m_factors = factors;
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis)
        m_choosers[axis]->setCurrentIndex(static_cast<int>(factors[axis]));
    refresh();
}

void CubeView::showSlice(const study::CodedPoint& at)
{
    fillChoosers();
    if (!fit().isOk())
        return m_cube->clear(message());
    if (m_factors.empty())
        return m_cube->clear(tr("A cube needs three factors."));
    m_cube->setCube(model::cubePlot(fit(), study(), {m_factors[0], m_factors[1], m_factors[2]}, at),
                    fit().factors);
}

View* makeCubeView()
{
    return new CubeView;
}

} // namespace quadric::widgets
