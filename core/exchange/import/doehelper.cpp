// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/doehelper.h"

#include "core/exchange/import/doehelper_config.h"
#include "core/exchange/import/doehelper_results.h"
#include "core/exchange/import/recognize.h"
#include "core/report/findings/data_findings.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace quadric::exchange {

namespace {

using study::Json;

/// Settings that are this near, relative to the factor's range, are the same.
constexpr double kSameSetting = 1e-9;
constexpr double kMostBlocks = 1e6;

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

void noteOthers(const Json& object, const std::set<std::string>& known, IgnoredKeys& ignored)
{
    for (const auto& [key, value] : object.items()) {
        if (!known.contains(key))
            ignored.note(key);
    }
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
    IgnoredKeys ignored;
    noteOthers(matrix, {"runs", "factor_names"}, ignored);
    for (const Json& entry : *runs) {
        noteOthers(entry, {"run_id", "block_id", "factor_values", "factors", "settings"}, ignored);
        study::Run run;
        run.id = run.order = static_cast<int>(imported.study.runs.size()) + 1;
        std::string missing;
        const Json* values = find(entry, {"factor_values", "factors", "settings"});
        auto settings = values ? settingsIn(*values, imported.study, missing) : std::nullopt;
        if (!settings)
            throw ImportError(path.string() + ": run " + std::to_string(run.id) + ": no value of \"" +
                              missing + "\", expected one for every factor");
        run.settings = std::move(*settings);
        if (const Json* block = find(entry, {"block_id"}))
            run.block = static_cast<int>(std::clamp(numberOf(*block).value_or(1.0), 1.0, kMostBlocks));
        imported.study.runs.push_back(std::move(run));
    }
    ignored.tell(path.filename().string(), imported.warnings);
}

void give(study::Run& run, ResultFile&& result)
{
    run.results = std::move(result.results);
    run.status = run.results.empty() ? study::RunStatus::Pending : study::RunStatus::Done;
    run.provenance.source = study::Source::Imported;
    run.provenance.file = result.name;
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

/// A run may have a level that its factor does not have.
RecognizedDesign recognizeIn(const std::filesystem::path& config, const study::Study& study)
{
    try {
        return recognize(study);
    } catch (const std::invalid_argument& error) {
        throw study::DocumentError(config.string() + ": runs: " + error.what());
    }
}

} // namespace

bool isDoehelperConfig(std::string_view text)
{
    try {
        const Json config = study::parseJson(text, "configuration");
        const Json* factors = find(config, {"factors"});
        return factors && factors->is_array() && !factors->empty() && !config.contains("quadric") &&
               find(factors->front(), {"levels"}) && config.contains("responses");
    } catch (const study::DocumentError&) {
        return false;
    }
}

ImportedStudy importDoehelper(const std::filesystem::path& config, const std::filesystem::path& results)
{
    ImportedStudy imported;
    const Json document = study::parseJson(study::readTextFile(config), config.string());
    imported.study = readDoehelperConfig(document, config.string(), imported.warnings);
    readMatrix(matrixBeside(config), imported);
    const bool hasMatrix = !imported.study.runs.empty();
    if (!results.empty()) {
        for (ResultFile& result : readResults(results, imported.study, imported.warnings))
            bind(std::move(result), hasMatrix, imported);
    }
    const std::string claimed = imported.study.design.type;
    if (!imported.study.runs.empty()) {
        const RecognizedDesign design = recognizeIn(config, imported.study);
        applyRecognized(imported.study, design);
        if (!claimed.empty() && claimed != design.type)
            imported.warnings.push_back("the configuration says \"" + claimed +
                                        "\", the runs are: " + design.sentence);
    }
    std::ranges::transform(report::findInData(imported.study), std::back_inserter(imported.warnings),
                           &report::Finding::sentence);
    return imported;
}

} // namespace quadric::exchange
