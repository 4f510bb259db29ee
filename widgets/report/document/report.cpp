// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/report.h"

#include "core/study/files/output_file.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/report/document/printed_report.h"
#include "widgets/report/document/report_content.h"
#include "widgets/report/print/pdf_outline.h"
#include "widgets/text/wording.h"

#include <QBuffer>
#include <QByteArray>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>

#include <algorithm>
#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr double kTextWidth = 680.0; ///< logical pixels; plots are drawn for it

/// Light and dark by the reader's choice; plots stay light on white. A shade at its edge says that a table or
/// a wide plot goes on there (what does not move with the content shows where the content's own ground is out
/// of sight), and on a narrow screen words say so below the plot. On paper every page carries the mark.
const char* const kStyle = R"(
:root { color-scheme: light dark; --text: #202020; --muted: #595959; --rule: #c9ced3; --ground: #fff; --shade: #0005; --mark: #b03a00; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ea; --muted: #a3abb3; --rule: #3b4046; --ground: #17191c; --shade: #fff6; --mark: #ff9d6b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; color: var(--text); background: var(--ground);
  font: 1rem/1.45 system-ui, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.8rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin-top: 2.4rem; } h3 { font-size: 1.05rem; margin-top: 1.6rem; }
.lead { font-size: 1.1rem; } .small, figcaption, .note { font-size: .85rem; color: var(--muted); }
.scroll, .wide { overflow-x: auto; background: linear-gradient(90deg, var(--ground) 1rem, transparent 2rem) local,
  linear-gradient(270deg, var(--ground) 1rem, transparent 2rem) local, linear-gradient(90deg, var(--shade), transparent .6rem),
  linear-gradient(270deg, var(--shade), transparent .6rem), var(--ground); }
.scroll { margin: 1rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; font-weight: 600; font-size: .95rem; padding: .3rem 0; }
th, td { padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th { color: var(--muted); vertical-align: bottom; border-bottom-width: 2px; } .n { text-align: right; } td.n { white-space: nowrap; }
figure { margin: 1.4rem 0; break-inside: avoid; } .plots { display: flex; flex-wrap: wrap; gap: 1rem; }
.plot { --ground: #fff; --shade: #0005; flex: 1 1 19rem; background-color: #fff; } .plot svg { display: block; width: 100%; height: auto; }
.wide { flex-basis: 100%; } .wide svg { min-width: 34rem; mix-blend-mode: multiply; } .plots h4 { margin: .3rem; font-size: .85rem; color: #202020; }
.hint { display: none; margin: .2rem 0; font-size: .85rem; color: var(--muted); } @media (max-width: 36rem) { .hint { display: block; } }
nav ul { padding-left: 1.2rem; } a { color: inherit; }
.simulated { position: sticky; top: 0; z-index: 1; padding: .4rem .8rem; text-align: center; font-weight: 700; color: var(--mark);
  background: var(--ground); border: 2px solid var(--mark); }
@media print { body { max-width: none; font-size: 10pt; } nav { display: none; } .scroll, .wide { overflow: visible; background: none; } .hint { display: none; }
  thead { display: table-header-group; } tr, .plot { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
  .simulated { position: fixed; top: 0; left: 0; right: 0; } .wide svg { min-width: 0; mix-blend-mode: normal; } }
)";

/// Names inside a picture are its own: several of them in one document must not share any.
QString withOwnNames(QString svg, int number)
{
    static const QRegularExpression kNames(QStringLiteral(R"((\bid="|url\(#|href="#)([A-Za-z0-9_-]+))"));

    svg.replace(kNames, QStringLiteral("\\1p%1-\\2").arg(number));

    return svg.replace(0, 4, QStringLiteral("<svg role=\"img\"")); // named by its title
}

/// Writes the blocks one after another.
class Html {
public:
    explicit Html(const ReportContent& content)
        : m_content(content)
    {
    }

    QByteArray write()
    {
        writeHead();
        writeContents();
        for (const ReportBlock& block : m_content.blocks)
            std::visit([this](const auto& each) { add(each); }, block);
        closeList();
        m_out += QStringLiteral("<p class=\"small\">%1</p>\n").arg(escaped(footer()));
        m_out += QStringLiteral("</body>\n</html>\n");
        return m_out.toUtf8();
    }

private:
    static QString escaped(const QString& text) { return text.toHtmlEscaped(); }

    QString footer() const
    {
        return QStringLiteral("Quadric " QUADRIC_VERSION " · %1").arg(m_content.date) +
               (m_content.author.isEmpty() ? QString() : QStringLiteral(" · ") + m_content.author);
    }

    void writeHead();
    void writeContents();
    void add(const HeadingBlock& heading);
    void add(const ParagraphBlock& paragraph);
    void add(const TableBlock& block);
    void add(const FigureBlock& figure);
    void addRow(const TextTable& table, const QStringList& cells, const char* tag);
    void closeList();

    const ReportContent& m_content;
    QString m_out;
    int m_headings = 0, m_plots = 0;
    bool m_isInList = false;
};

void Html::writeHead()
{
    m_out +=
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; img-src data:\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"generator\" content=\"Quadric " QUADRIC_VERSION "\">\n") +
        (m_content.author.isEmpty() ? QString()
                                    : QStringLiteral("<meta name=\"author\" content=\"") +
                                          escaped(m_content.author) + QStringLiteral("\">\n")) +
        QStringLiteral("<title>") + escaped(m_content.title) + QStringLiteral("</title>\n<style>") +
        QLatin1String(kStyle) + QStringLiteral("</style>\n</head>\n<body>\n");
    if (m_content.isSimulated)
        m_out += QStringLiteral("<div class=\"simulated\">%1</div>\n").arg(escaped(tr("SIMULATED DATA")));
}

void Html::writeContents()
{
    m_out += QStringLiteral("<nav><details><summary>") + escaped(tr("Contents")) +
             QStringLiteral("</summary><ul>\n");
    int number = 0;
    for (const ReportBlock& block : m_content.blocks)
        if (const auto* heading = std::get_if<HeadingBlock>(&block)) {
            ++number;
            if (heading->level == 1)
                m_out += QStringLiteral("<li><a href=\"#s%1\">").arg(number) + escaped(heading->text) +
                         QStringLiteral("</a></li>\n");
        }
    m_out += QStringLiteral("</ul></details></nav>\n");
}

void Html::closeList()
{
    if (m_isInList)
        m_out += QStringLiteral("</ul>\n");
    m_isInList = false;
}

void Html::add(const HeadingBlock& heading)
{
    closeList();
    const int level = heading.level + 1;
    m_out += QStringLiteral("<h%1 id=\"s%2\">").arg(level).arg(++m_headings) + escaped(heading.text) +
             QStringLiteral("</h%1>\n").arg(level);
}

void Html::add(const ParagraphBlock& paragraph)
{
    if (paragraph.kind == ParagraphBlock::Kind::Bullet) {
        m_out += (m_isInList ? QString() : QStringLiteral("<ul>\n")) + QStringLiteral("<li>") +
                 escaped(paragraph.text) + QStringLiteral("</li>\n");
        m_isInList = true;
        return;
    }
    closeList();
    const QString kind = paragraph.kind == ParagraphBlock::Kind::Lead    ? QStringLiteral(" class=\"lead\"")
                         : paragraph.kind == ParagraphBlock::Kind::Small ? QStringLiteral(" class=\"small\"")
                                                                         : QString();
    m_out +=
        QStringLiteral("<p") + kind + QLatin1Char('>') + escaped(paragraph.text) + QStringLiteral("</p>\n");
}

void Html::addRow(const TextTable& table, const QStringList& cells, const char* tag)
{
    const QString opened = QLatin1String(tag) == QLatin1String("th") ? QStringLiteral("<th scope=\"col\"")
                                                                     : QLatin1Char('<') + QLatin1String(tag);
    m_out += QStringLiteral("<tr>");
    for (qsizetype i = 0; i < static_cast<qsizetype>(table.columns.size()); ++i)
        m_out += opened +
                 (table.columns[static_cast<std::size_t>(i)].isNumber ? QStringLiteral(" class=\"n\">")
                                                                      : QStringLiteral(">")) +
                 escaped(cells.value(i)) + QStringLiteral("</") + QLatin1String(tag) + QLatin1Char('>');
    m_out += QStringLiteral("</tr>\n");
}

void Html::add(const TableBlock& block)
{
    closeList();
    const TextTable& table = block.table;
    QStringList titles;
    for (const TextColumn& column : table.columns)
        titles << column.title;
    m_out += QStringLiteral("<div class=\"scroll\"><table>\n");
    if (!table.caption.isEmpty())
        m_out += QStringLiteral("<caption>") + escaped(table.caption) + QStringLiteral("</caption>\n");
    m_out += QStringLiteral("<thead>");
    addRow(table, titles, "th");
    m_out += QStringLiteral("</thead><tbody>\n");
    for (const QStringList& row : table.rows)
        addRow(table, row, "td");
    m_out += QStringLiteral("</tbody></table></div>\n");
    if (!table.note.isEmpty())
        m_out += QStringLiteral("<p class=\"note\">") + escaped(table.note) + QStringLiteral("</p>\n");
}

void Html::add(const FigureBlock& figure)
{
    closeList();
    const auto count = static_cast<double>(figure.plots.size());
    const double titleHeight = figure.titles.isEmpty() ? 0.0 : kFigureTitleHeight;
    PictureOptions options;
    options.size = QSizeF(kTextWidth / count, figure.height - titleHeight).toSize();
    options.decimals = 1; // a tenth of a pixel is nothing that can be seen
    options.namesStudy = false;
    m_out += QStringLiteral("<figure><div class=\"plots\">\n");
    for (std::size_t i = 0; i < figure.plots.size(); ++i) {
        m_out += figure.plots.size() == 1 ? QStringLiteral("<div class=\"plot wide\">")
                                          : QStringLiteral("<div class=\"plot\">");
        if (const QString title = figure.titles.value(static_cast<qsizetype>(i)); !title.isEmpty())
            m_out += QStringLiteral("<h4>") + escaped(title) + QStringLiteral("</h4>");
        m_out += withOwnNames(QString::fromUtf8(renderSvg(*figure.plots[i], options)), ++m_plots) +
                 QStringLiteral("</div>\n");
    }
    m_out += QStringLiteral("</div>");
    if (figure.plots.size() == 1)
        m_out += QStringLiteral("<p class=\"hint\">") + escaped(tr("↔ Swipe sideways to see all of it.")) +
                 QStringLiteral("</p>");
    if (!figure.caption.isEmpty())
        m_out += QStringLiteral("<figcaption>") + escaped(figure.caption) + QStringLiteral("</figcaption>");
    m_out += QStringLiteral("</figure>\n");
}

/// The report as one HTML file that loads nothing and runs nothing: plots as inline SVG, every text of the
/// study escaped, readable on a narrow screen and on paper.
QByteArray renderReportHtml(const ReportContent& content)
{
    return Html(content).write();
}

constexpr int kResolution = 96; ///< fonts and pens of the plots are made for this resolution

bool paintPages(const PrintedReport& report, const ReportOptions& options, QIODevice& device)
{
    QPdfWriter writer(&device);
    writer.setResolution(kResolution);
    writer.setPageSize(paperSize(options));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    painter.setRenderHint(QPainter::LosslessImageRendering);
    for (int page = 0; page < report.pageCount(); ++page) {
        if (page > 0 && !writer.newPage())
            return false;
        report.paint(painter, page);
    }
    return painter.end();
}

/// The report as a PDF document with bookmarks. Throws std::runtime_error when a page cannot be drawn.
QByteArray renderReportPdf(ReportContent content, const ReportOptions& options)
{
    PdfDetails details{content.title, content.author, QStringLiteral("Quadric " QUADRIC_VERSION), {}, {}};
    if (content.isSimulated)
        details.subject = tr("Simulated data, not measured");
    const PrintedReport report(std::move(content), options);
    details.outline = report.outline();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!paintPages(report, options, buffer))
        throw std::runtime_error("a page could not be drawn");
    return withDetails(buffer.data(), details);
}

} // namespace

QString writeReport(const ContextPointer& context, const ReportOptions& options, const QString& path)
{
    try {
        ReportContent content = reportContent(context, options);
        const bool isHtml = path.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive);
        const QByteArray text =
            isHtml ? renderReportHtml(content) : renderReportPdf(std::move(content), options);
        study::writeOutput(path.toStdU16String(), {text.constData(), std::size_t(text.size())});
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

const std::vector<SectionInfo>& reportSections()
{
    static const std::vector<SectionInfo> sections{
        {Section::Summary, "summary", tr("S&ummary")},
        {Section::Question, "question", tr("&Factors and responses")},
        {Section::Design, "design", tr("Design and its qualit&y")},
        {Section::Runs, "runs", tr("&Runs")},
        {Section::Measurement, "measurement", tr("Measureme&nt")},
        {Section::Optimum, "optimum", tr("&Best settings")},
        {Section::Confirmation, "confirmation", tr("&Confirmation")},
        {Section::Planning, "planning", tr("Plann&ing")},
        {Section::Models, "models", tr("&Models")},
        {Section::Plots, "plots", tr("P&lots")},
        {Section::Diagnostics, "diagnostics", tr("&Diagnostics")},
        {Section::Provenance, "provenance", tr("Pr&ovenance")}};
    return sections;
}

const std::vector<ExtentInfo>& reportExtents()
{
    static const std::vector<ExtentInfo> extents{{Extent::Summary, "summary", tr("Summary")},
                                                 {Extent::Engineering, "engineering", tr("Engineering")},
                                                 {Extent::Full, "full", tr("Full")}};
    return extents;
}

const SectionInfo* findSection(std::string_view name)
{
    const auto found = std::ranges::find(reportSections(), name, &SectionInfo::name);
    return found == reportSections().end() ? nullptr : &*found;
}

} // namespace quadric::widgets
