// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/gallery/gallery.h"
#include "widgets/gallery/study_pictures.h"
#include "widgets/optimize/views/optimize_views.h"
#include "widgets/plan/plan_page.h"
#include "widgets/plots/base/plot.h"

#include <QDir>
#include <QImage>
#include <QPainter>
#include <QPointer>
#include <QProgressDialog>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr QSize kThumbnailRoom{600, 400};

/// Runs 3 and 7 left samples of everything.
run::RunSamples samplesOfTwoRuns(int run)
{
    run::RunSamples samples;
    for (int i = 0; (run == 3 || run == 7) && i < 40; ++i) {
        samples.steps.push_back({.seconds = 0.5 * i, .stepMs = 40.0 + i % 5});
        samples.machine.push_back({.seconds = 0.5 * i,
                                   .clockMhz = 1700.0 + i,
                                   .powerW = 600.0 - i,
                                   .temperatureC = 60.0 + 0.1 * i,
                                   .busyPct = 40.0,
                                   .foreignPct = 2.0 + i % 3});
    }
    return samples;
}

QImage imageOf(Plot& plot)
{
    QImage image(kThumbnailRoom, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    plot.paintTo(painter, QRectF(QPointF(0, 0), QSizeF(kThumbnailRoom)), false);
    return image;
}

int colorsIn(const QImage& image)
{
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

QString reasonOf(Gallery& gallery, const PlotRequest& request)
{
    try {
        gallery.plot(request);
    } catch (const PlotError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

class GalleryTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindIsDrawn()
    {
        Gallery gallery(contextOf(example()), samplesOfTwoRuns);
        std::set<std::string> drawn;
        for (const PlotRequest& request : gallery.all()) {
            const auto plot = gallery.plot(request);
            QVERIFY2(colorsIn(imageOf(*plot)) > 8, request.kind.c_str());
            drawn.insert(request.kind);
        }
        QCOMPARE(drawn.size(), plotKinds().size());
    }

    void aPlotIsWhatTheWindowShows()
    {
        const ContextPointer context = contextOf(example());
        Gallery gallery(context);
        for (const char* kind : {"pareto", "surface", "residuals"}) {
            const std::unique_ptr<View> view(findView(exploreViews(), kind)->make());
            view->showFit(context->study, context->fits[1]);
            QCOMPARE(imageOf(*gallery.plot({kind, {context->fits[1].response}})), imageOf(*view->plot()));
        }
    }

    void picturesSayWhatIsHeldAndWhoseTheyAre()
    {
        Gallery gallery(contextOf(example()));
        const std::string response = "images_per_sec";
        const auto pictureOf = [&gallery](const PlotRequest& request) {
            return QString::fromUtf8(renderSvg(*gallery.plot(request), {.size = QSize(700, 460)}))
                .replace(QChar::Nbsp, QLatin1Char(' '));
        };
        const std::vector<std::string> axes{"gpu_count", "batch_per_gpu"};
        for (const char* kind : {"surface", "contour"})
            QVERIFY2(pictureOf({kind, {response}, axes}).contains(">at gradient_compression 45 %<"), kind);
        for (const char* kind : {"best-surface", "overall-surface", "limits"})
            QVERIFY2(pictureOf({kind, {}, axes}).contains(">at gradient_compression "), kind);
        for (const char* kind : {"main-effects", "interactions"})
            QVERIFY2(pictureOf({kind, {response}}).contains(">others at 36 GPUs · batch_per_gpu "), kind);
        QVERIFY(pictureOf({"perturbation", {response}}).contains(">from 36 GPUs · batch_per_gpu "));
        QVERIFY(!pictureOf({"cube", {response}}).contains(">at ")); // all three factors are in it
        for (const char* kind : {"pareto", "surface", "profiler", "half-normal"})
            QVERIFY2(pictureOf({kind}).contains(">ResNet-50 scaling, 15 runs<"), kind);
        for (const char* kind : {"half-normal", "main-effects", "interactions", "perturbation", "residuals"})
            QVERIFY2(pictureOf({kind, {response}}).contains(QString::fromStdString(response)), kind);
    }

    void whatIsHeldIsNeverCutOffInAPicture()
    {
        Gallery gallery(contextOf(example()));
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            QString text = QString::fromUtf8(
                renderSvg(*gallery.plot({"main-effects"}), {.size = QSize(260, 300), .theme = theme}));
            text.replace(QChar::Nbsp, QLatin1Char(' '));
            for (const char* words : {"others at 36 GPUs", "144 images", "45 %"})
                QVERIFY2(text.contains(QLatin1String(words)), words);
        }
    }

    void theFileOfAPictureIsNamedAfterStudyViewAndResponse()
    {
        const ContextPointer context = contextOf(example());
        const ExploreView* row = findView(exploreViews(), "pareto");
        const std::unique_ptr<View> view(row->make());
        view->setAbout(aboutView(*row));
        view->showFit(context->study, context->fits[0]);
        QCOMPARE(pictureName(*view->plot(), QStringLiteral("svg")),
                 QStringLiteral("ResNet-50-scaling-15-runs-pareto-images_per_sec.svg"));
        QCOMPARE(pictureStem({QStringLiteral("../etc"), QString(), QStringLiteral("ü b")}),
                 QStringLiteral("---etc---b"));
    }

    void titlesOfAxesAreWholeInSmallCells()
    {
        Gallery gallery(contextOf(example()));
        for (const QSize size : {QSize(300, 230), QSize(260, 250)}) {
            const QByteArray svg = renderSvg(*gallery.plot({"residuals"}), {.size = size});
            QCOMPARE(svg.count(">residual<"), qsizetype(4)); // three axes upwards, one across
            QVERIFY(
                renderSvg(*gallery.plot({"pareto"}), {.size = size}).contains(">standardized effect |t|"));
        }
        const QByteArray pairs = renderSvg(*gallery.plot({"interactions"}), {.size = QSize(680, 210)});
        QVERIFY(pairs.contains(">batch_per_gpu × gradient_compression<"));
    }

    void chartsOfARunAreThoseOfItsPage()
    {
        Gallery gallery(contextOf(example()), samplesOfTwoRuns);
        std::set<int> runs;
        for (const PlotRequest& request : gallery.all())
            if (findView(plotKinds(), request.kind)->subject == ViewSubject::Run)
                runs.insert(request.run);
        QCOMPARE(runs, (std::set<int>{3, 7}));
        const TextTable table = gallery.plot({"run-power", {}, {}, 7})->table();
        QCOMPARE(table.rows.size(), std::size_t(40));
        QCOMPARE(table.columns[1].title, QStringLiteral("Power (W)"));
        QCOMPARE(table.rows[2], (QStringList{QStringLiteral("1"), QStringLiteral("598")}));
        const QByteArray svg =
            renderSvg(*gallery.plot({"run-clock"}), {.size = kThumbnailRoom}); // of the last run with samples
        QVERIFY(svg.contains(">Clock: 1739") && svg.contains("simulated data"));
        QVERIFY(reasonOf(gallery, {"run-power", {}, {}, 99}).contains("run 99"));
        QVERIFY(reasonOf(gallery, {"pareto", {}, {}, 3}).contains("expected none"));
        QStringList taken;
        QCOMPARE(fileNameFor({"run-power", {}, {}, 7}, "svg", taken), QStringLiteral("run-power-run7.svg"));
    }

    void axesAndResponsesOfTheAnswerAreThoseThatAreAskedFor()
    {
        Gallery gallery(contextOf(example()));
        const QByteArray limits = renderSvg(
            *gallery.plot({"limits", {}, {"gradient_compression", "gpu_count"}}), {.size = kThumbnailRoom});
        QVERIFY(limits.contains(">gradient_compression") && limits.contains(">gpu_count"));
        QVERIFY(!limits.contains(">batch_per_gpu"));
        const auto first = gallery.plot({"best-surface", {"images_per_sec"}});
        const auto second = gallery.plot({"best-surface", {"scaling_efficiency"}});
        const auto overall = gallery.plot({"overall-surface"});
        QVERIFY(renderSvg(*first, {.size = kThumbnailRoom}).contains(">images_per_sec"));
        QVERIFY(renderSvg(*second, {.size = kThumbnailRoom}).contains(">scaling_efficiency"));
        QVERIFY(imageOf(*overall) != imageOf(*first));
        const auto across = gallery.plot({"trade-off", {"images_per_sec", "scaling_efficiency"}});
        const auto turned = gallery.plot({"trade-off", {"scaling_efficiency", "images_per_sec"}});
        QVERIFY(imageOf(*across) != imageOf(*turned));
    }

    void onlyDrawingsAreOffered()
    {
        const auto check = [](const auto& rows) {
            for (const auto& row : rows) {
                QCOMPARE(bool(row.draw), row.isPlot);
                QCOMPARE(findView(plotKinds(), row.id) != nullptr, row.isPlot);
                if (row.make)
                    QCOMPARE(std::unique_ptr<std::decay_t<decltype(*row.make())>>(row.make())->plot() !=
                                 nullptr,
                             row.isPlot);
            }
        };
        check(designViews());
        check(exploreViews());
        check(optimizeViews());
        check(planViews());
    }

    void everyViewHasAnIdAndAHelpTextOfItsOwn()
    {
        QStringList ids, helps;
        for (const ViewKind& kind : viewKinds()) {
            ids << QString::fromStdString(kind.id) + QStringLiteral(".md");
            const About about = aboutView(kind);
            QVERIFY2(!about.text.trimmed().isEmpty() && !about.title.isEmpty(), kind.id.c_str());
            const QString summary = viewSummary(kind);
            QVERIFY2(summary.size() > 20 && summary.endsWith(QLatin1Char('.')), kind.id.c_str());
            QVERIFY2(!summary.contains(QRegularExpression(QStringLiteral("[\\[\\]`_#]"))), kind.id.c_str());
            QVERIFY2(!findMethod(about.section).isEmpty(), qPrintable(about.section));
            helps << about.text;
        }
        QVERIFY(findMethod(QStringLiteral("Astrology")).isEmpty());
        QCOMPARE(QSet<QString>(ids.cbegin(), ids.cend()).size(), ids.size());
        QCOMPARE(QSet<QString>(helps.cbegin(), helps.cend()).size(), helps.size());
        ids.sort();
        QCOMPARE(QDir(QStringLiteral(":/help/views")).entryList(QDir::Files, QDir::Name), ids);
    }

    void whatCannotBeDrawnIsSaid()
    {
        Gallery gallery(contextOf(example()));
        QVERIFY(reasonOf(gallery, {"pie"}).contains("expected one of: design-cube"));
        QVERIFY(reasonOf(gallery, {"pareto", {"speed"}}).contains("expected one of: images_per_sec"));
        QVERIFY(reasonOf(gallery, {"surface", {}, {"gpu_count", "gpu_count"}}).contains("on two axes"));
        QVERIFY(reasonOf(gallery, {"pareto", {}, {"gpu_count"}}).contains("expected none"));
        QVERIFY(reasonOf(gallery, {"trade-off", {"images_per_sec"}}).contains("expected 2"));
    }

    void whatShowsResultsIsMarkedAsSimulated()
    {
        const std::set<std::string> judgments = {"power", "design-space", "overlap"};
        Gallery gallery(contextOf(example()), samplesOfTwoRuns);
        for (const PlotRequest& request : gallery.all())
            QVERIFY2(gallery.plot(request)->isSimulated() != judgments.contains(request.kind),
                     request.kind.c_str());
    }

    void aStudyWithoutResultsHasItsDesignOnly()
    {
        auto context = std::make_shared<StudyContext>();
        context->study = study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study;
        context->fits = model::fitStudy(context->study);
        Gallery gallery(context);
        for (const PlotRequest& request : gallery.all())
            QCOMPARE(findView(plotKinds(), request.kind)->page, std::string("design"));
        for (const ViewKind& kind : plotKinds()) // the others say why there is nothing to see
            QVERIFY(gallery.plot({kind.id}) != nullptr);
    }

    void namesOfFilesStayInTheirFolder()
    {
        QStringList taken;
        QCOMPARE(fileNameFor({"pareto", {"../../etc/passwd"}}, "svg", taken),
                 QStringLiteral("pareto-------etc-passwd.svg"));
        QCOMPARE(fileNameFor({"pareto", {"..\\..\\etc/passwd"}}, "svg", taken),
                 QStringLiteral("pareto-------etc-passwd-2.svg"));
        QVERIFY(fileNameFor({"pareto", {std::string(5000, 'x')}}, "svg", taken).size() < 100);
    }

    void allPlotsGoIntoAFolder()
    {
        const QTemporaryDir folder;
        QWidget window;
        window.show();
        auto* job = new GalleryExport(contextOf(example()), {}, folder.path(), &window);
        QSignalSpy finished(job, &GalleryExport::finished);
        QVERIFY(finished.wait(quadric::kPatienceMs));
        QCOMPARE(finished[0][1].toString(), QString());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), finished[0][0].toInt());
        QVERIFY(finished[0][0].toInt() > 20);
        auto* dialog = window.findChild<QProgressDialog*>();
        QVERIFY(dialog != nullptr && dialog->labelText().contains(folder.path()));
        const QPointer<GalleryExport> guard(job);
        dialog->close();
        QTRY_VERIFY(guard.isNull());
    }

    void aFolderThatIsNotThereIsSaid()
    {
        QWidget window;
        auto* job = new GalleryExport(contextOf(example()), {}, QStringLiteral("/nowhere/at/all"), &window);
        QSignalSpy finished(job, &GalleryExport::finished);
        QVERIFY(finished.wait(quadric::kPatienceMs));
        QCOMPARE(finished[0][0].toInt(), 0);
        QVERIFY(finished[0][1].toString().contains("/nowhere/at/all"));
    }
};

QUADRIC_QT_TEST(GalleryTest)
#include "gallery_test.moc"
