// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_picture.h"

#include "widgets/plots/plot.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace quadric::widgets {

namespace {

constexpr int kScale = 2;
constexpr int kDotsPerInch = 96;

QImage imageOf(Plot& plot)
{
    QImage image(plot.size() * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    image.fill(Qt::white);
    QPainter painter(&image);
    plot.paintTo(painter, plot.rect(), true);
    return image;
}

void paintSvg(Plot& plot, QIODevice& device)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(plot.size());
    generator.setViewBox(plot.rect());
    generator.setResolution(kDotsPerInch);
    QPainter painter(&generator);
    plot.paintTo(painter, plot.rect(), true);
}

void paintPdf(Plot& plot, QIODevice& device)
{
    QPdfWriter writer(&device);
    writer.setResolution(kDotsPerInch);
    constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;
    writer.setPageSize(QPageSize(QSizeF(plot.size()) * kPointsPerPixel, QPageSize::Point));
    writer.setPageMargins({});
    QPainter painter(&writer);
    plot.paintTo(painter, plot.rect(), true);
}

} // namespace

void copyPicture(Plot& plot)
{
    QBuffer svg;
    svg.open(QIODevice::WriteOnly);
    paintSvg(plot, svg);
    auto* data = new QMimeData; // the clipboard owns it
    data->setImageData(imageOf(plot));
    data->setData(QStringLiteral("image/svg+xml"), svg.data());
    QGuiApplication::clipboard()->setMimeData(data);
}

QString savePicture(Plot& plot, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QStringLiteral("%1 was not written: %2").arg(path, file.errorString());
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        paintSvg(plot, file);
    else if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        paintPdf(plot, file);
    else if (!imageOf(plot).save(&file, "PNG"))
        return QStringLiteral("%1 was not written as a PNG picture.").arg(path);
    return file.commit() ? QString() : QStringLiteral("%1 was not written: %2").arg(path, file.errorString());
}

} // namespace quadric::widgets
