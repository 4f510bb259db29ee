// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/report_content.h"

#include "core/study/document/document.h"
#include "core/study/shown_study.h"
#include "core/text/numbers.h"
#include "widgets/base/page.h"
#include "widgets/gallery/gallery.h"
#include "widgets/plots/base/plot.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/wording.h"

#include <QCryptographicHash>
#include <QDate>
#include <QLocale>

namespace quadric::widgets {

namespace {

using Add = void (*)(BlockList&, const ReportSource&);
using AddOfFit = void (*)(BlockList&, const ReportSource&, const model::Fit&);

QString hashStudyText(const study::Study& study)
{
    const std::string text = study::writeStudy(study);
    const auto bytes = QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
    return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

} // namespace

FigureBlock ReportSource::titled(const std::vector<std::string>& plots, double height, const QString& caption,
                                 double lowest) const
{
    FigureBlock figure{{}, {}, height, caption, lowest};
    for (const std::string& id : plots) {
        figure.plots.push_back(gallery.plot({id}));
        figure.titles << findView(plotKinds(), id)->title;
    }
    return figure;
}

struct ReportWriter::Parts {
    using Part = std::function<void()>;

    Parts(const ContextPointer& context, const ReportOptions& chosen);

    QString name; ///< of the study, as it is
    ReportOptions options;
    ContextPointer shown;
    Gallery gallery;
    ReportSource source;
    BlockList blocks;
    std::vector<Part> parts;
    std::size_t next = 0;

    void add(Add part)
    {
        parts.emplace_back([this, part] { part(blocks, source); });
    }
    void add(Section section, Add part)
    {
        if (options.shows(section))
            add(part);
    }
    void addModels();
};

ReportWriter::Parts::Parts(const ContextPointer& context, const ReportOptions& chosen)
    : name(QString::fromStdString(context->study.name))
    , options(chosen)
    , shown(withDisplayNames(context))
    , gallery(shown)
    , source{*shown,
             options,
             gallery,
             gallery.best(),
             optimize::confirmationVerdicts(shown->study, shown->fits),
             hashStudyText(context->stored ? *context->stored : context->study)}
{
    add(&addTitle);
    add(Section::Summary, &addSummary);
    if (options.extent == Extent::Summary) {
        add(&addStepsAndPictures);
        return;
    }
    add(Section::Question, &addQuestion);
    add(Section::Design, &addDesign);
    add(Section::Runs, &addRuns);
    add(Section::Measurement, &addMeasurement);
    add(Section::Optimum, &addOptimum);
    add(Section::Confirmation, &addConfirmation);
    add(Section::Planning, &addPlan);
    addModels();
    add(Section::Provenance, &addProvenance);
}

void ReportWriter::Parts::addModels()
{
    static const std::vector<AddOfFit> kFull{&addModel, &addEffectPlots, &addSurfaces, &addDiagnostics};
    static const std::vector<AddOfFit> kBrief{&addModelInBrief};
    if (!options.shows(Section::Models) && !options.shows(Section::Plots) &&
        !options.shows(Section::Diagnostics))
        return;
    if (options.extent == Extent::Engineering)
        add(Section::Models, &addCoefficients);
    for (const model::Fit& fit : shown->fits)
        for (const AddOfFit part : options.extent == Extent::Full ? kFull : kBrief)
            parts.emplace_back([this, part, &fit] { part(blocks, source, fit); });
}

ReportWriter::ReportWriter(const ContextPointer& context, const ReportOptions& options)
    : m_parts(std::make_unique<Parts>(context, options))
{
}

ReportWriter::~ReportWriter() = default;

bool ReportWriter::writePart()
{
    if (m_parts->next == m_parts->parts.size())
        return false;
    m_parts->parts[m_parts->next++]();
    return true;
}

ReportContent ReportWriter::take()
{
    constexpr qsizetype kLongestTitle = 160;
    const QString title = m_parts->options.title.isEmpty() ? m_parts->name : m_parts->options.title;
    return {limitToOneLine(title, kLongestTitle), limitToOneLine(m_parts->options.author, kLongestTitle),
            QLocale().toString(QDate::currentDate(), QLocale::LongFormat),
            study::hasSimulatedResults(m_parts->shown->study), m_parts->blocks.take()};
}

ReportContent reportContent(const ContextPointer& context, const ReportOptions& options)
{
    ReportWriter writer(context, options);
    while (writer.writePart()) {
    }
    return writer.take();
}

namespace {

constexpr qsizetype kMostInHeading = 160;
constexpr qsizetype kMostInCell = 400;
constexpr qsizetype kMostInParagraph = 2000;
constexpr qsizetype kMostParagraphs = 200; ///< of one text
constexpr std::size_t kMostRows = 500;     ///< of one table: twelve pages

/// Who needs them all reads them with a program.
void leaveFirstRows(TextTable& table)
{
    const std::size_t all = table.rows.size();
    if (all <= kMostRows)
        return;
    table.rows.resize(kMostRows);
    const auto count = [](std::size_t rows) {
        return QString::fromStdString(text::formatDecimals(static_cast<double>(rows), 0));
    };
    table.note +=
        (table.note.isEmpty() ? QString() : QStringLiteral(" ")) +
        tr("The first %1 of %2 rows: export the study for all of them.").arg(count(kMostRows), count(all));
}

} // namespace

QString limitToOneLine(const QString& text, qsizetype most)
{
    const auto shown = [](const QString& part) {
        return QString::fromStdString(
            study::shownText(part.toStdString(), static_cast<std::size_t>(part.size())));
    };
    if (text.size() <= most)
        return shown(text);
    return tr("%1… (%2 more characters)").arg(shown(text.left(most))).arg(text.size() - most);
}

void BlockList::heading(const QString& text, int level, bool startsPage)
{
    m_blocks.push_back(HeadingBlock{limitToOneLine(text, kMostInHeading), level, startsPage});
}

void BlockList::headingOnTop(const QString& text)
{
    m_blocks.push_back(HeadingBlock{.text = limitToOneLine(text, kMostInHeading), .isOnTop = true});
}

void BlockList::paragraph(const QString& text, ParagraphBlock::Kind kind)
{
    const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : lines.mid(0, kMostParagraphs))
        m_blocks.push_back(ParagraphBlock{limitToOneLine(line, kMostInParagraph), kind, false});
}

void BlockList::bullets(const QStringList& texts)
{
    for (const QString& text : texts)
        paragraph(text, ParagraphBlock::Kind::Bullet);
}

void BlockList::introduction(const QString& text)
{
    m_blocks.push_back(
        ParagraphBlock{limitToOneLine(text, kMostInParagraph), ParagraphBlock::Kind::Small, true});
}

void BlockList::answer(const QString& text)
{
    m_blocks.push_back(
        ParagraphBlock{limitToOneLine(text, kMostInParagraph), ParagraphBlock::Kind::Plain, true});
}

void BlockList::table(TextTable table)
{
    if (table.rows.empty())
        return;
    leaveFirstRows(table);
    table.caption = limitToOneLine(table.caption, kMostInHeading);
    table.note = limitToOneLine(table.note, kMostInParagraph);
    for (TextColumn& column : table.columns)
        column.title = limitToOneLine(column.title, kMostInHeading);
    for (QStringList& row : table.rows)
        for (QString& cell : row)
            cell = limitToOneLine(cell, kMostInCell);
    m_blocks.push_back(TableBlock{std::move(table)});
}

void BlockList::figure(FigureBlock figure)
{
    if (figure.plots.empty())
        return;
    for (QString& title : figure.titles)
        title = limitToOneLine(title, kMostInHeading);
    figure.caption = limitToOneLine(figure.caption, kMostInCell);
    m_blocks.push_back(std::move(figure));
}

} // namespace quadric::widgets
