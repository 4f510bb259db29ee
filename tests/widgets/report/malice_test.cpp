// SPDX-License-Identifier: GPL-3.0-or-later
// A study that somebody made to do harm: markup, formulas, paths and endless texts in every field.
#include "core/design/base/design.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/gallery/study_pictures.h"
#include "widgets/report/document/report.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

const std::string kScript = "<script>alert(1)</script><img src=x onerror=alert(2)>";
const std::string kFormula = "=cmd|'/c calc'!A1";
const std::string kPath = "../../../../tmp/quadric-was-here";
const std::string kBreakout = "\"></text></svg><svg onload=alert(3)>]]>&lt;&#0;";
const std::string kDirection = "exe\u202Efdp\u2066";
const std::string kControl("a\0b\x1b]0;title\x07\r\n\tc", 18);
const std::string kEndless(1U << 20U, 'W');

study::Factor factorNamed(const std::string& name)
{
    study::Factor factor;
    factor.name = name;
    factor.unit = kScript + name;
    factor.low = 0;
    factor.high = 10;
    return factor;
}

study::Study maliciousStudy()
{
    study::Study study;
    study.name = kScript + kPath;
    study.description = kBreakout + "\n" + kEndless + "\n" + kControl + "\n" + kFormula;
    study.factors = {factorNamed(kScript), factorNamed(kFormula), factorNamed(kPath + kControl + kDirection)};
    study.factors.push_back(factorNamed(kEndless));
    study.factors.back().type = study::FactorType::Categorical;
    study.factors.back().categories = {kBreakout, kEndless + "x"};
    study.fixed = {{kScript, kEndless}};
    study.responses.resize(2);
    study.responses[0].name = kBreakout;
    study.responses[0].unit = kEndless;
    study.responses[1].name = kPath + kEndless;
    study.benchmark.workload = "command";
    study.benchmark.argv = {kPath, kScript, kEndless};
    study.benchmark.env = {{"PATH", kPath}};
    study.benchmark.cwd = kPath;
    study.benchmark.options = {{kScript, kEndless}};
    study.design.type = "d-optimal";
    study.design.runs = 20;
    study.design.model = "linear";
    return study;
}

void fill(study::Study& study)
{
    for (study::Run& run : study.runs) {
        double sum = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
            sum += static_cast<double>(i + 1) * study::numberOf(run.settings.at(study.factors[i].name));
        run.status = study::RunStatus::Done;
        run.results = {{study.responses[0].name, sum + std::sin(run.id)},
                       {study.responses[1].name, 50 - sum + std::cos(run.id)}};
        run.spread = {{study.responses[0].name, 0.5}};
        run.provenance.source = study::Source::Simulated;
        run.provenance.unknown = {{"note", "\"<script>alert(4)</script>\""}};
        run.provenance.spreadIs = "<b>bold</b>";
    }
    study.runs[3].status = study::RunStatus::Failed;
    study.runs[3].failure = study::Failure{kScript, kEndless, {}};
    study.runs[3].results.clear();
    study.runs[4].status = study::RunStatus::Excluded;
    study.runs[4].reason = kBreakout;
}

ContextPointer maliciousContext()
{
    auto context = std::make_shared<StudyContext>();
    context->study = maliciousStudy();
    context->study = design::layOut(context->study);
    fill(context->study);
    context->fits = model::fitStudy(context->study);
    return context;
}

/// Elements and attributes that a document really has, whatever its texts look like.
struct Markup {
    QSet<QString> elements, attributes;
    QString problem;
};

Markup markupOf(const QByteArray& xml)
{
    Markup markup;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            markup.elements << reader.name().toString().toLower();
            for (const auto& attribute : reader.attributes())
                markup.attributes << attribute.name().toString().toLower();
        }
    if (reader.hasError())
        markup.problem = QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
    return markup;
}

/// What an HTML parser would take for a tag.
QSet<QString> tagsIn(const QByteArray& html)
{
    static const QRegularExpression kTag(QStringLiteral("<([A-Za-z][A-Za-z0-9]*)"));
    QSet<QString> tags;
    for (auto match = kTag.globalMatch(QString::fromUtf8(html)); match.hasNext();)
        tags << match.next().captured(1).toLower();
    return tags;
}

} // namespace

class MaliceTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_context = maliciousContext();
        QVERIFY(m_context->fits[0].isOk());
    }

    void theHtmlHoldsNoForeignMarkup()
    {
        const QString path = m_folder.filePath(QStringLiteral("report.html"));
        QCOMPARE(writeReport(m_context, {}, path), QString());
        const QByteArray html = contentOf(path);
        const QSet<QString> tags = tagsIn(html);
        for (const char* foreign : {"script", "img", "b", "iframe", "object"})
            QVERIFY2(!tags.contains(QLatin1String(foreign)), foreign);
        QVERIFY(html.contains("&lt;script&gt;"));
        static const QRegularExpression kHandler(QStringLiteral("<[^>]*\\son[a-z]+\\s*="));
        QVERIFY(!kHandler.match(QString::fromUtf8(html)).hasMatch());
        QVERIFY(html.contains("SIMULATED DATA"));
        for (const char byte : html)
            QVERIFY(static_cast<unsigned char>(byte) >= 0x20 || byte == '\n' || byte == '\t');
        QVERIFY(!QString::fromUtf8(html).contains(QChar(0x202E)));
    }

    void thePdfIsWritten()
    {
        const QString path = m_folder.filePath(QStringLiteral("report.pdf"));
        QCOMPARE(writeReport(m_context, {}, path), QString());
        QVERIFY(contentOf(path).startsWith("%PDF-"));
        QVERIFY(QFileInfo(path).size() < 20'000'000); // endless texts are cut
    }

    void titleAndAuthorAreTextToo()
    {
        ReportOptions options;
        for (const SectionInfo& info : reportSections())
            options.without.insert(info.section);
        options.title = QString::fromStdString(kScript + kControl + kEndless);
        options.author = QString::fromStdString(kBreakout);
        for (const char* name : {"title.html", "title.pdf"})
            QCOMPARE(writeReport(m_context, options, m_folder.filePath(QLatin1String(name))), QString());
        const QSet<QString> tags = tagsIn(contentOf(m_folder.filePath(QStringLiteral("title.html"))));
        QVERIFY(!tags.contains(QStringLiteral("script")) && !tags.contains(QStringLiteral("svg")));
    }

    void plotsAreSoundAndStayInTheirFolder()
    {
        const QString folder = m_folder.filePath(QStringLiteral("deep/er/plots"));
        QVERIFY(QDir().mkpath(folder));
        Gallery gallery(m_context);
        QStringList taken;
        for (const PlotRequest& request : gallery.all()) {
            const QString path = saveInto(folder, gallery, request, QStringLiteral("svg"), {}, taken);
            QCOMPARE(QFileInfo(path).canonicalPath(), QFileInfo(folder).canonicalFilePath());
            const Markup markup = markupOf(contentOf(path));
            QVERIFY2(markup.problem.isEmpty(), qPrintable(path + markup.problem));
            QVERIFY(!markup.elements.contains(QStringLiteral("script")));
            QVERIFY(!markup.attributes.contains(QStringLiteral("onload")));
            QVERIFY(QFileInfo(path).size() < 5'000'000);
        }
        QVERIFY(taken.size() > 10);
        QVERIFY(!QFileInfo::exists(QStringLiteral("/tmp/quadric-was-here")));
    }

private:
    QTemporaryDir m_folder;
    ContextPointer m_context;
};

QUADRIC_QT_TEST(MaliceTest)
#include "malice_test.moc"
