// SPDX-License-Identifier: GPL-3.0-or-later
// How long the rotatable surface takes to draw while it is turned: a display asks for it every 16.7 ms.
#include "widgets/plots/scene/surface_view.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QTest>

#include <algorithm>

namespace quadric::widgets {
namespace {

constexpr QSize kSize(1600, 1000);

/// A hill over two factors with an extrapolated corner and runs on a 3 × 3 grid.
model::SurfaceGrid hill(int cells)
{
    model::SurfaceGrid grid;
    grid.xName = "gpu_count";
    grid.yName = "batch";
    grid.response = "images_per_sec";
    const auto height = [](double x, double y) {
        return 14000 + 7800 * x + 3600 * y - 2100 * x * x - 3300 * y * y + 1500 * x * y;
    };
    const int nodes = cells + 1;
    for (int k = 0; k < nodes; ++k)
        grid.x.push_back(-1.0 + 2.0 * k / cells);
    grid.y = grid.x;
    grid.z.resize(nodes, nodes);
    grid.isExtrapolation.setConstant(nodes, nodes, false);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < nodes; ++j) {
            const double x = grid.x[std::size_t(i)], y = grid.y[std::size_t(j)];
            grid.z(i, j) = height(x, y);
            grid.isExtrapolation(i, j) = x + y > 1.4;
        }
    grid.low = grid.z.array() - 900.0;
    grid.high = grid.z.array() + 900.0;
    for (int i = 0; i < 9; ++i) {
        const double x = i % 3 - 1, y = i / 3 - 1;
        grid.observed.push_back({i + 1, x, y, height(x, y) + (i % 2 ? 700 : -500), height(x, y)});
    }
    return grid;
}

/// Percentiles of the frames of a full turn, dragged with the mouse in steps of 3 pixels.
void turn(benchmark::State& state, bool withEverything)
{
    SurfaceView view;
    view.resize(kSize);
    view.setGrid(hill(static_cast<int>(state.range(0))));
    view.setIntervalShown(withEverything);
    view.setContoursShown(withEverything);
    QImage screen(kSize, QImage::Format_ARGB32_Premultiplied);
    QTest::mousePress(&view, Qt::LeftButton, {}, {800, 500});
    std::vector<double> milliseconds;
    int step = 0;
    for ([[maybe_unused]] auto _ : state) {
        ++step;
        QTest::mouseMove(&view, {800 + 3 * step, 500 + step % 40}, 0);
        const auto start = std::chrono::steady_clock::now();
        view.render(&screen);
        milliseconds.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        benchmark::DoNotOptimize(screen.bits());
    }
    std::ranges::sort(milliseconds);
    const auto percentile = [&milliseconds](double share) {
        return milliseconds[static_cast<std::size_t>(share * static_cast<double>(milliseconds.size() - 1))];
    };
    state.counters["p50_ms"] = percentile(0.50);
    state.counters["p95_ms"] = percentile(0.95);
    state.counters["p99_ms"] = percentile(0.99);
}

void turnPlain(benchmark::State& state)
{
    turn(state, false);
}

void turnWithEverything(benchmark::State& state)
{
    turn(state, true);
}

BENCHMARK(turnPlain)->Arg(40)->Arg(60)->Arg(100)->Unit(benchmark::kMillisecond)->Iterations(300);
BENCHMARK(turnWithEverything)->Arg(60)->Unit(benchmark::kMillisecond)->Iterations(300);

} // namespace
} // namespace quadric::widgets

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
