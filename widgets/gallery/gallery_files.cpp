// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/gallery_files.h"
#include "widgets/plots/base/picture_name.h"

#include <QDir>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr QSize kComfortable{840, 560};

} // namespace

QSize comfortableSize(const Plot& plot)
{
    return {kComfortable.width(), std::max(kComfortable.height(), plot.sizeHint().height())};
}

QString fileNameFor(const PlotRequest& request, const QString& ending, QStringList& taken)
{
    QStringList words{QString::fromStdString(request.kind)};
    for (const std::string& response : request.responses)
        words << QString::fromStdString(response);
    QString stem = pictureStem(words);
    if (request.run != 0)
        stem += QStringLiteral("-run%1").arg(request.run);
    QString name = stem;
    for (int copy = 2; taken.contains(name); ++copy)
        name = QStringLiteral("%1-%2").arg(stem).arg(copy);
    taken << name;
    return name + QLatin1Char('.') + ending;
}

QString saveInto(const QString& folder, Gallery& gallery, const PlotRequest& request, const QString& ending,
                 PictureOptions options, QStringList& taken)
{
    QString path = QDir(folder).filePath(fileNameFor(request, ending, taken));
    const std::shared_ptr<Plot> plot = gallery.plot(request);
    if (options.size.isEmpty())
        options.size = comfortableSize(*plot);
    const QString problem = savePicture(*plot, path, options);
    if (!problem.isEmpty())
        throw PlotError(problem.toStdString());
    return path;
}

} // namespace quadric::widgets
