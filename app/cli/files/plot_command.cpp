// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/files/drawing.h"
#include "app/cli/output/study_output.h"
#include "core/report/table_text.h"
#include "core/run/words/run_files.h"
#include "core/study/slice.h"
#include "widgets/gallery/gallery_files.h"
#include "widgets/gallery/view_registry.h"

#include <QDir>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

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
    if (const std::string why = gallery.whyNothing(request); !why.empty())
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
        if (study::sliceOf(held->study).at(name) != value)
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

void addPlotOptions(CLI::App& app, PlotCommand& command)
{
    app.add_option("study", command.study.path, "The study")->type_name("STUDY");
    app.add_flag("--json", command.study.json, "One JSON document on standard output");
    app.add_flag("--list", command.isListed, "List the kinds of plots");
    app.add_option("--kind", command.kind, "Which plot; --list shows the kinds")->type_name("KIND");
    app.add_option("--response", command.responses, "The response; Pareto front: the two responses")
        ->delimiter(',')
        ->type_name("R");
    app.add_option("--factors", command.factors, "The factors on the axes, where they can be chosen")
        ->delimiter(',')
        ->type_name("A,B");
    app.add_option(
           "--at", command.at,
           "Where factors are held that the plot of a model does not show; otherwise as in the window")
        ->type_name("F=V");
    app.add_option("--run", command.run, "The run, for plots about one; the last one that left samples")
        ->check(CLI::PositiveNumber)
        ->type_name("N");
    addOutputOption(app, command.output, "The file to write: .svg, .pdf or .png");
    app.add_option("--all", command.folder, "Write every plot that has something to show into this folder")
        ->type_name("FOLDER");
    app.add_option("--format", command.format, "Kind of the files that --all writes")
        ->check(oneOf({"svg", "pdf", "png"}))
        ->capture_default_str();
    app.add_option("--size", command.size, "Pixels, 96 to the inch")->type_name("WxH");
    app.add_option("--scale", command.scale,
                   "PNG: dots per pixel (2); SVG and PDF: magnification (1); 0.1 to 8")
        ->type_name("S");
    app.add_option("--theme", command.theme, "Colors")
        ->check(oneOf({"light", "dark"}))
        ->capture_default_str();
}

} // namespace

void addPlot(CommandLine& line)
{
    auto options = std::make_shared<PlotCommand>();
    CLI::App* command = line.app.add_subcommand("plot", "Draw any plot of the window into a file");
    addPlotOptions(*command, *options);
    command->callback([&line, options] { drawPlots(line, *options); });
}

} // namespace quadric::app
