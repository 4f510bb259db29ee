// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"

#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

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

template <class Item> const Item* findNamed(const std::vector<Item>& items, std::string_view name)
{
    const auto found = std::ranges::find(items, name, &Item::name);
    return found == items.end() ? nullptr : &*found;
}

template <class Runs> auto findById(Runs& runs, int id) -> decltype(runs.data())
{
    const auto usual = static_cast<std::size_t>(id) - 1;
    if (usual < runs.size() && runs[usual].id == id)
        return &runs[usual];
    const auto found = std::ranges::find(runs, id, &Run::id);
    return found == runs.end() ? nullptr : &*found;
}

int blockForNewRuns(const Study& study)
{
    int last = 1;
    for (const Run& run : study.runs)
        last = std::max(last, run.block);
    const bool hasBegun = std::ranges::any_of(
        study.runs, [last](const Run& run) { return run.block == last && run.status != RunStatus::Pending; });
    return last > 1 && hasBegun ? last + 1 : last;
}

constexpr std::string_view kBoxCox = "boxcox:";

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

std::vector<SpecProblem> checkDesignSpec(const DesignSpec& spec)
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

const Factor* findFactor(const Study& study, std::string_view name)
{
    return findNamed(study.factors, name);
}

const Response* findResponse(const Study& study, std::string_view name)
{
    return findNamed(study.responses, name);
}

const Factor* rankFactorOf(const Study& study)
{
    constexpr auto kNames =
        std::to_array<std::string_view>({"ranks", "gpus", "gpu_count", "num_gpus", "n_gpus", "ngpus", "nproc",
                                         "nproc_per_node", "world_size"});
    const auto bound = std::ranges::find(study.factors, "ranks", &Factor::binds);
    if (bound != study.factors.end())
        return &*bound;
    const auto named = std::ranges::find_if(study.factors, [&](const Factor& factor) {
        return factor.isNumeric() && std::ranges::find(kNames, factor.name) != kNames.end();
    });
    return named == study.factors.end() ? nullptr : &*named;
}

const Run* findRun(const Study& study, int id)
{
    return findById(study.runs, id);
}

Run* findRun(Study& study, int id)
{
    return findById(study.runs, id);
}

RunIndex::RunIndex(const Study& study)
    : m_study(study)
{
    m_positions.reserve(study.runs.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        m_positions.emplace(study.runs[i].id, i);
}

const Run* RunIndex::find(int id) const
{
    const auto position = findPosition(id);
    return position ? &m_study.runs[*position] : nullptr;
}

std::optional<std::size_t> RunIndex::findPosition(int id) const
{
    const auto found = m_positions.find(id);
    return found == m_positions.end() ? std::nullopt : std::optional(found->second);
}

Study withRuns(Study study, const std::vector<Settings>& settings, RunKind kind)
{
    const int block = blockForNewRuns(study);
    int id = largestRunId(study);
    int order = 0;
    for (const Run& run : study.runs)
        order = std::max(order, run.order);
    for (const Settings& each : settings) {
        Run run;
        run.id = ++id;
        run.order = ++order;
        run.kind = kind;
        run.block = block;
        run.settings = each;
        study.runs.push_back(std::move(run));
    }
    return study;
}

std::vector<const Run*> inRunOrder(const Study& study)
{
    std::vector<const Run*> runs;
    runs.reserve(study.runs.size());
    for (const Run& run : study.runs)
        runs.push_back(&run);
    std::stable_sort(runs.begin(), runs.end(), [](const Run* a, const Run* b) {
        return std::tie(a->order, a->id) < std::tie(b->order, b->id);
    });
    return runs;
}

int countRuns(const Study& study, RunStatus status)
{
    return static_cast<int>(std::ranges::count(study.runs, status, &Run::status));
}

bool hasSimulatedResults(const Study& study)
{
    return std::any_of(study.runs.begin(), study.runs.end(), [](const Run& run) {
        return run.status == RunStatus::Done && run.provenance.source == Source::Simulated;
    });
}

std::string nameOf(const Transform& transform)
{
    if (transform.kind == TransformKind::BoxCox)
        return std::string(kBoxCox) + toText(transform.lambda);
    return std::string(nameOf(transform.kind));
}

std::optional<Transform> transformFrom(std::string_view text)
{
    if (const auto kind = valueNamed<TransformKind>(text))
        return Transform{*kind, 1.0};
    if (!text.starts_with(kBoxCox))
        return std::nullopt;
    text.remove_prefix(kBoxCox.size());
    double lambda = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lambda);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(lambda))
        return std::nullopt;
    return Transform{TransformKind::BoxCox, lambda};
}

} // namespace quadric::study
