// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/factor_plane.h"

#include "core/model/feasibility/running_map.h"
#include "core/model/process/shown_process.h"
#include "core/study/slice.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/explore/views/factor_sliders.h"
#include "widgets/explore/views/slice_bar.h"
#include "widgets/plots/base/plot.h"
#include "widgets/text/held_text.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kNodes = 61;       ///< along each axis
constexpr int kPlotHeight = 190; ///< pixels that choosers and plot should have above the sliders

bool areNumeric(const std::vector<study::Factor>& factors, int x, int y)
{
    const auto isNumeric = [&factors](int index) {
        return index >= 0 && index < static_cast<int>(factors.size()) &&
               factors[static_cast<std::size_t>(index)].isNumeric();
    };
    return isNumeric(x) && isNumeric(y);
}

} // namespace

FactorPlane::FactorPlane(Plot* plot, QWidget* parent)
    : QWidget(parent)
    , m_plot(plot)
    , m_sliders(new FactorSliders(this))
    , m_bar(new SliceBar(this))
{
    m_axes = new QHBoxLayout;
    m_axes->setSpacing(8);
    m_x = addLabeledChooser(*m_axes, tr("X axis"), this);
    m_y = addLabeledChooser(*m_axes, tr("Y axis"), this);
    m_axes->addStretch();
    for (QComboBox* chooser : {m_x, m_y})
        chooser->setMinimumContentsLength(4);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_axes);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_sliders);
    layout->addWidget(m_bar);
    connect(m_x, &QComboBox::activated, this, [this] { keepAxesApart(m_x, m_y); });
    connect(m_y, &QComboBox::activated, this, [this] { keepAxesApart(m_y, m_x); });
    connect(m_bar, &SliceBar::valueHeld, this, &FactorPlane::valueHeld);
    connect(m_sliders, &FactorSliders::valueHeld, this, &FactorPlane::valueHeld);
}

void FactorPlane::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit.isOk() ? model::shownFits(study, {fit}).front() : fit;
    fillChoosers(study.factors);
    m_sliders->setFactors(study.factors);
    moveSlice(study);
}

void FactorPlane::moveSlice(const study::Study& study)
{
    m_study.view = study.view;
    m_sliders->setSettings(study::sliceOf(study));
    refresh();
}

void FactorPlane::setAxes(std::size_t x, std::size_t y)
{
    const int across = m_x->findData(static_cast<int>(x));
    const int deep = m_y->findData(static_cast<int>(y));
    if (across < 0 || deep < 0 || across == deep)
        return;
    m_x->setCurrentIndex(across);
    m_y->setCurrentIndex(deep);
    refresh();
}

void FactorPlane::addTool(QWidget* tool)
{
    m_axes->addWidget(tool);
}

/// Numeric factors only; the choice is kept while the factors stay the same.
void FactorPlane::fillChoosers(const std::vector<study::Factor>& factors)
{
    QStringList names;
    QList<int> indices;
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i].isNumeric()) {
            names << nameText(factors[i].name);
            indices << static_cast<int>(i);
        }
    QStringList shown;
    for (int i = 0; i < m_x->count(); ++i)
        shown << m_x->itemText(i);
    if (shown == names)
        return;
    for (QComboBox* chooser : {m_x, m_y}) {
        const QSignalBlocker quiet(chooser);
        chooser->clear();
        for (qsizetype i = 0; i < names.size(); ++i)
            chooser->addItem(names[i], indices[i]);
        chooser->setCurrentIndex(chooser == m_y ? std::min(1, chooser->count() - 1) : 0);
    }
}

/// Choosing the other axis's factor swaps the two.
void FactorPlane::keepAxesApart(QComboBox* changed, QComboBox* other)
{
    if (changed->currentIndex() == other->currentIndex()) {
        const int last = changed->property("last").toInt();
        other->setCurrentIndex(last != changed->currentIndex() ? last : (last + 1) % other->count());
    }
    refresh();
}

void FactorPlane::showHeld()
{
    const std::vector<std::size_t> axes{m_x->currentData().toUInt(), m_y->currentData().toUInt()};
    m_sliders->hideFactors(axes);
    const bool hasRoom = height() >= kPlotHeight + m_sliders->sizeHint().height();
    m_sliders->setVisible(hasRoom);
    if (hasRoom)
        m_bar->hide();
    else
        m_bar->setSlice(m_study, axes);
}

void FactorPlane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_x->count() > 1)
        showHeld();
}

void FactorPlane::refresh()
{
    m_x->setProperty("last", m_x->currentIndex());
    m_y->setProperty("last", m_y->currentIndex());
    const int x = m_x->currentData().isValid() ? m_x->currentData().toInt() : -1;
    const int y = m_y->currentData().isValid() ? m_y->currentData().toInt() : -1;
    m_plot->setSimulated(study::hasSimulatedResults(m_study));
    m_plot->setSource({nameText(m_study.name), {nameText(m_fit.response)}});
    m_plot->setHeld({});
    if (!areNumeric(m_study.factors, x, y) || x == y) {
        showReason(tr("A surface needs two numeric factors."));
        return;
    }
    showHeld();
    if (!m_fit.isOk()) {
        showReason(QString::fromStdString(m_fit.message));
        return;
    }
    const ModelPlane plane{m_fit, static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                           study::Coding(m_study.factors).toCoded(m_sliders->settings())};
    const QString others = heldText(m_study, plane.at, {plane.x, plane.y});
    m_plot->setHeld(m_fit.predictor ? tr("Gaussian process · ") + others : others);
    const model::SurfaceGrid surface = model::surfaceGrid(m_fit, m_study, plane.x, plane.y, plane.at, kNodes);
    showGrid(model::marked(surface, m_study, plane.x, plane.y, plane.at), plane);
}

} // namespace quadric::widgets
