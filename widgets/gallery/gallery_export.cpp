// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/gallery_export.h"

#include "widgets/gallery/gallery_files.h"

#include <QPointer>
#include <QProgressDialog>
#include <QTimer>

namespace quadric::widgets {

struct GalleryExport::Parts {
    Gallery gallery;
    std::vector<PlotRequest> requests;
    QString folder;
    QStringList taken;
    int written = 0;
    QPointer<QProgressDialog> dialog;

    Parts(ContextPointer context, SampleReader samples, const QString& into)
        : gallery(std::move(context), std::move(samples))
        , requests(gallery.all())
        , folder(into)
    {
    }
};

GalleryExport::GalleryExport(ContextPointer context, SampleReader samples, const QString& folder,
                             QWidget* window)
    : QObject(window)
    , m_parts(std::make_unique<Parts>(std::move(context), std::move(samples), folder))
{
    const int count = static_cast<int>(m_parts->requests.size());
    auto* dialog = new QProgressDialog(tr("Drawing the plots …"), tr("Stop"), 0, count, window);
    dialog->setObjectName(QStringLiteral("galleryExport"));
    dialog->setWindowTitle(tr("Export plots"));
    dialog->setWindowModality(Qt::WindowModal);
    dialog->setAutoClose(false);
    dialog->setAutoReset(false);
    dialog->setMinimumDuration(0);
    connect(dialog, &QProgressDialog::canceled, dialog, &QObject::deleteLater); // also when it is closed
    setParent(dialog);
    m_parts->dialog = dialog;
    QTimer::singleShot(0, this, &GalleryExport::step);
}

GalleryExport::~GalleryExport() = default;

void GalleryExport::step()
{
    if (!m_parts->dialog)
        return;
    if (m_parts->written == static_cast<int>(m_parts->requests.size()))
        return end({});
    try {
        saveInto(m_parts->folder, m_parts->gallery,
                 m_parts->requests[static_cast<std::size_t>(m_parts->written)], QStringLiteral("svg"), {},
                 m_parts->taken);
    } catch (const PlotError& error) {
        return end(QString::fromStdString(error.what()));
    }
    m_parts->dialog->setValue(++m_parts->written);
    QTimer::singleShot(0, this, &GalleryExport::step);
}

void GalleryExport::end(const QString& problem)
{
    m_parts->dialog->setLabelText(
        problem.isEmpty() ? tr("%1 plots are in %2.").arg(m_parts->written).arg(m_parts->folder) : problem);
    m_parts->dialog->setCancelButtonText(tr("Close"));
    emit finished(m_parts->written, problem);
}

} // namespace quadric::widgets
