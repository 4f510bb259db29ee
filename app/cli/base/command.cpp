// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/command.h"

#include "core/run/words/records_elsewhere.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>

namespace quadric::app {

namespace {

/// Where no file has this name: what to do, with the study beside it that was probably meant.
std::string describeMissingStudy(const std::string& path)
{
    std::vector<std::string> studies;
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
        if (entry.path().extension() == ".quadric")
            studies.push_back(entry.path().filename().string());
    return path + ": no such file, expected a study" + run::hintAtRecovered(path) + "." +
           text::suggestNearest(std::filesystem::path(path).filename().string(), studies);
}

} // namespace

void addStudyOption(CLI::App& command, StudyOption& option)
{
    command.add_option("study", option.path, "The study file (NAME.quadric)")->required()->type_name("STUDY");
    command.add_flag("--json", option.json, "Print one JSON document instead of tables");
}

study::Study readStudy(const std::string& path)
{
    if (!std::filesystem::exists(path))
        throw study::DocumentError(describeMissingStudy(path));
    study::LoadedStudy loaded = study::loadStudy(path);
    for (const std::string& warning : loaded.warnings)
        warn(warning);
    return std::move(loaded.study);
}

void warn(const std::string& message)
{
    std::cerr << "quadric: warning: " << text::makeVisible(message) << '\n';
}

void requireResponse(const study::Study& study, const std::string& option, const std::string& name)
{
    if (!study::findResponse(study, name))
        throw UsageError(option + ": the study has no response " +
                         text::describeUnknown(name, namesOf(study.responses)));
}

const study::Factor& requireFactor(const study::Study& study, const std::string& option,
                                   const std::string& name)
{
    const study::Factor* factor = study::findFactor(study, name);
    if (!factor)
        throw UsageError(option + ": the study has no factor " +
                         text::describeUnknown(name, namesOf(study.factors)));
    return *factor;
}

std::pair<std::string, std::string> splitAssignment(const std::string& option, const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw UsageError(option + ": \"" + text + "\", expected name=value");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

double readNumber(const std::string& option, const std::string& text)
{
    const std::size_t start = !text.empty() && text.front() == '+' ? 1 : 0;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        throw UsageError(option + ": \"" + text + "\", expected a number");
    return value;
}

int readInteger(const std::string& option, const std::string& text, int least, int most)
{
    const double value = readNumber(option, text);
    if (value != std::floor(value) || value < least || value > most)
        throw UsageError(option + ": " + text + ", expected a whole number from " + std::to_string(least) +
                         " to " + std::to_string(most));
    return static_cast<int>(value);
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most)
{
    const auto complaint = [least, most](const std::string& text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool isWhole = error == std::errc() && end == text.data() + text.size();
        return isWhole && value >= least && value <= most
                   ? std::string()
                   : text + ", expected a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most);
    };
    return {complaint, ""};
}

CLI::Validator oneOf(const std::vector<std::string>& words)
{
    const auto complaint = [words](const std::string& text) {
        const bool isKnown = std::ranges::find(words, text) != words.end();
        return isKnown ? std::string() : text::describeUnknown(text, words);
    };
    return {complaint, "{" + text::joinWords(words, ",") + "}"};
}

study::Value readValue(const study::Factor& factor, const std::string& option, const std::string& text)
{
    if (factor.isNumeric())
        return readNumber(option + " " + factor.name, text);
    if (std::ranges::find(factor.categories, text) != factor.categories.end())
        return text;
    throw UsageError(option + " " + factor.name + ": " + text::describeUnknown(text, factor.categories));
}

study::Settings readAssignments(const study::Study& study, const std::string& option,
                                const std::vector<std::string>& lists)
{
    study::Settings settings;
    for (const std::string& list : lists) {
        for (const std::string& assignment : split(list, ',')) {
            const auto [name, text] = splitAssignment(option, assignment);
            const study::Value value = readValue(requireFactor(study, option, name), option, text);
            if (!settings.emplace(name, value).second)
                throw UsageError(option + " " + name + ": given twice, expected one value for each factor");
        }
    }
    return settings;
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
        end = text.find(separator, start);
        parts.push_back(text.substr(start, end == std::string::npos ? end : end - start));
    }
    return parts;
}

} // namespace quadric::app
