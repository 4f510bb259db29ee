// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/page_preview.h"

#include "widgets/base/theme.h"
#include "widgets/report/document/printed_report.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

ReportDraft::ReportDraft(ContextPointer context, const ReportOptions& options)
    : m_context(std::move(context))
    , m_options(options)
    , m_writer(std::make_unique<ReportWriter>(m_context, m_options))
    , m_flow(computeTextArea(m_options))
{
}

ReportDraft::~ReportDraft() = default;

bool ReportDraft::advance()
{
    if (m_writer) {
        if (!m_writer->writePart()) {
            m_content = m_writer->take();
            m_writer.reset();
        }
        return true;
    }
    if (m_added == m_content.blocks.size())
        return m_flow.placeNext();
    m_flow.add(m_content.blocks[m_added++]);
    return true;
}

std::unique_ptr<PrintedReport> ReportDraft::take()
{
    return std::make_unique<PrintedReport>(std::move(m_content), m_options, std::move(m_flow));
}

namespace {

constexpr double kGap = 16.0; ///< around and between pages
constexpr double kLargestScale = 1.25;
constexpr int kPagesKept = 8;
constexpr double kFaded = 0.35; ///< opacity of pages that are out of date

} // namespace

PagePreview::PagePreview(QWidget* parent)
    : QWidget(parent)
{
    m_drawn.setMaxCost(kPagesKept);
    m_drawing.setSingleShot(true);
    connect(&m_drawing, &QTimer::timeout, this, &PagePreview::drawWanted);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Pages of the report"));
}

PagePreview::~PagePreview() = default;

void PagePreview::setReport(std::unique_ptr<PrintedReport> report)
{
    m_report = std::move(report);
    m_isOutdated = false;
    ++m_edition;
    updateGeometry();
    update();
}

void PagePreview::markOutdated()
{
    m_isOutdated = true;
    update();
}

double PagePreview::scaleFor(int width) const
{
    if (m_scale)
        return *m_scale;
    return std::clamp((width - 2 * kGap) / m_report->pageSize().width(), 0.1, kLargestScale);
}

void PagePreview::setScale(std::optional<double> scale)
{
    m_scale = scale;
    const double width = scale && m_report ? m_report->pageSize().width() * *scale + 2 * kGap : 0.0;
    setMinimumWidth(static_cast<int>(std::ceil(width)));
    ++m_edition;
    updateGeometry();
    update();
}

double PagePreview::fitPageScale(int height) const
{
    return std::max((height - 2 * kGap) / m_report->pageSize().height(), 0.1);
}

int PagePreview::verticalPosition(int page, double top) const
{
    return static_cast<int>(pageRect(page).top() + std::max(top, 0.0) * scaleFor(width()));
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

QPixmap PagePreview::drawnPage(int page) const
{
    const double scale = scaleFor(width());
    QPixmap pixmap((m_report->pageSize() * scale * devicePixelRatioF()).toSize());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    pixmap.fill(Qt::white);
    QPainter painter(&pixmap);
    painter.scale(scale, scale);
    m_report->paint(painter, page);
    return pixmap;
}

/// Draws one of the wanted pages that are still in sight; the others wait for the next turn of the event
/// loop.
void PagePreview::drawWanted()
{
    std::erase_if(m_wanted, [this](int page) {
        return page >= m_report->pageCount() || !visibleRegion().intersects(pageRect(page).toAlignedRect());
    });
    if (m_wanted.empty())
        return;
    const int page = m_wanted.extract(m_wanted.begin()).value();
    m_drawn.insert(page, new DrawnPage{drawnPage(page), m_edition}); // the cache owns it
    update(pageRect(page).toAlignedRect());
    m_drawing.start(0);
}

void PagePreview::paintPage(QPainter& painter, int page)
{
    const QRectF place = pageRect(page);
    const DrawnPage* drawn = m_drawn.object(page);
    painter.fillRect(place, Qt::white);
    if (drawn != nullptr) {
        painter.setOpacity(m_isOutdated ? kFaded : 1.0);
        painter.drawPixmap(place, drawn->pixmap, drawn->pixmap.rect());
        painter.setOpacity(1.0);
    }
    painter.setPen(plotColors(palette()).grid);
    painter.drawRect(place);
    if (drawn == nullptr || drawn->edition != m_edition) {
        m_wanted.insert(page);
        m_drawing.start(0);
    }
}

void PagePreview::paintNotice(QPainter& painter) const
{
    const QString text = tr("Laying out the pages…");
    const QRectF seen = visibleRegion().boundingRect();
    QRectF place = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-16, -8, 16, 8);
    place.moveCenter({seen.center().x(), seen.top() + kGap + place.height()});
    painter.setPen(plotColors(palette()).grid);
    painter.setBrush(palette().window());
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(plotColors(palette()).text);
    painter.drawText(place, Qt::AlignCenter, text);
}

void PagePreview::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    if (!m_report)
        return paintNotice(painter);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int page = 0; page < m_report->pageCount(); ++page)
        if (pageRect(page).intersects(event->rect()))
            paintPage(painter, page);
    if (m_isOutdated)
        paintNotice(painter);
}

void PagePreview::resizeEvent(QResizeEvent* event)
{
    ++m_edition;
    QWidget::resizeEvent(event);
}

} // namespace quadric::widgets
