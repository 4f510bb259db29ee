// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/plan/plan_page.h"

#include "core/plan/words/plan_sentences.h"
#include "page_fixture.h"
#include "widgets/base/page.h"
#include "widgets/base/typed_value.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QStackedLayout>
#include <QStyleOptionComboBox>
#include <QTabWidget>
#include <QTest>

#include <cmath>
#include <utility>

using namespace quadric;
using namespace quadric::widgets;

namespace {

struct ShownPlan {
    PlanPage page;
    QSignalSpy changes{&page, &Page::changeRequested};

    explicit ShownPlan(const QString& tab, study::Study study = example())
    {
        page.setContext(contextOf(std::move(study)));
        page.resize(1100, 760);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
        auto* tabs = page.findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == tab)
                tabs->setCurrentIndex(i);
    }
    /// In front.
    PlanView& view() const
    {
        return *qobject_cast<PlanView*>(page.findChild<QTabWidget*>()->currentWidget());
    }
    QString sentence() const { return view().sentence().replace(QChar::Nbsp, QLatin1Char(' ')); }
    const Panel& panel() const { return view().plot()->board().panels.front(); }
    QComboBox* chooser(const QString& name) const { return named<QComboBox>(page, name); }
    QSlider* slider(const QString& name) const { return named<QSlider>(page, name); }
    ValueField* field(const QString& name) const { return named<ValueField>(page, name); }
    study::Study lastChange() const { return changes.last()[0].value<study::Study>(); }
};

void type(ValueField* field, const QString& text)
{
    field->edit();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Everything that the tabs can show, in words that are long.
study::Study everyQuestion()
{
    return plan::withPlanChoices(example(), {.amount = 123456789.0, .gpuHour = 2.5});
}

/// The time of an epoch alone, with a model that goes below 0.
study::Study timesBelowZero()
{
    study::Study study = example();
    study.responses = {{.name = "epoch_time", .unit = "s", .goal = study::Goal::Minimize}};
    study.model.clear();
    for (study::Run& run : study.runs)
        run.results = {{"epoch_time", 1281167.0 / run.results.at("images_per_sec")}};
    return study;
}

/// The text of a chooser or a field that has no room for all of it; empty: none.
QString cutText(const QWidget& tab)
{
    for (const auto* field : tab.findChildren<ValueField*>())
        if (field->isVisible() && field->fontMetrics().horizontalAdvance(field->text()) > field->width() - 4)
            return field->text();
    for (const auto* chooser : tab.findChildren<QComboBox*>()) {
        QStyleOptionComboBox option;
        option.initFrom(chooser);
        const QRect room = chooser->style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                            QStyle::SC_ComboBoxEditField, chooser);
        if (chooser->isVisible() &&
            chooser->fontMetrics().horizontalAdvance(chooser->currentText()) > room.width())
            return chooser->currentText();
    }
    return {};
}

} // namespace

class PlanPageTest : public QObject {
    Q_OBJECT

private slots:
    void withoutATimeItSaysWhatIsMissing()
    {
        study::Study study = example();
        study.responses.erase(study.responses.begin()); // the efficiency is left
        PlanPage page;
        QSignalSpy steps(&page, &Page::stepRequested);
        page.setContext(contextOf(study));
        QCOMPARE(page.findChild<QStackedLayout*>()->currentIndex(), 0);
        buttonWith(page, QStringLiteral("Go to Design"))->click();
        QCOMPARE(steps.count(), 1);
        page.setContext(contextOf(exampleWithoutResults()));
        QVERIFY(buttonWith(page, QStringLiteral("Go to Run")));
        page.setContext(contextOf(example()));
        QCOMPARE(page.findChild<QStackedLayout*>()->currentIndex(), 1);
    }

    /// Results that have nothing to do with the settings: what is planned with them is said to rest on noise.
    void aPoorModelIsCalledPoor()
    {
        study::Study noise = example();
        for (study::Run& run : noise.runs)
            for (auto& [name, value] : run.results)
                value = 50.0 + run.id * 37 % 31;
        for (const char* tab : {"Deadline", "Scale", "Cost"}) {
            const QString title = QString::fromLatin1(tab);
            QVERIFY2(ShownPlan(title, noise).sentence().contains(QStringLiteral("is poor: ")), tab);
            QVERIFY2(!ShownPlan(title).sentence().contains(QStringLiteral("is poor: ")), tab);
        }
    }

    /// What the sentence says is what core says of the same question.
    void theDeadlineFollowsItsSliders()
    {
        ShownPlan shown(QStringLiteral("Deadline"));
        const QString before = shown.sentence();
        QVERIFY2(before.contains(QStringLiteral("95 %")), qPrintable(before));
        const auto* label = shown.page.findChild<SteadyLabel*>(QStringLiteral("planSentence"));
        QVERIFY(!label->text().contains(QRegularExpression(QStringLiteral("[0-9] (%|min|h|s)")))); // unbroken
        type(shown.field(QStringLiteral("Value of Probability")), QStringLiteral("80"));
        QCOMPARE(plan::readPlanChoices(shown.lastChange()).probability, 0.8);
        QVERIFY(shown.sentence().contains(QStringLiteral("80 %")));
        const ContextPointer context = contextOf(shown.lastChange());
        const PlanSource source = makePlanSource(context);
        const plan::DeadlineAnswer answer = plan::answerDeadline(
            *source.fit(), plan::deadlineQuestion(*source.fit(), source.choices, source.settings));
        const QString largest = fromUtf8(plan::describeAmount(
            *source.fit(), plan::withoutNeedlessDigits(*answer.largestAmount), text::Typography::Typeset));
        QVERIFY2(shown.sentence().contains(QString(largest).replace(QChar::Nbsp, QLatin1Char(' '))),
                 qPrintable(shown.sentence()));
        QSlider* time = shown.slider(QStringLiteral("Time available"));
        time->setValue(time->maximum());
        QVERIFY(shown.sentence().contains(QStringLiteral("> 99")) ||
                shown.sentence().contains(QStringLiteral("99.")));
        type(shown.field(QStringLiteral("Value of Time available")), QStringLiteral("1 h 30 min"));
        QCOMPARE(plan::readPlanChoices(shown.lastChange()).within, std::optional(5400.0));
        type(shown.field(QStringLiteral("Value of Time available")), QStringLiteral("soon"));
        QVERIFY(shown.field(QStringLiteral("Value of Time available"))->isEdited()); // refused
    }

    void theLargestSettingIsFound()
    {
        ShownPlan shown(QStringLiteral("Deadline"));
        QComboBox* chooser = shown.chooser(QStringLiteral("Largest"));
        chooser->setCurrentIndex(chooser->findData(QStringLiteral("batch_per_gpu")));
        emit chooser->activated(chooser->currentIndex());
        QVERIFY2(shown.sentence().contains(QStringLiteral("argest batch_per_gpu")) ||
                     shown.sentence().contains(QStringLiteral("No setting of batch_per_gpu")),
                 qPrintable(shown.sentence()));
        QVERIFY(shown.panel().x.title.contains(QStringLiteral("batch_per_gpu")));
    }

    void theAxesOfTheDeadlineHaveEvenAndShortTicks()
    {
        ShownPlan shown(QStringLiteral("Deadline"));
        const Panel& panel = shown.panel();
        QVERIFY2(panel.x.title.contains(QStringLiteral("million img")), qPrintable(panel.x.title));
        QVERIFY(panel.x.scale.high < 1e4);
        const PanelAxis& axis = panel.y;
        QVERIFY(axis.ticks.size() >= 3 && axis.ticks.size() <= 6);
        const double step = axis.ticks[1].value - axis.ticks[0].value;
        for (std::size_t i = 2; i < axis.ticks.size(); ++i)
            QVERIFY(std::abs(axis.ticks[i].value - axis.ticks[i - 1].value - step) < 1e-9);
    }

    /// Below the figure stands how often runs that were left out kept what is promised.
    void theDeadlineIsCheckedByRunsLeftOut()
    {
        ShownPlan shown(QStringLiteral("Deadline"));
        const QString remark = shown.view().remark();
        QVERIFY2(remark.contains(QStringLiteral("left out one setting at a time")), qPrintable(remark));
        QVERIFY2(remark.contains(QStringLiteral("with a probability of 95 %")), qPrintable(remark));
    }

    /// Times that a model cannot have are not offered as an answer.
    void aModelWithoutATimeIsSaid()
    {
        for (const QString& tab : {QStringLiteral("Deadline"), QStringLiteral("Cost")}) {
            ShownPlan shown(tab, timesBelowZero());
            const QString words = QStringLiteral("The model of epoch_time predicts no time above 0");
            QVERIFY2(shown.sentence().startsWith(words), qPrintable(shown.sentence()));
            QVERIFY(!shown.sentence().contains(QChar(0x2212))); // a minus
        }
    }

    void noTextOfAControlIsCutOff()
    {
        for (const char* tab : {"Deadline", "Queue", "Scale", "Cost"}) {
            ShownPlan shown(QLatin1String(tab), everyQuestion());
            for (const int width : {856, 632}) { // of windows 1024 and 800 pixels wide
                shown.page.resize(width, 610);
                QTest::qWait(50);
                QVERIFY2(cutText(shown.page).isEmpty(), qPrintable(cutText(shown.page)));
            }
        }
    }

    /// Also where the sentence takes two lines, and where views that are not shown would need more room.
    void whatIsMissingIsReadInASmallWindow()
    {
        study::Study study = example();
        study.responses = {{.name = "scaling_efficiency", .unit = "%"}};
        ShownPlan shown(QStringLiteral("Deadline"), study);
        shown.page.resize(632, 610);
        QTest::qWait(50);
        QVERIFY(shown.page.minimumSizeHint().width() <= 632);
        for (const auto* label : shown.page.findChild<EmptyState*>()->findChildren<QLabel*>())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        QVERIFY(buttonWith(shown.page, QStringLiteral("Go to Design"))->isVisible());
    }

    void theQueueIsSimulatedInTheBackground()
    {
        ShownPlan shown(QStringLiteral("Queue"));
        QVERIFY(shown.sentence().contains(QStringLiteral("jobs per hour")));
        QTRY_VERIFY_WITH_TIMEOUT(shown.sentence().contains(QStringLiteral("responds")), kPatienceMs);
        const QString before = shown.sentence();
        shown.slider(QStringLiteral("Load"))->setValue(100);
        QVERIFY(shown.sentence().contains(QStringLiteral("simulating")));
        QTRY_VERIFY_WITH_TIMEOUT(shown.sentence().contains(QStringLiteral("responds")), kPatienceMs);
        QVERIFY(shown.sentence() != before);
        QCOMPARE(shown.panel().dots.size(), std::size_t(2));
    }

    /// What a doubling is worth changes no forecast; another doubling does.
    void theForecastFollowsWhatItDependsOn()
    {
        ShownPlan shown(QStringLiteral("Scale"));
        const auto highest = [&shown] { return shown.panel().bands.front().high.back(); };
        const double before = highest();
        type(shown.field(QStringLiteral("Value of A doubling pays from")), QStringLiteral("1.2"));
        QCOMPARE(highest(), before);
        type(shown.field(QStringLiteral("Value of Doublings beyond the runs")), QStringLiteral("4"));
        const double farther = highest();
        QVERIFY(farther > before);
        QVERIFY(shown.sentence().contains(QStringLiteral("1024 GPUs give")));
        type(shown.field(QStringLiteral("Value of Doublings beyond the runs")), QStringLiteral("3"));
        QCOMPARE(highest(), before);
    }

    void theScaleNamesLawAndAssumptions()
    {
        ShownPlan shown(QStringLiteral("Scale"));
        QTRY_VERIFY_WITH_TIMEOUT(shown.sentence().contains(QStringLiteral("GPUs give")), kPatienceMs);
        QVERIFY(shown.sentence().contains(QStringLiteral("90 %")));
        QVERIFY(!shown.panel().bands.empty());
        const QString assumptions = shown.view().remark();
        QVERIFY2(assumptions.startsWith(QStringLiteral("Assumptions: Each GPU has as much work")),
                 qPrintable(assumptions));
    }

    void costsAreGpuHoursUntilAPriceIsKnown()
    {
        ShownPlan shown(QStringLiteral("Cost"));
        QTRY_VERIFY_WITH_TIMEOUT(shown.sentence().contains(QStringLiteral("GPU hours on 64 GPUs")),
                                 kPatienceMs);
        type(shown.field(QStringLiteral("Value of Price of a kilowatt hour")), QStringLiteral("0.3"));
        QTRY_VERIFY_WITH_TIMEOUT(shown.sentence().startsWith(QStringLiteral("One run costs")), kPatienceMs);
    }

    /// A study without a factor that is the number of GPUs says how many there are; what costs nothing is not
    /// asked.
    void theGpusOfARunAreAskedWhereNoFactorIsTheirNumber()
    {
        QVERIFY(!ShownPlan(QStringLiteral("Cost")).slider(QStringLiteral("GPUs"))->isVisible());
        study::Study study = example();
        const std::string count = std::exchange(study.factors.front().name, "size");
        study.factors.front().binds.clear();
        study.factors.front().unit.clear();
        for (study::Run& run : study.runs)
            run.settings["size"] = run.settings.extract(count).mapped();
        ShownPlan shown(QStringLiteral("Cost"), study);
        QVERIFY2(shown.sentence().contains(QStringLiteral("on 1 GPU")), qPrintable(shown.sentence()));
        type(shown.field(QStringLiteral("Value of GPUs")), QStringLiteral("8"));
        QVERIFY2(shown.sentence().contains(QStringLiteral("on 8 GPUs")), qPrintable(shown.sentence()));
    }

    void theJobsOfADistributionDifferAsMuchAsIsAsked()
    {
        ShownPlan shown(QStringLiteral("Queue"));
        QVERIFY(!shown.slider(QStringLiteral("Variation of the jobs"))->isVisible());
        QComboBox* jobs = shown.chooser(QStringLiteral("Jobs"));
        jobs->setCurrentIndex(1);
        emit jobs->activated(1);
        QCOMPARE(plan::readPlanChoices(shown.lastChange()).variation, std::optional(1.0));
        QVERIFY(shown.slider(QStringLiteral("Variation of the jobs"))->isVisible());
    }

    /// Settings of the Cost tab are those of the Deadline.
    void choicesAreKeptInTheStudy()
    {
        ShownPlan shown(QStringLiteral("Deadline"));
        type(shown.field(QStringLiteral("Value of Amount of work")), QStringLiteral("5e7"));
        study::Study study = shown.lastChange();
        QCOMPARE(plan::readPlanChoices(study).amount, std::optional(5e7));
        ShownPlan again(QStringLiteral("Deadline"), study);
        QVERIFY(
            again.field(QStringLiteral("Value of Amount of work"))->text().contains(QStringLiteral("img")));
        QCOMPARE(again.sentence(), shown.sentence());
        QVERIFY(again.changes.isEmpty());
    }
};

QUADRIC_QT_TEST(PlanPageTest)
#include "plan_page_test.moc"
