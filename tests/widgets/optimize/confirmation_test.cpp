// SPDX-License-Identifier: GPL-3.0-or-later
// From the button to the verdict: confirming runs are asked for, their results come in, a dot beside the
// facts opens the verdict on them, and the models are fitted again with them on request.
#include "core/optimize/merit/optimum.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/optimize/answer_bar.h"
#include "widgets/optimize/optimize_page.h"

#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// The page with somebody who does what it asks for, as editor and experiment do.
struct Host {
    OptimizePage page;
    study::Study study = example();
    QSignalSpy steps{&page, &Page::stepRequested};

    Host()
    {
        QObject::connect(&page, &Page::changeRequested, &page,
                         [this](const study::Study& after) { show(after); });
        QObject::connect(
            &page, &OptimizePage::confirmRequested, &page, [this](const study::Settings& settings, int runs) {
                show(study::withRuns(study, std::vector(static_cast<std::size_t>(runs), settings),
                                     study::RunKind::Confirmation));
            });
        show(study);
        page.resize(1100, 760);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
    }
    void show(const study::Study& after)
    {
        study = after;
        page.setContext(contextOf(study));
    }
    /// The next waiting run gives its prediction times `factor` for every response.
    void finishOne(double factor)
    {
        const ContextPointer context = contextOf(example());
        for (study::Run& run : study.runs) {
            if (run.status != study::RunStatus::Pending)
                continue;
            for (const auto& at : optimize::assess(context->study, context->fits, run.settings).responses)
                run.results[at.response] = factor * at.predicted.mean;
            run.status = study::RunStatus::Done;
            run.provenance.source = study::Source::Simulated;
            break;
        }
        show(study);
    }
    void confirm() { QTest::mouseClick(page.findChild<QWidget*>("confirm"), Qt::LeftButton); }
    /// What stands beside the setting, with the links of its dots.
    QString facts() const { return page.findChild<QLabel*>("facts")->text(); }
    /// Clicks on the dot of the verdict, which is that of the last fact, or of the first when it is bad.
    QWidget* openVerdict() const
    {
        static const QRegularExpression dot(QStringLiteral("href='([0-9]+)'[^>]*>[^<]*</a>&nbsp;[^<]*"
                                                           "(onfirm|No verdict)"));
        emit page.findChild<QLabel*>("facts")->linkActivated(dot.match(facts()).captured(1));
        return page.findChild<ConfirmationPopup*>();
    }
    QString words() const { return page.findChild<QLabel*>("confirmationText")->text(); }
};

} // namespace

class ConfirmationTest : public QObject {
    Q_OBJECT

private slots:
    void withoutConfirmingRunsThereIsNoVerdict()
    {
        Host host;
        QVERIFY2(!host.facts().contains(QStringLiteral("onfirm")), qPrintable(host.facts()));
    }

    void runsThatAgreeConfirm()
    {
        Host host;
        host.confirm();
        QCOMPARE(study::countRuns(host.study, study::RunStatus::Pending), 3);
        QVERIFY(host.openVerdict()->isVisible());
        QVERIFY(host.words().contains(QStringLiteral("0 of 3")));
        host.finishOne(1.001);
        QVERIFY(host.words().contains(QStringLiteral("1 of 3")));
        QVERIFY(!host.page.findChild<QWidget*>("fitConfirmation")->isVisible());
        host.finishOne(0.999);
        host.finishOne(1.0);
        QVERIFY2(host.words().contains(QStringLiteral("Confirmed at")), qPrintable(host.words()));
        QVERIFY2(host.facts().contains(QStringLiteral("Confirmed by 3 runs.")), qPrintable(host.facts()));
    }

    void disturbedRunsGiveNoVerdictAndAreMeasuredAgain()
    {
        Host host;
        host.confirm();
        for (int run = 0; run < 3; ++run)
            host.finishOne(0.7);
        host.study.runs.back().provenance.disturbed = true;
        host.study.runs.back().provenance.disturbedBecause = "other processes used 76 % of the machine";
        host.show(host.study);
        QVERIFY2(host.words().contains(QStringLiteral("No verdict yet")), qPrintable(host.words()));
        QVERIFY2(host.words().contains(QStringLiteral("other processes used 76")), qPrintable(host.words()));
        QVERIFY(!host.facts().contains(QStringLiteral("do not use")));
        QVERIFY(host.openVerdict()->isVisible());
        QVERIFY(!host.page.findChild<QWidget*>("fitConfirmation")->isVisible());
        QSignalSpy repeats(&host.page, &OptimizePage::repeatRequested);
        QTest::mouseClick(host.page.findChild<QWidget*>("repeatConfirmation"), Qt::LeftButton);
        QCOMPARE(repeats.size(), 1);
        QCOMPARE(repeats.front().front().value<std::vector<int>>(),
                 std::vector<int>{host.study.runs.back().id});
    }

    void runsThatDisagreeRefuteAndCanBeFitted()
    {
        Host host;
        host.confirm();
        for (int run = 0; run < 3; ++run)
            host.finishOne(0.7 + 0.01 * run); // equal ones would count as copies
        QVERIFY2(host.words().contains(QStringLiteral("Not confirmed at")), qPrintable(host.words()));
        QVERIFY2(host.facts().contains(QStringLiteral("Not confirmed: do not use this setting.")),
                 qPrintable(host.facts()));
        QVERIFY(host.openVerdict()->isVisible());
        const int before = contextOf(host.study)->fits.front().n;
        QTest::mouseClick(host.page.findChild<QWidget*>("fitConfirmation"), Qt::LeftButton);
        QCOMPARE(contextOf(host.study)->fits.front().n, before + 3);
        QVERIFY(!host.page.findChild<ConfirmationPopup*>()->isVisible());
        QVERIFY2(!host.facts().contains(QStringLiteral("onfirm")), qPrintable(host.facts())); // no longer
    }
};

QUADRIC_QT_TEST(ConfirmationTest)
#include "confirmation_test.moc"
