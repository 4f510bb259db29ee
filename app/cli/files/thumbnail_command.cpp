// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/files/drawing.h"
#include "widgets/base/theme.h"
#include "widgets/gallery/study_picture.h"

#include <QBuffer>
#include <QPainter>

#include <memory>
#include <sys/resource.h>

namespace quadric::app {

namespace {

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

void addThumbnail(CommandLine& line)
{
    auto options = std::make_shared<ThumbnailCommand>();
    CLI::App* command =
        line.app.add_subcommand("thumbnail", "Draw a small picture of a study, for file managers");
    command->group(""); // not for people
    command->add_option("study", options->study, "The study")->required()->type_name("STUDY");
    addOutputOption(*command, options->output, "The PNG file to write")->required();
    command->add_option("--size", options->size, "Pixels of a side")
        ->check(CLI::Range(kSmallestThumbnail, kLargestThumbnail))
        ->type_name("N");
    command->callback([&line, options] { drawThumbnail(line, *options); });
}

} // namespace quadric::app
