// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/doehelper_results.h"

#include "core/exchange/import/doehelper.h"
#include "core/exchange/import/doehelper_config.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace quadric::exchange {

namespace {

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

std::string otherFixed(const std::string& name, const std::string& key, const Json& value,
                       const study::Value& fixed)
{
    return name + ": " + key + " is " + study::describe(value) + ", the configuration fixes " +
           study::toText(fixed);
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
                m_warnings.push_back(otherFixed(name, key, value, fixed->second));
        }
    }

    const study::Study& m_study;
    std::vector<std::string>& m_warnings;
    IgnoredKeys m_ignored;
};

/// True for the files beside the results that hold none: configurations and design matrices.
bool isDesignMatrix(const std::filesystem::path& path)
{
    return path.filename().string().ends_with("design_matrix.json");
}

std::vector<std::filesystem::path> jsonFiles(const std::filesystem::path& folder,
                                             std::vector<std::string>& warnings)
{
    std::vector<std::filesystem::path> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (isDesignMatrix(entry.path()))
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

} // namespace

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

} // namespace quadric::exchange
