// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/axis_pair.h"

#include "widgets/base/labeled_chooser.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

namespace quadric::widgets {

AxisPair::AxisPair(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    m_first = addLabeledChooser(*m_layout, tr("X axis"), this);
    m_second = addLabeledChooser(*m_layout, tr("Y axis"), this);
    m_layout->addStretch();
    connect(m_first, &QComboBox::activated, this, [this] { keepApart(m_first, m_second); });
    connect(m_second, &QComboBox::activated, this, [this] { keepApart(m_second, m_first); });
}

void AxisPair::setFactors(const std::vector<study::Factor>& factors)
{
    QStringList names, shown;
    QList<int> indices;
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i].isNumeric()) {
            names << nameText(factors[i].name);
            indices << static_cast<int>(i);
        }
    for (int i = 0; i < m_first->count(); ++i)
        shown << m_first->itemText(i);
    if (shown == names)
        return;
    for (QComboBox* chooser : {m_first, m_second}) {
        const QSignalBlocker quiet(chooser);
        chooser->clear();
        for (qsizetype i = 0; i < names.size(); ++i)
            chooser->addItem(names[i], indices[i]);
        chooser->setCurrentIndex(chooser == m_second ? std::min(1, chooser->count() - 1) : 0);
        chooser->setProperty("last", chooser->currentIndex());
    }
}

std::optional<std::pair<std::size_t, std::size_t>> AxisPair::axes() const
{
    if (m_first->count() < 2)
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(m_first->currentData().toInt()),
                     static_cast<std::size_t>(m_second->currentData().toInt()));
}

void AxisPair::setAxes(const std::optional<std::pair<std::size_t, std::size_t>>& axes)
{
    if (!axes)
        return;
    m_first->setCurrentIndex(m_first->findData(static_cast<int>(axes->first)));
    m_second->setCurrentIndex(m_second->findData(static_cast<int>(axes->second)));
    for (QComboBox* chooser : {m_first, m_second})
        chooser->setProperty("last", chooser->currentIndex());
}

void AxisPair::addBefore(QWidget* widget, int stretch)
{
    m_layout->insertWidget(0, widget, stretch);
}

/// Choosing the other axis's factor swaps the two.
void AxisPair::keepApart(QComboBox* moved, QComboBox* other)
{
    if (moved->currentIndex() == other->currentIndex())
        other->setCurrentIndex(moved->property("last").toInt());
    moved->setProperty("last", moved->currentIndex());
    other->setProperty("last", other->currentIndex());
    emit changed();
}

} // namespace quadric::widgets
