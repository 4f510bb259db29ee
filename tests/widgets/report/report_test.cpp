// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/report/document/printed_report.h"
#include "widgets/report/page_preview.h"
#include "widgets/report/report_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCryptographicHash>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace quadric;
using namespace quadric::widgets;

namespace {

int pagesIn(const QByteArray& pdf)
{
    static const QRegularExpression page(QStringLiteral("/Type\\s*/Page\\b(?!s)"));
    int count = 0;
    for (auto match = page.globalMatch(QString::fromLatin1(pdf)); match.hasNext(); match.next())
        ++count;
    return count;
}

/// Words on the pages, where the system has the program that takes them out.
QString textOf(const QString& path)
{
    QProcess program;
    program.start(QStandardPaths::findExecutable(QStringLiteral("pdftotext")),
                  {QStringLiteral("-layout"), path, QStringLiteral("-")});
    return program.waitForFinished() ? QString::fromUtf8(program.readAllStandardOutput()) : QString();
}

TextTable tableOf(int columns, int rows, const QString& cell)
{
    TextTable table;
    table.caption = QStringLiteral("Table");
    for (int column = 0; column < columns; ++column)
        table.columns.push_back({QStringLiteral("Column %1").arg(column), {}, column > 0});
    for (int row = 0; row < rows; ++row)
        table.rows.push_back(QStringList(columns, cell));
    return table;
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT

private slots:
    void thePdfIsVectorsAndText()
    {
        const QString path = m_folder.filePath(QStringLiteral("report.pdf"));
        QCOMPARE(writeReport(contextOf(example()), {}, path), QString());
        const QByteArray pdf = contentOf(path);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pagesIn(pdf) >= 4);
        QVERIFY(!pdf.contains("/Subtype /Image")); // only lines, areas and letters
        QVERIFY(pdf.contains("/Title") && pdf.contains("/Creator"));
    }

    void thePdfSaysWhatMatters()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty())
            QSKIP("pdftotext is not installed");
        const ContextPointer context = contextOf(example());
        const QString path = m_folder.filePath(QStringLiteral("words.pdf"));
        QCOMPARE(writeReport(context, {}, path), QString());
        const QString text = textOf(path);
        const int pages = pagesIn(contentOf(path));
        QVERIFY(text.contains(QStringLiteral("Page %1 of %1").arg(pages)));
        QVERIFY(text.count(QStringLiteral("SIMULATED DATA")) >= pages);
        QVERIFY(text.contains(QStringLiteral("±")));
        const QByteArray document = QByteArray::fromStdString(study::writeStudy(context->study));
        const QByteArray sum = QCryptographicHash::hash(document, QCryptographicHash::Sha256).toHex();
        QVERIFY(text.contains(QString::fromLatin1(sum)));
    }

    void sectionsCanBeLeftOut()
    {
        ReportPage page;
        page.setContext(contextOf(example()));
        page.findChild<QComboBox*>(QStringLiteral("length"))->setCurrentIndex(1);
        const QString whole = m_folder.filePath(QStringLiteral("whole.pdf"));
        const QString part = m_folder.filePath(QStringLiteral("part.pdf"));
        QCOMPARE(page.exportTo(whole), QString());
        for (QCheckBox* box : page.findChildren<QCheckBox*>())
            box->setChecked(box->text().remove('&') == QStringLiteral("Summary"));
        QVERIFY(page.options().shows(Section::Summary) && !page.options().shows(Section::Plots));
        QCOMPARE(page.exportTo(part), QString());
        QCOMPARE(pagesIn(contentOf(part)), 1);
        QVERIFY(pagesIn(contentOf(whole)) > 1);
    }

    void whatCannotBeWrittenIsSaid()
    {
        const QString problem =
            writeReport(contextOf(example()), {}, QStringLiteral("/nowhere/at/all/report.pdf"));
        QVERIFY(problem.contains(QStringLiteral("/nowhere/at/all/report.pdf")));
    }

    void aStudyWithoutResultsHasAReport()
    {
        auto context = std::make_shared<StudyContext>();
        context->study.name = "Empty";
        const QString path = m_folder.filePath(QStringLiteral("empty.pdf"));
        QCOMPARE(writeReport(context, {}, path), QString());
        QVERIFY(pagesIn(contentOf(path)) >= 1);
    }

    void wideTablesComeApartBetweenColumns()
    {
        const double width = 400;
        const TextTable wide = tableOf(20, 3, QStringLiteral("12 345.67"));
        const std::vector<PrintTable> parts = PrintTable::fitted(wide, width);
        QVERIFY(parts.size() > 1);
        QCOMPARE(PrintTable::fitted(tableOf(3, 3, QStringLiteral("1")), width).size(), std::size_t(1));
    }

    void longTablesBreakBetweenRowsAndLoseNone()
    {
        ReportContent content;
        content.blocks = {TableBlock{tableOf(3, 200, QStringLiteral("7"))}};
        const PageFlow flow(content, QSizeF(600, 500));
        QVERIFY(flow.pages().size() > 1);
        std::size_t next = 0;
        for (const auto& page : flow.pages()) {
            QCOMPARE(page.size(), std::size_t(1));
            QCOMPARE(page.front().firstRow, next);
            QVERIFY(page.front().lastRow - page.front().firstRow >= 3);
            QVERIFY(page.front().place.bottom() <= 500.5);
            next = page.front().lastRow;
        }
        QCOMPARE(next, std::size_t(200));
    }

    void headingsStayWithWhatFollows()
    {
        ReportContent content;
        for (int i = 0; i < 40; ++i) {
            content.blocks.push_back(HeadingBlock{QStringLiteral("Heading"), 1, false});
            content.blocks.push_back(TableBlock{tableOf(2, 4, QStringLiteral("7"))});
        }
        const PageFlow flow(content, QSizeF(600, 500));
        for (const auto& page : flow.pages())
            QVERIFY(!std::holds_alternative<HeadingBlock>(flow.items()[page.back().item]));
    }

    void aFigureIsDrawnLowerWhereLittleRoomIsMissing()
    {
        FigureBlock figure;
        figure.height = 280.0;
        ReportContent content;
        content.blocks = {figure, figure};
        const PageFlow flow(content, QSizeF(600, 540));
        QCOMPARE(flow.pages().size(), std::size_t(1));
        QCOMPARE(std::get<FigureBlock>(flow.items()[0]).height, 280.0);
        QVERIFY(std::get<FigureBlock>(flow.items()[1]).height < 280.0);
        QVERIFY(std::abs(flow.pages()[0].back().place.bottom() - 540.0) < 0.5);
        QVERIFY(flow.pages()[0][1].place.top() >= flow.pages()[0][0].place.bottom());
        const PageFlow two(content, QSizeF(600, 390)); // too little for a second
        QCOMPARE(two.pages().size(), std::size_t(2));
        QCOMPARE(std::get<FigureBlock>(two.items()[1]).height, 280.0);
    }

    void aChapterBeginsOnANewPageUnlessTheLastOneIsNearlyEmpty()
    {
        const auto pagesFor = [](double height) {
            FigureBlock figure;
            figure.height = height;
            ReportContent content;
            content.blocks = {figure, HeadingBlock{QStringLiteral("Chapter"), 1, true},
                              ParagraphBlock{QStringLiteral("Text")}};
            return PageFlow(content, QSizeF(600, 1000)).pages().size();
        };
        QCOMPARE(pagesFor(200), std::size_t(1));
        QCOMPARE(pagesFor(700), std::size_t(2));
    }

    void theHtmlLoadsAndRunsNothing()
    {
        const QString path = m_folder.filePath(QStringLiteral("still.html"));
        QCOMPARE(writeReport(contextOf(example()), {}, path), QString());
        const QByteArray html = contentOf(path);
        QVERIFY2(html.size() < 2'000'000, qPrintable(QString::number(html.size())));
        QVERIFY(html.contains("default-src 'none'") && html.contains("<svg"));
        QVERIFY(!html.contains("<script") && !html.contains("script-src"));
        QVERIFY(!html.contains(" src=") && !html.contains("url(http") && !html.contains("@import"));
    }

    void theWindowGoesOnWhileThePagesAreSet()
    {
        ReportPage page;
        QSignalSpy set(&page, &ReportPage::pagesSet);
        int turns = 0;
        QTimer others;
        connect(&others, &QTimer::timeout, &page, [&] { turns += set.isEmpty() ? 1 : 0; });
        page.setContext(contextOf(example()));
        page.show();
        others.start(0);
        QTRY_COMPARE(set.size(), 1);
        QVERIFY(turns > 10);
        QVERIFY(page.findChild<PagePreview*>()->report() != nullptr);
    }

    void theNewestPagesWinAndTheOldOnesStayUntilThen()
    {
        ReportPage page;
        QSignalSpy set(&page, &ReportPage::pagesSet);
        page.setContext(contextOf(example()));
        page.show();
        QTRY_COMPARE(set.size(), 1);
        auto* preview = page.findChild<PagePreview*>();
        const PrintedReport* old = preview->report();
        auto* title = page.findChildren<QLineEdit*>().front();
        title->setText(QStringLiteral("First"));
        page.findChild<QComboBox*>(QStringLiteral("paper"))
            ->setCurrentIndex(1); // begins at once, and is given up
        QTest::qWait(1);
        title->setText(QStringLiteral("Second"));
        bool isKept = true;
        QTimer others;
        connect(&others, &QTimer::timeout, &page,
                [&] { isKept = isKept && (set.size() > 1 || preview->report() == old); });
        others.start(0);
        QTRY_COMPARE(set.size(), 2);
        QVERIFY(isKept);
        QCOMPARE(preview->report()->title(), QStringLiteral("Second"));
        QVERIFY(!preview->isOutdated());
        QTest::qWait(50);
        QCOMPARE(set.size(), 2);
    }

    void theLengthIsChosenAndThePagesAreCounted()
    {
        ReportPage page;
        QSignalSpy set(&page, &ReportPage::pagesSet);
        page.resize(1000, 700);
        page.setContext(contextOf(example()));
        page.show();
        QTRY_COMPARE(set.size(), 1);
        auto* length = page.findChild<QComboBox*>(QStringLiteral("length"));
        QCOMPARE(page.options().extent, Extent::Summary);
        QCOMPARE(page.findChild<PagePreview*>()->report()->pageCount(), 2);
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("pageCount"))->text(), QStringLiteral("2 pages"));
        for (const QCheckBox* box : page.findChildren<QCheckBox*>())
            QVERIFY(!box->isEnabled());
        length->setCurrentIndex(1);
        QTRY_COMPARE(set.size(), 2);
        QVERIFY(page.findChild<PagePreview*>()->report()->pageCount() > 2);
        for (const QCheckBox* box : page.findChildren<QCheckBox*>())
            QVERIFY(box->isEnabled());
    }

    void sectionsAreFoundAndPagesMadeLarger()
    {
        ReportPage page;
        QSignalSpy set(&page, &ReportPage::pagesSet);
        page.resize(1000, 700);
        page.setContext(contextOf(example()));
        page.findChild<QComboBox*>(QStringLiteral("length"))->setCurrentIndex(1);
        page.show();
        QTRY_COMPARE(set.size(), 1);
        auto* preview = page.findChild<PagePreview*>();
        auto* headings = page.findChild<QComboBox*>(QStringLiteral("headings"));
        QVERIFY(headings->findText(QStringLiteral("Provenance")) > 0);
        const double fitting = preview->height();
        auto* zoom = page.findChild<QComboBox*>(QStringLiteral("zoom"));
        zoom->setCurrentIndex(zoom->findText(QStringLiteral("200 %")));
        QTRY_VERIFY(preview->height() > 1.5 * fitting);
        emit headings->activated(headings->findText(QStringLiteral("Provenance")));
        QVERIFY(preview->visibleRegion().boundingRect().bottom() > 0.8 * preview->height()); // the last one
        zoom->setCurrentIndex(zoom->findText(QStringLiteral("Whole page")));
        const double seen = preview->parentWidget()->height();
        QTRY_VERIFY(std::abs(preview->heightForWidth(900) / seen - preview->report()->pageCount()) < 0.5);
    }

    void whatIsSetInStepsIsWhatIsWritten()
    {
        const ContextPointer context = contextOf(example());
        const ReportOptions options;
        ReportDraft draft(context, options);
        while (draft.advance()) {
        }
        const std::unique_ptr<PrintedReport> stepwise = draft.take();
        const PrintedReport whole(reportContent(context, options), options);
        QCOMPARE(stepwise->pageCount(), whole.pageCount());
        QCOMPARE(stepwise->outline().size(), whole.outline().size());
        for (std::size_t i = 0; i < whole.outline().size(); ++i) {
            QCOMPARE(stepwise->outline()[i].page, whole.outline()[i].page);
            QCOMPARE(stepwise->outline()[i].top, whole.outline()[i].top);
        }
    }

private:
    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(ReportTest)
#include "report_test.moc"
