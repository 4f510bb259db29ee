// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/doehelper.h"

#include "core/exchange/doehelper_config.h"
#include "core/exchange/findings.h"
#include "core/exchange/recognise.h"
#include "core/study/document.h"
#include "core/study/file.h"
#include "core/study/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace quadric::exchange {

namespace {

using study::Json;

/// Settings that are this near, relative to the factor's range, are the same.
constexpr double kSameSetting = 1e-9;
constexpr std::size_t kMostFiles = 100000;

/// The settings of the study's factors among the entries of an object. Empty with the name of the factor in
/// `missing` where one is not there or is no number.
std::optional<study::Settings> settingsIn(const Json& object, const study::Study& study, std::string& missing)
{
    study::Settings settings;
    for (const study::Factor& factor : study.factors) {
        missing = factor.name;
        const Json* value = find(object, {factor.name.c_str()});
        if (!value)
            return {};
        if (factor.isNumeric()) {
            const auto number = numberOf(*value);
            if (!number)
                return {};
            settings[factor.name] = *number;
        } else
            settings[factor.name] = study::toText(valueOf(*value));
    }
    return settings;
}

bool isSame(const study::Study& study, const study::Settings& a, const study::Settings& b)
{
    return std::ranges::all_of(study.factors, [&](const study::Factor& factor) {
        if (!factor.isNumeric())
            return a.at(factor.name) == b.at(factor.name);
        const double difference = study::numberOf(a.at(factor.name)) - study::numberOf(b.at(factor.name));
        return std::abs(difference) <= kSameSetting * (factor.high - factor.low);
    });
}

/// "config.json" → "design_matrix.json", "NAME-config.json" → "NAME-design_matrix.json".
std::filesystem::path matrixBeside(const std::filesystem::path& config)
{
    constexpr std::string_view word = "config";
    std::string name = config.filename().string();
    const std::size_t at = name.rfind(word);
    if (at == std::string::npos)
        return config.parent_path() / "design_matrix.json";
    return config.parent_path() / name.replace(at, word.size(), "design_matrix");
}

bool isMatrix(const std::filesystem::path& path)
{
    return path.filename().string().ends_with("design_matrix.json");
}

void readMatrix(const std::filesystem::path& path, ImportedStudy& imported)
{
    const auto text = study::readTextFileIfThere(path);
    if (!text) {
        imported.warnings.push_back("there is no " + path.filename().string() +
                                    " beside the configuration: the runs are those that have results");
        return;
    }
    const Json matrix = study::parseJson(*text, path.string());
    const Json* runs = find(matrix, {"runs"});
    if (!runs || !runs->is_array())
        throw ImportError(path.string() + ": runs is " +
                          (runs ? study::describe(*runs) : std::string("missing")) + ", expected a list");
    for (const Json& entry : *runs) {
        study::Run run;
        run.id = run.order = static_cast<int>(imported.study.runs.size()) + 1;
        std::string missing;
        const Json* values = find(entry, {"factor_values", "factors", "settings"});
        auto settings = values ? settingsIn(*values, imported.study, missing) : std::nullopt;
        if (!settings)
            throw ImportError(path.string() + ": run " + std::to_string(run.id) + ": no value of \"" +
                              missing + "\", expected one for every factor");
        run.settings = std::move(*settings);
        if (const Json* block = find(entry, {"block_id"}); block && numberOf(*block))
            run.block = std::max(1, static_cast<int>(*numberOf(*block)));
        imported.study.runs.push_back(std::move(run));
    }
}

struct ResultFile {
    std::string name;
    int number = 0; ///< in the file's name; 0: none
    study::Settings settings;
    std::map<std::string, double, std::less<>> results;
};

int numberInName(const std::string& name)
{
    const std::size_t last = name.find_last_of("0123456789");
    if (last == std::string::npos)
        return 0;
    const std::size_t before = name.find_last_not_of("0123456789", last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    int number = 0;
    std::from_chars(name.data() + first, name.data() + last + 1, number);
    return number;
}

/// Only a file that names its settings can be bound to a run.
std::optional<ResultFile> readResult(const std::filesystem::path& path, ImportedStudy& imported)
{
    const std::string name = path.filename().string();
    const Json document = study::parseJson(study::readTextFile(path), path.string());
    const Json* parameters = find(document, {"parameters", "factors", "settings"});
    ResultFile result{.name = name, .number = numberInName(name), .settings = {}, .results = {}};
    std::string missing = "parameters";
    auto settings = parameters ? settingsIn(*parameters, imported.study, missing) : std::nullopt;
    if (!settings) {
        imported.warnings.push_back(name + " is ignored: it does not record \"" + missing +
                                    "\", and results are bound by their settings, never by file number");
        return {};
    }
    result.settings = std::move(*settings);
    for (const study::Response& response : imported.study.responses) {
        const Json* value = find(document, {response.name.c_str()});
        const auto number = value ? numberOf(*value) : std::nullopt;
        if (number && std::isfinite(*number))
            result.results[response.name] = *number;
        else
            imported.warnings.push_back(name + ": no number for \"" + response.name + "\"");
    }
    return result;
}

std::vector<ResultFile> readResults(const std::filesystem::path& folder, ImportedStudy& imported)
{
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const bool isResult = entry.is_regular_file(error) && entry.path().extension() == ".json" &&
                              !isDoehelperConfig(study::readTextFile(entry.path())) &&
                              !isMatrix(entry.path());
        if (isResult && paths.size() < kMostFiles)
            paths.push_back(entry.path());
    }
    if (error)
        throw ImportError(folder.string() + ": " + error.message() + ", expected a folder of result files");
    std::ranges::sort(paths, {}, [](const std::filesystem::path& path) {
        const std::string name = path.filename().string();
        return std::pair(numberInName(name), name);
    });
    std::vector<ResultFile> results;
    for (const std::filesystem::path& path : paths) {
        if (auto result = readResult(path, imported))
            results.push_back(std::move(*result));
    }
    return results;
}

void give(study::Run& run, ResultFile&& result)
{
    run.results = std::move(result.results);
    run.status = run.results.empty() ? study::RunStatus::Pending : study::RunStatus::Done;
    run.provenance.source = study::Source::Imported;
    run.provenance.details["file"] = study::toLine(study::OrderedJson(result.name));
}

/// The first run with these settings that has no result yet; the file's own number is preferred among equals.
void bind(ResultFile&& result, bool hasMatrix, ImportedStudy& imported)
{
    study::Study& study = imported.study;
    const auto isFree = [&](const study::Run& run) {
        return run.results.empty() && isSame(study, run.settings, result.settings);
    };
    auto found = std::ranges::find_if(
        study.runs, [&](const study::Run& run) { return run.id == result.number && isFree(run); });
    if (found == study.runs.end())
        found = std::ranges::find_if(study.runs, isFree);
    if (found == study.runs.end()) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = result.settings;
        if (hasMatrix)
            imported.warnings.push_back(result.name +
                                        ": its settings are no free row of the design matrix; it is run " +
                                        std::to_string(run.id));
        study.runs.push_back(run);
        found = std::prev(study.runs.end());
    } else if (result.number > 0 && result.number != found->id)
        imported.warnings.push_back(result.name + ": its settings are those of run " +
                                    std::to_string(found->id) + ", not of run " +
                                    std::to_string(result.number) + "; it is bound by its settings");
    give(*found, std::move(result));
}

} // namespace

bool isDoehelperConfig(std::string_view text)
{
    const Json config = Json::parse(text, nullptr, false);
    const Json* factors = config.is_object() ? find(config, {"factors"}) : nullptr;
    return factors && factors->is_array() && !factors->empty() && !config.contains("quadric") &&
           find(factors->front(), {"levels"}) && config.contains("responses");
}

ImportedStudy importDoehelper(const std::filesystem::path& config, const std::filesystem::path& results)
{
    ImportedStudy imported;
    const Json document = study::parseJson(study::readTextFile(config), config.string());
    imported.study = readDoehelperConfig(document, config.string(), imported.warnings);
    readMatrix(matrixBeside(config), imported);
    const bool hasMatrix = !imported.study.runs.empty();
    if (!results.empty()) {
        for (ResultFile& result : readResults(results, imported))
            bind(std::move(result), hasMatrix, imported);
    }
    const std::string claimed = imported.study.design.type;
    if (!imported.study.runs.empty()) {
        const RecognisedDesign design = recognise(imported.study);
        applyRecognised(imported.study, design);
        if (!claimed.empty() && claimed != design.type)
            imported.warnings.push_back("the configuration says \"" + claimed +
                                        "\", the runs are: " + design.sentence);
    }
    std::ranges::copy(findingsIn(imported.study), std::back_inserter(imported.warnings));
    return imported;
}

} // namespace quadric::exchange
