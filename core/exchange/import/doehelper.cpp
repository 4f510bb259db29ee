// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/doehelper.h"

#include "core/exchange/import/doehelper_config.h"
#include "core/exchange/import/recognize.h"
#include "core/report/findings/data_findings.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

namespace quadric::exchange {

namespace {

/// What one result file of doehelper says about one run.
struct ResultFile {
    std::string name;
    int number = 0; ///< in the file's name; 0: none
    study::Settings settings;
    std::map<std::string, double, std::less<>> results;
};

std::optional<study::Settings> settingsIn(const study::Json& object, const study::Study& study,
                                          std::string& missing);

/// Counts what is left alone, to name each kind of it once.
class IgnoredKeys {
public:
    void note(const std::string& key) { ++m_counts[key]; }
    /// "design_matrix.json: operation and whole_plot_id (15 times) are ignored".
    void tell(const std::string& where, std::vector<std::string>& warnings) const;

private:
    std::map<std::string, int> m_counts;
};

using study::Json;
constexpr std::size_t kMostFiles = 100000;

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

/// Reads the files one after another and remembers what no run takes.
class ResultReader {
public:
    ResultReader(const study::Study& study, std::vector<std::string>& warnings)
        : m_study(study)
        , m_warnings(warnings)
    {
    }

    /// Only a file that names its settings can be bound to a run.
    std::optional<ResultFile> read(const std::filesystem::path& path)
    {
        const std::string name = path.filename().string();
        const std::string text = study::readTextFile(path);
        if (isDoehelperConfig(text))
            return {};
        const Json document = study::parseJson(text, name);
        const Json* parameters = find(document, {"parameters", "factors", "settings"});
        std::string missing = "parameters";
        auto settings = parameters ? settingsIn(*parameters, m_study, missing) : std::nullopt;
        if (!settings) {
            m_warnings.push_back(name + " is ignored: it does not record \"" + missing +
                                 "\", and results are bound by their settings, never by file number");
            return {};
        }
        compareFixed(*parameters, name);
        return ResultFile{.name = name,
                          .number = numberInName(name),
                          .settings = std::move(*settings),
                          .results = resultsIn(document, name)};
    }

    void tellIgnored() const { m_ignored.tell("the result files", m_warnings); }

private:
    std::map<std::string, double, std::less<>> resultsIn(const Json& document, const std::string& name)
    {
        std::map<std::string, double, std::less<>> results;
        for (const study::Response& response : m_study.responses) {
            const Json* value = find(document, {response.name.c_str()});
            const auto number = value ? numberOf(*value) : std::nullopt;
            if (number && std::isfinite(*number))
                results[response.name] = *number;
            else
                m_warnings.push_back(name + ": no number for \"" + response.name + "\"");
        }
        for (const auto& [key, value] : document.items()) {
            const bool isSettings = key == "parameters" || key == "factors" || key == "settings";
            if (!isSettings && !study::findResponse(m_study, key))
                m_ignored.note(key);
        }
        return results;
    }

    /// A result that was measured with other fixed settings does not belong to this experiment.
    void compareFixed(const Json& parameters, const std::string& name)
    {
        for (const auto& [key, value] : parameters.items()) {
            const auto fixed = m_study.fixed.find(key);
            if (study::findFactor(m_study, key))
                continue;
            if (fixed == m_study.fixed.end())
                m_ignored.note("parameters." + key);
            else if (valueOf(value) != fixed->second)
                m_warnings.push_back(name + ": " + key + " is " + study::describe(value) +
                                     ", the configuration fixes " + study::toText(fixed->second));
        }
    }

    const study::Study& m_study;
    std::vector<std::string>& m_warnings;
    IgnoredKeys m_ignored;
};

std::vector<std::filesystem::path> jsonFiles(const std::filesystem::path& folder,
                                             std::vector<std::string>& warnings)
{
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with("design_matrix.json"))
            continue;
        if (!entry.is_regular_file(error) || entry.path().extension() != ".json")
            warnings.push_back(name + " is ignored: no result file (.json)");
        else if (paths.size() < kMostFiles)
            paths.push_back(entry.path());
    }
    if (error)
        throw ImportError(folder.string() + ": " + error.message() + ", expected a folder of result files");
    std::ranges::sort(paths, {}, [](const std::filesystem::path& path) {
        const std::string name = path.filename().string();
        return std::pair(numberInName(name), name);
    });
    return paths;
}

/// The settings of the study's factors among the entries of an object. Empty with the name of the factor in
/// `missing` where one is not there or is no number.
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

void IgnoredKeys::tell(const std::string& where, std::vector<std::string>& warnings) const
{
    if (m_counts.empty())
        return;
    std::vector<std::string> keys;
    for (const auto& [key, count] : m_counts)
        keys.push_back(key + (count > 1 ? " (" + std::to_string(count) + " times)" : std::string()));
    warnings.push_back(where + ": " + text::formatList(keys) + (keys.size() == 1 ? " is" : " are") +
                       " ignored");
}

/// The result files of a folder by the number in their names. Files that cannot be read, that record no
/// settings or lack a response, keys that are no response, and settings that differ from the fixed ones are
/// named in `warnings`. Throws ImportError for a folder that cannot be read.
std::vector<ResultFile> readResults(const std::filesystem::path& folder, const study::Study& study,
                                    std::vector<std::string>& warnings)
{
    ResultReader reader(study, warnings);
    std::vector<ResultFile> results;
    for (const std::filesystem::path& path : jsonFiles(folder, warnings)) {
        try {
            if (auto result = reader.read(path))
                results.push_back(std::move(*result));
        } catch (const study::DocumentError& error) {
            warnings.push_back(std::string(error.what()) + "; the file is ignored");
        }
    }
    reader.tellIgnored();
    return results;
}

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

void attachResult(study::Run& run, ResultFile&& result)
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
    attachResult(*found, std::move(result));
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
