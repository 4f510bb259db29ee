// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/design_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace quadric::study {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
constexpr std::array<std::string_view, 4> kAlphaWords = {"rotatable", "face", "orthogonal", "practical"};
constexpr int kLeastResolution = 3;

char capital(char letter)
{
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// "D=AB" or "E=-ACD".
bool hasGeneratorForm(std::string_view text)
{
    if (text.size() < 3 || !factorOfLetter(text[0]) || text[1] != '=')
        return false;
    std::string_view word = text.substr(2);
    if (word.front() == '-' || word.front() == '+')
        word.remove_prefix(1);
    return !word.empty() && std::all_of(word.begin(), word.end(),
                                        [](char letter) { return factorOfLetter(letter).has_value(); });
}

} // namespace

char letterOf(std::size_t factor)
{
    return factor < kLetters.size() ? kLetters[factor] : '?';
}

std::optional<std::size_t> factorOfLetter(char letter)
{
    const std::size_t at = kLetters.find(capital(letter));
    return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

std::optional<double> alphaNumber(std::string_view alpha)
{
    double number = 0.0;
    const auto [end, error] = std::from_chars(alpha.data(), alpha.data() + alpha.size(), number);
    const bool isNumber = error == std::errc() && end == alpha.data() + alpha.size() && std::isfinite(number);
    return isNumber && number > 0.0 ? std::optional(number) : std::nullopt;
}

std::vector<SpecProblem> problemsOf(const DesignSpec& spec)
{
    std::vector<SpecProblem> problems;
    const auto atLeast = [&](const char* key, int value, int least) {
        if (value < least)
            problems.push_back(
                {key, std::to_string(value) + ", expected " + std::to_string(least) + " or more"});
    };
    atLeast("center_runs", spec.centerRuns, 0);
    atLeast("replicates", spec.replicates, 1);
    atLeast("blocks", spec.blocks, 1);
    atLeast("runs", spec.runs, 0);
    if (spec.resolution != 0 && spec.resolution < kLeastResolution)
        problems.push_back({"resolution", std::to_string(spec.resolution) +
                                              ", expected 3 or more, or 0 for the design's own choice"});
    if (!spec.alpha.empty() && std::ranges::find(kAlphaWords, spec.alpha) == kAlphaWords.end() &&
        !alphaNumber(spec.alpha))
        problems.push_back(
            {"alpha",
             "\"" + spec.alpha + "\", expected rotatable, face, orthogonal, practical or a number above 0"});
    for (const std::string& generator : spec.generators) {
        if (!hasGeneratorForm(generator))
            problems.push_back(
                {"generators", "\"" + generator +
                                   "\", expected a letter, = and a product of letters such as D=AB "
                                   "(factors are A, B, C … without I)"});
    }
    if (spec.digits && (*spec.digits < 0 || *spec.digits > kMostDigits))
        problems.push_back({"digits", std::to_string(*spec.digits) + ", expected 0 to " +
                                          std::to_string(kMostDigits) + ", 0 for levels as found"});
    for (const auto& [name, count] : spec.levels)
        atLeast(("levels." + name).c_str(), count, 2);
    return problems;
}

DesignSpec withDefaults(const DesignSpec& spec)
{
    DesignSpec fresh;
    fresh.seed = spec.seed;
    fresh.unknown = spec.unknown;
    return fresh;
}

} // namespace quadric::study
