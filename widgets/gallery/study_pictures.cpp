// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/study_pictures.h"

#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/plot.h"

#include <QDir>
#include <QPainter>
#include <QPointer>
#include <QProgressDialog>
#include <QTimer>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr QSize kComfortable{840, 560};

constexpr int kCells = 20;

/// Parallel projection of the unit square with height: x to the lower right, y to the upper right.
struct Stage {
    QSizeF size;
    QPointF at(double x, double y, double z) const
    {
        const double u = 0.08 + 0.84 * (0.62 * x + 0.38 * y);
        const double v = 0.52 + 0.24 * x - 0.24 * y - 0.36 * (z - 0.5);
        return {u * size.width(), v * size.height()};
    }
};

std::optional<model::SurfaceGrid> computeExampleSurface(const study::Study& measured)
{
    const study::Study study = model::withChosenModels(measured);
    std::vector<size_t> numeric;
    for (size_t i = 0; i < study.factors.size(); ++i)
        if (study.factors[i].isNumeric())
            numeric.push_back(i);
    const auto fits = model::fitStudy(study);
    const auto fit = std::find_if(fits.begin(), fits.end(), [](const auto& f) { return f.isOk(); });
    if (numeric.size() < 2 || fit == fits.end())
        return std::nullopt;
    const study::Coding coding(study.factors);
    return model::surfaceGrid(*fit, study, numeric[0], numeric[1], coding.center(), kCells + 1);
}

void paintSurface(QPainter& painter, const Stage& stage, const model::SurfaceGrid& grid)
{
    const double low = grid.z.minCoeff();
    const double range = std::max(grid.z.maxCoeff() - low, 1e-12);
    const auto height = [&](int i, int j) { return (grid.z(i, j) - low) / range; };
    const auto corner = [&](int i, int j) {
        return stage.at(double(i) / kCells, double(j) / kCells, height(i, j));
    };
    for (int j = kCells - 1; j >= 0; --j) {
        for (int i = 0; i < kCells; ++i) {
            const QColor color = viridis((height(i, j) + height(i + 1, j + 1)) / 2.0);
            painter.setPen(QPen(color, 0.6));
            painter.setBrush(color);
            painter.drawConvexPolygon(
                QPolygonF{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
        }
    }
}

/// The runs as points between the coded ends of the first three factors.
void paintRuns(QPainter& painter, const Stage& stage, const study::Study& study, const QPalette& palette)
{
    const study::Coding coding(study.factors);
    const auto place = [&](const study::CodedPoint& p) {
        const auto share = [&](Eigen::Index i) {
            return i < p.size() ? 0.5 + 0.5 * std::clamp(p[i], -1.0, 1.0) : 0.5;
        };
        return stage.at(share(0), share(1), share(2));
    };
    painter.setPen(QPen(palette.color(QPalette::Mid), 1));
    for (const double z : {0.0, 1.0})
        painter.drawPolygon(
            QPolygonF{stage.at(0, 0, z), stage.at(1, 0, z), stage.at(1, 1, z), stage.at(0, 1, z)});
    for (const auto& [x, y] : {std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 1}, std::pair{0, 1}})
        painter.drawLine(stage.at(x, y, 0), stage.at(x, y, 1));
    painter.setPen(Qt::NoPen);
    painter.setBrush(plotColors(palette).accent);
    for (const auto& run : study.runs)
        painter.drawEllipse(place(coding.toCoded(run.settings)), 2.5, 2.5);
}

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

QPixmap studyPicture(const study::Study& study, const QSize& size, qreal devicePixelRatio,
                     const QPalette& palette)
{
    QPixmap pixmap(size * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const Stage stage{QSizeF(size)};
    try {
        if (const auto grid = computeExampleSurface(study))
            paintSurface(painter, stage, *grid);
        else
            paintRuns(painter, stage, study, palette);
    } catch (const std::exception&) {
        // A study with unsound factors has no picture; it can be opened all the same.
    }
    return pixmap;
}

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
