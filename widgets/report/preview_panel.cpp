// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/preview_panel.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/report/document/printed_report.h"
#include "widgets/report/page_preview.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

constexpr std::array kScales{0.5, 0.75, 1.0, 1.5, 2.0};
constexpr int kFitWidth = 0, kWholePage = 1, kFirstScale = 2; ///< rows of the zoom box
constexpr double kAboveHeading = 24.0;                        ///< logical pixels of the page

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent)
    , m_preview(new PagePreview)
    , m_scroll(new QScrollArea)
    , m_headings(new QComboBox)
    , m_zoom(new QComboBox)
    , m_count(mutedLabel({}))
{
    nameWidget(m_headings, "headings", tr("Go to section"));
    nameWidget(m_zoom, "zoom", tr("Zoom"));
    nameWidget(m_count, "pageCount", tr("Number of pages"));
    m_zoom->addItems({tr("Fit width"), tr("Whole page")});
    for (const double scale : kScales)
        m_zoom->addItem(tr("%1 %").arg(100.0 * scale));
    m_zoom->setToolTip(tr("Ctrl and the mouse wheel zoom, too."));
    m_headings->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_headings->setMinimumContentsLength(20);
    m_scroll->setAccessibleName(tr("Pages of the report"));
    m_scroll->setWidget(m_preview);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_scroll->viewport()->installEventFilter(this);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(16, 0, 16, 0);
    bar->addWidget(m_headings);
    bar->addWidget(m_count);
    bar->addStretch(1);
    bar->addWidget(m_zoom);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(m_scroll, 1);
    connect(m_zoom, &QComboBox::currentIndexChanged, this, &PreviewPanel::applyZoom);
    connect(m_headings, &QComboBox::activated, this, &PreviewPanel::goTo);
}

void PreviewPanel::setReport(std::unique_ptr<PrintedReport> report)
{
    const QString kept = m_headings->currentText();
    const QSignalBlocker quiet(m_headings);
    m_headings->clear();
    m_places.clear();
    const double pointsPerPage = report->pageSize().height() * PrintedReport::kPointsPerPixel;
    for (const OutlineEntry& entry : report->outline())
        if (entry.level == 0) {
            m_headings->addItem(entry.title);
            m_places.emplace_back(entry.page, (pointsPerPage - entry.top) / PrintedReport::kPointsPerPixel);
        }
    m_headings->setCurrentIndex(std::max(0, m_headings->findText(kept)));
    m_count->setText(formatCount(report->pageCount(), "page"));
    m_preview->setReport(std::move(report));
    applyZoom();
}

void PreviewPanel::markOutdated()
{
    m_preview->markOutdated();
}

void PreviewPanel::applyZoom()
{
    const int row = m_zoom->currentIndex();
    if (row == kFitWidth || m_preview->report() == nullptr)
        return m_preview->setScale({});
    if (row == kWholePage)
        return m_preview->setScale(m_preview->scaleOfWholePage(m_scroll->viewport()->height()));
    m_preview->setScale(kScales[static_cast<std::size_t>(row - kFirstScale)]);
}

void PreviewPanel::zoomBy(int steps)
{
    const int now = std::max(m_zoom->currentIndex(), kFirstScale + 1);
    m_zoom->setCurrentIndex(std::clamp(now + steps, kFirstScale, m_zoom->count() - 1));
}

void PreviewPanel::goTo(int heading)
{
    const auto [page, top] = m_places[static_cast<std::size_t>(heading)];
    m_scroll->verticalScrollBar()->setValue(m_preview->placeOf(page, top - kAboveHeading));
}

bool PreviewPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_zoom->currentIndex() == kWholePage)
        applyZoom();
    if (event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        if (wheel->modifiers().testFlag(Qt::ControlModifier) && wheel->angleDelta().y() != 0) {
            zoomBy(wheel->angleDelta().y() > 0 ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace quadric::widgets
