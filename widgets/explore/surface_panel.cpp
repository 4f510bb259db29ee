// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/surface_panel.h"

#include "core/model/predict.h"
#include "widgets/base/labelled_chooser.h"
#include "widgets/explore/factor_sliders.h"
#include "widgets/plots/surface_view.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

bool areNumeric(const std::vector<study::Factor>& factors, int x, int y)
{
    const auto isNumeric = [&factors](int index) {
        return index >= 0 && index < static_cast<int>(factors.size()) &&
               factors[static_cast<std::size_t>(index)].isNumeric();
    };
    return isNumeric(x) && isNumeric(y);
}

} // namespace

SurfacePanel::SurfacePanel(QWidget* parent)
    : QWidget(parent)
    , m_surface(new SurfaceView(this))
    , m_sliders(new FactorSliders(this))
{
    m_axes = new QHBoxLayout;
    m_axes->setSpacing(8);
    m_x = addLabelledChooser(*m_axes, tr("Across"), this);
    m_y = addLabelledChooser(*m_axes, tr("Deep"), this);
    m_surface->setMinimumSize(180, 120);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_axes);
    layout->addWidget(m_surface, 1);
    layout->addWidget(m_sliders);
    connect(m_x, &QComboBox::activated, this, [this] { keepAxesApart(m_x, m_y); });
    connect(m_y, &QComboBox::activated, this, [this] { keepAxesApart(m_y, m_x); });
    connect(m_sliders, &FactorSliders::pointChanged, this, &SurfacePanel::refresh);
}

void SurfacePanel::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    fillChoosers(study.factors);
    const QSignalBlocker quiet(m_sliders);
    m_sliders->setFactors(study.factors);
    refresh();
}

void SurfacePanel::showFitAt(const study::Study& study, const model::Fit& fit, const study::CodedPoint& point)
{
    m_study = study;
    m_fit = fit;
    m_point = point;
    m_sliders->hide();
    fillChoosers(study.factors);
    refresh();
}

void SurfacePanel::addChooser(QComboBox* chooser)
{
    m_axes->insertWidget(0, chooser, 1);
}

study::CodedPoint SurfacePanel::heldAt() const
{
    return m_point.size() > 0 ? m_point : m_sliders->point();
}

/// Numeric factors only; the choice is kept while the factors stay the same.
void SurfacePanel::fillChoosers(const std::vector<study::Factor>& factors)
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
void SurfacePanel::keepAxesApart(QComboBox* changed, QComboBox* other)
{
    if (changed->currentIndex() == other->currentIndex()) {
        const int last = changed->property("last").toInt();
        other->setCurrentIndex(last != changed->currentIndex() ? last : (last + 1) % other->count());
    }
    refresh();
}

void SurfacePanel::refresh()
{
    m_x->setProperty("last", m_x->currentIndex());
    m_y->setProperty("last", m_y->currentIndex());
    const int x = m_x->currentData().isValid() ? m_x->currentData().toInt() : -1;
    const int y = m_y->currentData().isValid() ? m_y->currentData().toInt() : -1;
    m_surface->setSimulated(study::hasSimulatedResults(m_study));
    if (!areNumeric(m_study.factors, x, y) || x == y) {
        m_surface->clear(tr("A surface needs two numeric factors."));
        return;
    }
    m_sliders->hideFactors(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
    if (!m_fit.isOk()) {
        m_surface->clear(QString::fromStdString(m_fit.message));
        return;
    }
    m_surface->setGrid(model::surfaceGrid(m_fit, m_study, static_cast<std::size_t>(x),
                                          static_cast<std::size_t>(y), heldAt()));
}

} // namespace quadric::widgets
