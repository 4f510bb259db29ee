// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/gallery/gallery.h"
#include "widgets/plots/base/plot_picture.h"

#include <QPalette>
#include <QPixmap>

#include <memory>

namespace quadric::widgets {

/// A size at which this plot is easy to read: larger than on the screen where it has much to show.
QSize comfortableSize(const Plot& plot);

/// "pareto-images_per_sec.svg": letters, digits, "_" and "-" of the names, whatever the study calls them, so
/// that no name leads out of a folder. Different requests get different names when `taken` is kept.
QString fileNameFor(const PlotRequest& request, const QString& ending, QStringList& taken);

/// Draws one plot of the gallery into a file of the folder. Returns the file's path. Throws PlotError when it
/// cannot be written.
QString saveInto(const QString& folder, Gallery& gallery, const PlotRequest& request, const QString& ending,
                 PictureOptions options, QStringList& taken);

/// A small picture of a study on a transparent ground: the surface of the first response that has a model, or
/// the runs between the coded ends of the first three factors. Empty where the factors are unsound.
QPixmap studyPicture(const study::Study& study, const QSize& size, qreal devicePixelRatio,
                     const QPalette& palette);

/// Draws every plot of a study into a folder, one for each turn of the event loop, so that the window stays
/// alive; a dialog counts them and stops it. Deletes itself when the dialog is closed.
class GalleryExport : public QObject {
    Q_OBJECT

public:
    GalleryExport(ContextPointer context, SampleReader samples, const QString& folder, QWidget* window);
    ~GalleryExport() override;

signals:
    /// How many files were written; `problem` is empty when they are all there.
    void finished(int files, const QString& problem);

private:
    void step();
    void end(const QString& problem);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
