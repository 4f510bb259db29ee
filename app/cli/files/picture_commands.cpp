// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/command.h"
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/output/study_output.h"
#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/report/table.h"
#include "core/run/words/run_files.h"
#include "core/study/files/journal.h"
#include "core/study/shown_study.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "widgets/base/page.h"
#include "widgets/base/theme.h"
#include "widgets/gallery/gallery.h"
#include "widgets/gallery/study_pictures.h"
#include "widgets/report/document/report.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QPainter>

#include <algorithm>
#include <array>
#include <clocale>
#include <filesystem>
#include <iostream>
#include <memory>

#include <sys/resource.h>

namespace quadric::app {

namespace {

/// What has to be there before anything can be drawn: fonts and the theme of the window, but no display.
class Drawing {
public:
    explicit Drawing(CommandLine& line)
    {
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
        m_application = std::make_unique<QApplication>(line.argc, line.argv);
        std::setlocale(LC_NUMERIC, "C");
        widgets::applyTheme(*m_application, widgets::ThemeChoice::Light);
    }

private:
    std::unique_ptr<QApplication> m_application;
};

/// The study with its fitted models, as the pages of the window get it.
widgets::ContextPointer contextOf(const std::string& path)
{
    widgets::StudyContext context;
    context.stored = std::make_shared<const study::Study>(readStudy(path));
    context.study = model::withChosenModels(*context.stored);
    context.fits = optimize::fitForGoals(context.study);
    context.path = path;
    context.isRunning = study::lockOwner(path).has_value();
    return std::make_shared<const widgets::StudyContext>(std::move(context));
}

constexpr std::array<const char*, 3> kEndings = {"svg", "pdf", "png"};
constexpr int kSmallestSide = 100, kLargestSide = 8000; ///< logical pixels
constexpr double kSmallestScale = 0.1, kLargestScale = 8.0;

struct PlotCommand {
    StudyOption study;
    bool isListed = false;
    OutputOption output;
    std::string kind, folder, format = "svg";
    std::vector<std::string> responses, factors, at;
    int run = 0;
    std::string size, scale, theme = "light";
};

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

std::string subjectText(widgets::ViewSubject subject)
{
    switch (subject) {
    case widgets::ViewSubject::Run:
        return "one run";
    case widgets::ViewSubject::Response:
        return "one response";
    case widgets::ViewSubject::TwoResponses:
        return "two responses";
    case widgets::ViewSubject::Study:
        break;
    }
    return "the study";
}

void listKinds(bool asJson)
{
    if (asJson) {
        Json kinds = Json::array();
        for (const widgets::ViewKind& kind : widgets::plotKinds())
            kinds.push_back({{"kind", kind.id},
                             {"title", kind.title.toStdString()},
                             {"page", kind.page},
                             {"about", subjectText(kind.subject)},
                             {"factors", kind.axes}});
        printJson({{"plots", kinds}});
        return;
    }
    constexpr auto kText = report::ColumnKind::Text;
    report::Table table{.columns = {{"kind", {}, kText},
                                    {"page", {}, kText},
                                    {"about", {}, kText},
                                    {"factors", {}},
                                    {"title", {}, kText}}};
    for (const widgets::ViewKind& kind : widgets::plotKinds())
        table.rows.push_back({kind.id, kind.page, subjectText(kind.subject), static_cast<int>(kind.axes),
                              kind.title.toStdString()});
    std::cout << renderTerminal(table);
}

QSize sizeFrom(const std::string& option)
{
    if (option.empty())
        return {};
    const std::vector<std::string> sides = split(option, 'x');
    if (sides.size() != 2)
        throw UsageError("--size: \"" + option + "\", expected WIDTHxHEIGHT in pixels, such as 840x560");
    return {readInteger("--size", sides[0], kSmallestSide, kLargestSide),
            readInteger("--size", sides[1], kSmallestSide, kLargestSide)};
}

std::optional<double> scaleFrom(const std::string& option)
{
    if (option.empty())
        return {};
    const double scale = readNumber("--scale", option);
    if (scale < kSmallestScale || scale > kLargestScale)
        throw UsageError("--scale: \"" + option + "\", expected a number from 0.1 to 8");
    return scale;
}

widgets::PictureOptions pictureOptions(const PlotCommand& command)
{
    return {sizeFrom(command.size), scaleFrom(command.scale),
            command.theme == "dark" ? widgets::ThemeChoice::Dark : widgets::ThemeChoice::Light};
}

/// "svg" of "a/b.SVG". Throws UsageError for endings that no picture has.
std::string endingOf(const std::string& path)
{
    std::string ending = std::filesystem::path(path).extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char letter) { return std::tolower(letter); });
    if (ending.size() < 2 || std::ranges::find(kEndings, ending.substr(1)) == kEndings.end())
        throw UsageError("-o: \"" + path + "\", expected a name that ends in .svg, .pdf or .png");
    return ending.substr(1);
}

std::vector<std::string> saveOne(const PlotCommand& command, widgets::Gallery& gallery)
{
    requireReplaceable("-o", command.output.path, endingOf(command.output.path), command.output.force);
    const widgets::PlotRequest request{command.kind, command.responses, command.factors, command.run};
    const auto plot = gallery.plot(request);
    if (const std::string why = gallery.explainEmptyPlot(request); !why.empty())
        throw WorkError("nothing to draw in the plot " + command.kind + ": " + why);
    widgets::PictureOptions options = pictureOptions(command);
    if (options.size.isEmpty())
        options.size = widgets::comfortableSize(*plot);
    const QString problem = widgets::savePicture(*plot, text(command.output.path), options);
    if (!problem.isEmpty())
        throw WorkError(problem.toStdString());
    return {command.output.path};
}

/// Before the first file is written.
void requireFolder(const PlotCommand& command, const std::vector<widgets::PlotRequest>& requests)
{
    const QDir folder(text(command.folder));
    if (!folder.mkpath(QStringLiteral(".")))
        throw WorkError("--all: the folder \"" + command.folder + "\" could not be made");
    QStringList taken;
    for (const widgets::PlotRequest& request : requests)
        requireReplaceable(
            "--all",
            folder.filePath(widgets::fileNameFor(request, text(command.format), taken)).toStdString(),
            command.format, command.output.force);
}

std::vector<std::string> saveAll(const PlotCommand& command, widgets::Gallery& gallery)
{
    const std::vector<widgets::PlotRequest> requests = gallery.all();
    if (requests.empty())
        throw WorkError("--all: nothing to draw, the study has neither runs nor results");
    requireFolder(command, requests);
    std::vector<std::string> paths;
    paths.reserve(requests.size());
    QStringList taken;
    for (const widgets::PlotRequest& request : requests)
        paths.push_back(widgets::saveInto(text(command.folder), gallery, request, text(command.format),
                                          pictureOptions(command), taken)
                            .toStdString());
    return paths;
}

void requireTarget(const PlotCommand& command)
{
    if (command.study.path.empty())
        throw UsageError("STUDY: none given, expected a study file");
    if (!command.folder.empty() && !(command.kind.empty() && command.output.path.empty()))
        throw UsageError("--all: beside --kind or -o, expected either one plot or all of them");
    if (command.folder.empty() && command.kind.empty())
        throw UsageError("--kind: none given, expected a kind of plot (--list shows them) or --all FOLDER");
    if (command.folder.empty() && command.output.path.empty())
        throw UsageError("-o: none given, expected the file to write");
}

/// The study with the factors held where the command wants them.
widgets::ContextPointer withHeld(widgets::ContextPointer context, const std::vector<std::string>& at)
{
    if (at.empty())
        return context;
    auto held = std::make_shared<widgets::StudyContext>(*context);
    for (const auto& [name, value] : readAssignments(held->study, "--at", at)) {
        held->study = study::withHeld(std::move(held->study), name, value);
        if (study::readSlice(held->study).at(name) != value)
            throw UsageError("--at " + name + ": " + study::toText(value) +
                             ", expected a value that can be run in the range of the factor");
    }
    return held;
}

void drawPlots(CommandLine& line, const PlotCommand& command)
{
    if (command.isListed)
        return listKinds(command.study.json);
    requireTarget(command);
    pictureOptions(command); // complains before any work is done
    const Drawing drawing(line);
    const auto samples = [&command](int run) {
        return run::RunFiles(command.study.path, run).read().samples;
    };
    widgets::Gallery gallery(withHeld(contextOf(command.study.path), command.at), samples);
    std::vector<std::string> paths;
    try {
        paths = command.folder.empty() ? saveOne(command, gallery) : saveAll(command, gallery);
    } catch (const widgets::PlotError& error) {
        throw UsageError(error.what());
    }
    if (command.study.json)
        return printJson({{"plots", paths}});
    for (const std::string& path : paths)
        std::cout << path << '\n';
}

Completion offerKinds()
{
    return candidatesOf(widgets::plotKinds(), [](const widgets::ViewKind& kind) {
        return Candidate{kind.id, kind.title.toStdString()};
    });
}

void addPlotOptions(Command& app, PlotCommand& command)
{
    app.option("study", command.study.path, Kind::studyFile(), "STUDY", "The study");
    app.flag("--json", command.study.json, "One JSON document on standard output");
    app.flag("--list", command.isListed, "List the kinds of plots");
    app.option("--kind", command.kind, Kind::suggested(offerKinds), "KIND",
               "Which plot; --list shows the kinds");
    app.option("--response", command.responses, Kind::listOf(Kind::response()), "R",
               "The response; Pareto front: the two responses")
        .withCommas();
    app.option("--factors", command.factors, Kind::listOf(Kind::factor()), "A,B",
               "The factors on the axes, where they can be chosen")
        .withCommas();
    app.option("--at", command.at, Kind::settings(), "F=V",
               "Where factors are held that the plot of a model does not show; otherwise as in the window");
    app.option("--run", command.run, Kind::run(), "N",
               "The run, for plots about one; the last one that left samples");
    addOutputOption(app, command.output, "The file to write: .svg, .pdf or .png");
    app.option("--all", command.folder, Kind::folder(), "FOLDER",
               "Write every plot that has something to show into this folder");
    app.option("--format", command.format, Kind::oneOf({"svg", "pdf", "png"}), "TEXT",
               "Kind of the files that --all writes")
        .showDefault();
    app.option("--size", command.size, Kind::freeText(), "WxH", "Pixels, 96 to the inch");
    app.option("--scale", command.scale, Kind::number(), "S",
               "PNG: dots per pixel (2); SVG and PDF: magnification (1); 0.1 to 8");
    app.option("--theme", command.theme, Kind::oneOf({"light", "dark"}), "TEXT", "Colors").showDefault();
}

struct ReportCommand {
    StudyOption study;
    OutputOption output;
    std::string preset, page = "a4", title, author;
    bool letter = false;
    std::vector<std::string> sections, without;
};

widgets::Section sectionNamed(const std::string& option, const std::string& name)
{
    if (const widgets::SectionInfo* info = widgets::findSection(name))
        return info->section;
    throw UsageError(option + ": " + text::describeUnknown(name, namesOf(widgets::reportSections())));
}

/// The one asked for; without one the summary, and everything where sections were chosen.
widgets::Extent extentOf(const ReportCommand& command)
{
    const bool hasSections = !command.sections.empty() || !command.without.empty();
    if (command.preset.empty())
        return hasSections ? widgets::Extent::Full : widgets::Extent::Summary;
    const widgets::Extent extent =
        std::ranges::find(widgets::reportExtents(), command.preset, &widgets::ExtentInfo::name)->extent;
    if (extent == widgets::Extent::Summary && hasSections)
        throw UsageError("--preset summary has no sections to choose; expected --preset engineering or full");
    return extent;
}

/// All sections but those that were asked for, and those that were not wanted.
std::set<widgets::Section> leftOut(const ReportCommand& command)
{
    std::set<widgets::Section> without;
    if (!command.sections.empty())
        for (const widgets::SectionInfo& info : widgets::reportSections())
            without.insert(info.section);
    for (const std::string& name : command.sections)
        without.erase(sectionNamed("--sections", name));
    for (const std::string& name : command.without)
        without.insert(sectionNamed("--without", name));
    return without;
}

std::string sectionNames()
{
    return text::joinWords(namesOf(widgets::reportSections()));
}

void requireFileName(const OutputOption& output)
{
    const std::string ending = std::filesystem::path(output.path).extension().string();
    if (ending != ".pdf" && ending != ".html")
        throw UsageError("-o: \"" + output.path + "\", expected a name that ends in .pdf or .html");
    requireReplaceable("-o", output.path, ending.substr(1), output.force);
}

void writeReportFile(CommandLine& line, const ReportCommand& command)
{
    requireFileName(command.output);
    const widgets::ReportOptions options{
        extentOf(command), leftOut(command), command.letter || command.page == "letter",
        QString::fromStdString(command.title), QString::fromStdString(command.author)};
    const Drawing drawing(line);
    const QString problem = widgets::writeReport(contextOf(command.study.path), options,
                                                 QString::fromStdString(command.output.path));
    if (!problem.isEmpty())
        throw WorkError(problem.toStdString());
    if (command.study.json)
        printJson({{"report", command.output.path}});
    else
        std::cout << command.output.path << '\n';
}

struct ThumbnailCommand {
    std::string study;
    OutputOption output;
    int size = 256;
};

constexpr int kSmallestThumbnail = 16, kLargestThumbnail = 1024; ///< pixels
constexpr rlim_t kMostSeconds = 10; ///< of computing; the file manager shows the icon of the type then

/// Files that nobody has opened yet are drawn here, so that one made to take for ever must not.
void limitComputing()
{
    const rlimit limit{kMostSeconds, kMostSeconds};
    ::setrlimit(RLIMIT_CPU, &limit);
}

void drawThumbnail(CommandLine& line, const ThumbnailCommand& command)
{
    limitComputing();
    requireReplaceable("-o", command.output.path, "png", command.output.force);
    const study::Study study = study::loadStudy(command.study).study;
    const Drawing drawing(line);
    const QPalette palette = widgets::lightPalette();
    const QSize size(command.size, command.size);
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(palette.color(QPalette::Base));
    QPainter painter(&image);
    painter.drawPixmap(0, 0, widgets::studyPicture(study, size, 1.0, palette));
    painter.setPen(palette.color(QPalette::Mid));
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1));
    painter.end();
    QBuffer picture;
    picture.open(QIODevice::WriteOnly);
    image.save(&picture, "PNG");
    writeOutputFile(command.output.path, picture.data().toStdString());
}

} // namespace

void addPlot(CommandLine& line)
{
    auto options = std::make_shared<PlotCommand>();
    Command& command = line.program.addCommand("plot", "Draw any plot of the window into a file");
    addPlotOptions(command, *options);
    command.whenCalled([&line, options] { drawPlots(line, *options); });
}

void addReport(CommandLine& line)
{
    auto options = std::make_shared<ReportCommand>();
    Command& command = line.program.addCommand("report", "Write the report of a study");
    addStudyOption(command, options->study);
    addOutputOption(command, options->output, "The file to write: .pdf or .html").required();
    command.option("--preset", options->preset, Kind::oneOf(namesOf(widgets::reportExtents())), "TEXT",
                   "How much it says: the answer on two pages (default), a page per response, or everything "
                   "(default with chosen sections)");
    command.option("--page", options->page, Kind::oneOf({"a4", "letter"}), "TEXT", "Paper of a PDF")
        .showDefault();
    command.flag("--letter", options->letter, "The same as --page letter");
    command
        .option("--sections", options->sections,
                Kind::listOf(Kind::suggested(namesOf(widgets::reportSections()))), "NAME",
                "Only these sections: " + sectionNames())
        .withCommas();
    command
        .option("--without", options->without,
                Kind::listOf(Kind::suggested(namesOf(widgets::reportSections()))), "NAME",
                "All sections but these")
        .withCommas();
    command.option("--title", options->title, Kind::freeText(), "TEXT", "Instead of the study's name");
    command.option("--author", options->author, Kind::freeText(), "TEXT", "Who is named in the document");
    command.whenCalled([&line, options] { writeReportFile(line, *options); });
}

void addThumbnail(CommandLine& line)
{
    auto options = std::make_shared<ThumbnailCommand>();
    Command& command =
        line.program.addCommand("thumbnail", "Draw a small picture of a study, for file managers");
    command.hide(); // not for people
    command.option("study", options->study, Kind::studyFile(), "STUDY", "The study").required();
    addOutputOption(command, options->output, "The PNG file to write").required();
    command.option("--size", options->size, Kind::pixels(kSmallestThumbnail, kLargestThumbnail), "N",
                   "Pixels of a side");
    command.whenCalled([&line, options] { drawThumbnail(line, *options); });
}

} // namespace quadric::app
