// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/page_preview.h"

#include "widgets/base/theme.h"
#include "widgets/report/printed_report.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kGap = 16.0; ///< around and between pages
constexpr double kLargestScale = 1.25;
constexpr int kPagesKept = 8;

} // namespace

PagePreview::PagePreview(QWidget* parent)
    : QWidget(parent)
{
    m_pixmaps.setMaxCost(kPagesKept);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Pages of the report"));
}

PagePreview::~PagePreview() = default;

void PagePreview::setReport(std::unique_ptr<PrintedReport> report)
{
    m_report = std::move(report);
    m_pixmaps.clear();
    updateGeometry();
    update();
}

double PagePreview::scaleFor(int width) const
{
    return std::clamp((width - 2 * kGap) / m_report->pageSize().width(), 0.1, kLargestScale);
}

int PagePreview::heightForWidth(int width) const
{
    if (!m_report)
        return 0;
    const double page = m_report->pageSize().height() * scaleFor(width) + kGap;
    return static_cast<int>(std::ceil(m_report->pageCount() * page + kGap));
}

QSize PagePreview::sizeHint() const
{
    const int width = m_report ? static_cast<int>(m_report->pageSize().width() + 2 * kGap) : 400;
    return {width, heightForWidth(width)};
}

QRectF PagePreview::pageRect(int page) const
{
    const double scale = scaleFor(width());
    const QSizeF size = m_report->pageSize() * scale;
    return {std::floor((width() - size.width()) / 2), kGap + page * (size.height() + kGap), size.width(),
            size.height()};
}

QPixmap PagePreview::pagePixmap(int page)
{
    if (const QPixmap* drawn = m_pixmaps.object(page))
        return *drawn;
    const double scale = scaleFor(width());
    auto* pixmap = new QPixmap((m_report->pageSize() * scale * devicePixelRatioF()).toSize());
    pixmap->setDevicePixelRatio(devicePixelRatioF());
    pixmap->fill(Qt::white);
    QPainter painter(pixmap);
    painter.scale(scale, scale);
    m_report->paint(painter, page);
    painter.end();
    const QPixmap copy = *pixmap;
    m_pixmaps.insert(page, pixmap);
    return copy;
}

void PagePreview::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    if (!m_report) {
        painter.setPen(plotColors(palette()).mutedText);
        painter.drawText(rect(), Qt::AlignCenter, tr("The pages are being set …"));
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int page = 0; page < m_report->pageCount(); ++page) {
        const QRectF place = pageRect(page);
        if (!place.intersects(event->rect()))
            continue;
        painter.drawPixmap(place.topLeft(), pagePixmap(page));
        painter.setPen(plotColors(palette()).grid);
        painter.drawRect(place);
    }
}

void PagePreview::resizeEvent(QResizeEvent* event)
{
    m_pixmaps.clear();
    QWidget::resizeEvent(event);
}

} // namespace quadric::widgets
