// SPDX-License-Identifier: GPL-3.0-or-later
// What the report says of the page Plan.
#include "core/plan/plan_choices.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/report/document/printed_report.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr int kMostPlanningPages = 2;

/// Every question, with the longest tables that the page can ask for.
plan::PlanChoices longestPlan()
{
    return {.amount = 9e7,
            .within = 5400.0,
            .load = 0.8,
            .doublings = 10,
            .gpuHour = 2.5,
            .kilowattHour = 0.3,
            .watts = 500.0};
}

/// The planning and its plots alone.
ReportOptions planningOnly(Extent extent = Extent::Full)
{
    ReportOptions options{extent};
    for (const SectionInfo& info : reportSections())
        if (info.section != Section::Planning && info.section != Section::Plots)
            options.without.insert(info.section);
    return options;
}

/// Pages that the section is on, its last one also where the next chapter begins on it.
int planningPages(const ContextPointer& context, const ReportOptions& options)
{
    const PrintedReport report(reportContent(context, options), options);
    const std::vector<OutlineEntry> outline = report.outline();
    const auto planning = std::ranges::find(outline, QStringLiteral("Planning"), &OutlineEntry::title);
    const auto next = std::find_if(planning + 1, outline.end(), [&planning](const OutlineEntry& entry) {
        return entry.level <= planning->level;
    });
    if (next == outline.end())
        return report.pageCount() - planning->page;
    const bool isLower = next->top < planning->top - 1.0; // of its page
    return next->page - planning->page + (isLower ? 1 : 0);
}

QStringList headingsOf(const ReportContent& content)
{
    QStringList headings;
    for (const ReportBlock& block : content.blocks)
        if (const auto* heading = std::get_if<HeadingBlock>(&block))
            headings << heading->text;
    return headings;
}

QStringList textsOf(const ReportContent& content)
{
    QStringList texts;
    for (const ReportBlock& block : content.blocks)
        if (const auto* paragraph = std::get_if<ParagraphBlock>(&block))
            texts << paragraph->text;
    return texts;
}

/// The same without the planning; the plots of the responses stay.
ReportOptions withoutPlanning(ReportOptions options = planningOnly())
{
    options.without.insert(Section::Planning);
    return options;
}

std::ptrdiff_t figuresIn(const ReportContent& content)
{
    return std::ranges::count_if(
        content.blocks, [](const ReportBlock& block) { return std::holds_alternative<FigureBlock>(block); });
}

std::ptrdiff_t planningFigures(const ContextPointer& context, const ReportOptions& options = planningOnly())
{
    return figuresIn(reportContent(context, options)) -
           figuresIn(reportContent(context, withoutPlanning(options)));
}

} // namespace

class PlanningReportTest : public QObject {
    Q_OBJECT

private slots:
    void allQuestionsFitOnTwoPages()
    {
        const ContextPointer context = contextOf(plan::withPlanChoices(example(), longestPlan()));
        for (const bool isLetter : {false, true}) {
            ReportOptions options = planningOnly();
            options.letterPaper = isLetter;
            const ReportContent content = reportContent(context, options);
            QCOMPARE(headingsOf(content).count(QStringLiteral("Planning")), 1);
            QCOMPARE(planningFigures(context, options), 4);
            const int pages = planningPages(context, options);
            QVERIFY2(pages >= 1 && pages <= kMostPlanningPages, qPrintable(QString::number(pages)));
        }
    }

    void nothingIsSaidWhereNothingIsAsked()
    {
        const ReportContent content = reportContent(contextOf(example()), planningOnly());
        QVERIFY(!headingsOf(content).contains(QStringLiteral("Planning")));
        QCOMPARE(planningFigures(contextOf(example())), 0);
        study::Study study = plan::withPlanChoices(example(), longestPlan());
        study.responses.erase(study.responses.begin()); // no time and no speed is left
        QVERIFY(!headingsOf(reportContent(contextOf(study), planningOnly()))
                     .contains(QStringLiteral("Planning")));
    }

    void onlyWhatIsAskedIsAnswered()
    {
        const ContextPointer context = contextOf(plan::withPlanChoices(example(), {.load = 0.5}));
        const ReportContent content = reportContent(context, planningOnly());
        QCOMPARE(planningFigures(context), 1);
        const QString text = textsOf(content).join(QLatin1Char(' '));
        QVERIFY2(text.contains(QStringLiteral("jobs per hour")), qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("simulating")));
        ReportOptions withoutPlots = planningOnly();
        withoutPlots.without.insert(Section::Plots);
        QCOMPARE(figuresIn(reportContent(context, withoutPlots)), 0);
        QVERIFY(!headingsOf(reportContent(context, withoutPlanning())).contains(QStringLiteral("Planning")));
        QVERIFY(
            headingsOf(reportContent(context, {Extent::Engineering})).contains(QStringLiteral("Planning")));
        QVERIFY(!headingsOf(reportContent(context, {Extent::Summary})).contains(QStringLiteral("Planning")));
    }

    void theWebPageHasThem()
    {
        const QString path = m_folder.filePath(QStringLiteral("plan.html"));
        const ContextPointer context = contextOf(plan::withPlanChoices(example(), longestPlan()));
        QCOMPARE(writeReport(context, planningOnly(), path), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString page = QString::fromUtf8(file.readAll());
        for (const char* text : {"Planning", "jobs per hour", "done within", "of ideal", "One run costs"})
            QVERIFY2(page.contains(QLatin1String(text)), text);
    }

private:
    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(PlanningReportTest)
#include "planning_report_test.moc"
