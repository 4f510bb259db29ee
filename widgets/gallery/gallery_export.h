// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/gallery/gallery.h"

#include <memory>

class QProgressDialog;

namespace quadric::widgets {

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
