// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_picture.h"

#include "core/study/files/output_file.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/base/svg_text.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace quadric::widgets {

namespace {

constexpr int kDotsPerInch = 96;

QSize sizeOf(const Plot& plot, const PictureOptions& options)
{
    return options.size.isEmpty() ? plot.size() : options.size;
}

constexpr double kFootGap = 6.0; ///< pixels around the words at the foot

/// The study that the picture is from, in the lower right corner.
void paintFoot(QPainter& painter, const QRectF& foot, const PlotStyle& style, const QString& study)
{
    painter.fillRect(foot, style.colors.background);
    drawLine(painter, foot.adjusted(8.0, 0.0, -8.0, -kFootGap / 2.0), Qt::AlignRight | Qt::AlignVCenter,
             style.small, style.colors.mutedText, study);
}

/// Gives the plot the colors and the font of a picture, and takes them back at the end of its life.
class Dressed {
public:
    Dressed(Plot& plot, const PictureOptions& options)
        : m_plot(plot)
        , m_isLight(options.theme != ThemeChoice::Dark)
        , m_namesStudy(options.namesStudy)
        , m_palette(plot.palette())
        , m_font(plot.font())
    {
        m_plot.setPictured(true);
        if (m_isLight)
            return;
        QFont font = m_font;
        font.setStyleStrategy(QFont::PreferNoShaping); // as for print: shaped text loses signs in a PDF
        m_plot.setFont(font);
        m_plot.setPalette(darkPalette());
    }
    ~Dressed()
    {
        m_plot.setPictured(false);
        if (m_isLight)
            return;
        m_plot.setPalette(m_palette);
        m_plot.setFont(m_font);
    }
    Dressed(const Dressed&) = delete;
    Dressed& operator=(const Dressed&) = delete;

    void paint(QPainter& painter, const QSize& size)
    {
        const PlotStyle style = plotStyle(m_plot, m_isLight);
        const QString study = m_namesStudy ? m_plot.source().study : QString();
        const double foot = study.isEmpty() ? 0.0 : style.smallHeight() + kFootGap;
        const QRectF whole(QPointF(0, 0), QSizeF(size));
        m_plot.paintTo(painter, whole.adjusted(0.0, 0.0, 0.0, -foot), m_isLight);
        if (foot > 0.0)
            paintFoot(painter, whole.adjusted(0.0, whole.height() - foot, 0.0, 0.0), style, study);
    }

private:
    Plot& m_plot;
    bool m_isLight;
    bool m_namesStudy;
    QPalette m_palette;
    QFont m_font;
};

QImage imageOf(Plot& plot, const PictureOptions& options)
{
    const QSize size = sizeOf(plot, options);
    const double scale = options.scale.value_or(2.0);
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    Dressed(plot, options).paint(painter, size);
    return image;
}

void paintPdf(Plot& plot, const PictureOptions& options, QIODevice& device)
{
    const QSize size = sizeOf(plot, options);
    const double scale = options.scale.value_or(1.0);
    QPdfWriter writer(&device);
    writer.setResolution(kDotsPerInch);
    const double pointsPerPixel = 72.0 / kDotsPerInch * scale;
    writer.setPageSize(QPageSize(QSizeF(size) * pointsPerPixel, QPageSize::Point));
    writer.setPageMargins({});
    writer.setTitle(plot.accessibleName());
    QPainter painter(&writer);
    painter.scale(scale, scale);
    Dressed(plot, options).paint(painter, size);
}

bool writeTo(QIODevice& device, Plot& plot, const QString& path, const PictureOptions& options)
{
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return device.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svgOf(plot, options)) >= 0;
    if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        paintPdf(plot, options, device);
        return true;
    }
    return imageOf(plot, options).save(&device, "PNG");
}

} // namespace

QByteArray svgOf(Plot& plot, const PictureOptions& options)
{
    const QSize size = sizeOf(plot, options);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kDotsPerInch);
    generator.setSize((QSizeF(size) * options.scale.value_or(1.0)).toSize());
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(plot.accessibleName().toHtmlEscaped()); // QSvgGenerator takes it for markup
    QPainter painter(&generator);
    Dressed(plot, options).paint(painter, size);
    painter.end();
    return tidySvg(buffer.data(), options.decimals);
}

void copyPicture(Plot& plot)
{
    auto* data = new QMimeData; // the clipboard owns it
    data->setImageData(imageOf(plot, {}));
    data->setData(QStringLiteral("image/svg+xml"), svgOf(plot));
    QGuiApplication::clipboard()->setMimeData(data);
}

QString savePicture(Plot& plot, const QString& path, const PictureOptions& options)
{
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    if (!writeTo(picture, plot, path, options))
        return QStringLiteral("%1 was not written: the picture could not be drawn.").arg(path);
    try {
        study::writeOutput(path.toStdU16String(), {picture.data().constData(), size_t(picture.size())});
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace quadric::widgets
