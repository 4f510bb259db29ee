// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/output_option.h"
#include "app/cli/output/study_output.h"
#include "core/study/files/file.h"
#include "core/templates/worker_files.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct InitOptions {
    std::string folder;
    bool force = false;
    bool json = false;
};

void makeFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder))
        throw UsageError(folder + ": is no folder and cannot be made one: " + error.message());
}

/// A file that is there with other contents is somebody's work.
void requireFree(const std::filesystem::path& path, std::string_view text, bool force)
{
    const bool isOther = std::filesystem::exists(path) && study::readTextFile(path) != text;
    if (isOther && !force)
        throw UsageError(path.string() +
                         ": there is another file of this name, expected none; --force replaces it");
}

void copyFiles(const InitOptions& options)
{
    makeFolder(options.folder);
    const std::filesystem::path folder = options.folder;
    for (const templates::WorkerFile& file : templates::workerFiles())
        requireFree(folder / file.name, file.text, options.force);
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const templates::WorkerFile& file : templates::workerFiles()) {
        writeOutputFile((folder / file.name).string(), file.text);
        files.push_back((folder / file.name).string());
    }
    if (options.json) {
        printJson({{"files", files}});
        return;
    }
    for (const auto& file : files)
        std::cout << file.get<std::string>() << '\n';
    std::cout
        << "\nquadric_worker.py measures a training loop: copy the lines that are marked in train_gpt.py "
           "into your script, and keep quadric_worker.py beside it.\n";
}

} // namespace

void addWorkload(CommandLine& line)
{
    CLI::App* workload = line.app.add_subcommand("workload", "Prepare your own training job for measurement");
    workload->require_subcommand(1);
    auto options = std::make_shared<InitOptions>();
    CLI::App* init = workload->add_subcommand(
        "init",
        "Copy quadric_worker.py, which measures a Python training loop, and an example into a folder");
    init->add_option("folder", options->folder,
                     "The folder of the training script; made where it is not there")
        ->required()
        ->type_name("DIR");
    init->add_flag("--force", options->force, "Replace files of the same names");
    init->add_flag("--json", options->json, "Print the files as JSON");
    init->callback([options] { copyFiles(*options); });
}

} // namespace quadric::app
