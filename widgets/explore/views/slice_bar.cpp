// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/slice_bar.h"

#include "core/study/slice.h"
#include "widgets/explore/views/factor_sliders.h"
#include "widgets/text/wording.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kPopupWidth = 360; ///< pixels

} // namespace

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton(this))
    , m_popup(new QFrame(this, Qt::Popup))
    , m_sliders(new FactorSliders(m_popup))
{
    m_button->setObjectName(QStringLiteral("slice"));
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setArrowType(Qt::UpArrow);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_button);
    m_popup->setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(m_popup);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(m_sliders);
    connect(m_button, &QToolButton::clicked, this, &SliceBar::openSliders);
    connect(m_sliders, &FactorSliders::valueHeld, this, &SliceBar::valueHeld);
}

void SliceBar::setSlice(const study::Study& study, const std::vector<std::size_t>& shown)
{
    study::Settings held = study::sliceOf(study);
    m_sliders->setFactors(study.factors);
    m_sliders->setSettings(held);
    m_sliders->hideFactors(shown);
    for (const std::size_t factor : shown)
        held.erase(study.factors[factor].name);
    m_text = tr("Held: %1").arg(settingsText(study, held));
    setVisible(!held.empty());
    showText();
}

/// As much of it as there is room for; the tip has all.
void SliceBar::showText()
{
    const int room = std::max(0, width() - 3 * fontMetrics().height());
    m_button->setText(fontMetrics().elidedText(m_text, Qt::ElideRight, room));
    m_button->setAccessibleName(m_text);
    m_button->setToolTip(m_text + QLatin1Char('\n') + tr("Click to change it, in all views."));
}

void SliceBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showText();
}

/// Above the bar, where the view is, or wherever it has room.
void SliceBar::openSliders()
{
    m_popup->setMinimumWidth(kPopupWidth);
    m_popup->adjustSize();
    const QRect room = screen()->availableGeometry();
    QPoint at = mapToGlobal(QPoint(0, 0)) - QPoint(0, m_popup->height());
    if (at.y() < room.top())
        at = mapToGlobal(QPoint(0, height()));
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - m_popup->width())));
    m_popup->move(at);
    m_popup->show();
    m_sliders->focusFirst();
}

} // namespace quadric::widgets
