// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/study_picture.h"

#include "core/model/predict/predict.h"
#include "widgets/base/theme.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

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

std::optional<model::SurfaceGrid> surfaceOf(const study::Study& study)
{
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
        if (const auto grid = surfaceOf(study))
            paintSurface(painter, stage, *grid);
        else
            paintRuns(painter, stage, study, palette);
    } catch (const std::exception&) {
        // A study with unsound factors has no picture; it can be opened all the same.
    }
    return pixmap;
}

} // namespace quadric::widgets
