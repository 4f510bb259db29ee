// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study/typed_study.h"

#include "core/design/base/design_type.h"
#include "core/design/evaluate/offers.h"
#include "core/report/findings/data_findings.h"
#include "core/study/response.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

namespace quadric::app {

namespace {

/// The levels of a discrete or categorical factor stand in place of the low value: "fp32|bf16".
void readLevels(study::Factor& factor, const std::string& option, const std::vector<std::string>& parts)
{
    for (const std::string& level : split(parts[1], '|')) {
        if (factor.type == study::FactorType::Categorical)
            factor.categories.push_back(level);
        else
            factor.levels.push_back(readNumber(option, level));
    }
    if (factor.type == study::FactorType::Discrete) {
        std::ranges::sort(factor.levels);
        factor.low = factor.levels.front();
        factor.high = factor.levels.back();
    }
}

/// Parts such as "multiple_of=8", wherever they stand behind the name; the others keep their order.
std::vector<std::string> takeFacts(std::vector<std::string>& parts)
{
    const auto isFact = [](const std::string& part) {
        return part.starts_with("multiple_of=") || part.starts_with("binds=");
    };
    std::vector<std::string> facts;
    std::ranges::copy_if(parts, std::back_inserter(facts), isFact);
    std::erase_if(parts, isFact);
    return facts;
}

void readFacts(const std::string& option, const std::vector<std::string>& facts, study::Factor& factor)
{
    for (const std::string& fact : facts) {
        const auto [name, value] = splitAssignment(option, fact);
        if (name == "multiple_of")
            factor.multipleOf = readInteger(option + ": multiple_of", value, 1, 1'000'000);
        else if (value == "ranks")
            factor.binds = value;
        else
            throw UsageError(option + ": binds " + text::describeUnknown(value, {"ranks"}));
    }
}

/// The part "bounds=0..100", taken out of the others; without one what is known of the name.
std::optional<study::Bounds> takeBounds(const std::string& option, std::vector<std::string>& parts)
{
    constexpr std::string_view kKey = "bounds=";
    const auto found =
        std::ranges::find_if(parts, [&](const std::string& part) { return part.starts_with(kKey); });
    if (found == parts.end())
        return study::knownBounds(parts.front());
    const std::string value = found->substr(kKey.size());
    parts.erase(found);
    if (value == "none")
        return std::nullopt;
    const auto bounds = study::boundsFrom(value);
    const std::string problem = bounds ? study::problemOf(*bounds) : std::string();
    if (!bounds || !problem.empty())
        throw UsageError(option + ": bounds \"" + value + "\", expected 0..100, 0.. or none" +
                         (problem.empty() ? "" : ": " + problem));
    return bounds;
}

constexpr int kMostPerKind = 10000;
constexpr int kMostLevels = 1000;
constexpr int kMostFactors = 25;

std::string typesText()
{
    return text::joinWords(design::designTypes());
}

constexpr std::string_view kRecommended = "recommended";

/// What --type offers: what the wizard would choose, and every type.
std::vector<std::string> offeredTypes()
{
    std::vector<std::string> types = design::designTypes();
    types.emplace(types.begin(), kRecommended);
    return types;
}

/// What would be left aside without a word otherwise.
void checkSuits(const DesignOptions& options, const std::string& key, const std::string& type)
{
    const std::string option = "--" + key;
    const auto types = design::typesWithKey(key);
    if (options.command->isGiven(option) && std::ranges::find(types, type) == types.end())
        throw UsageError(option + ": means nothing for --type " + type + ", only for " +
                         text::joinWords(types));
}

/// The type's own defaults; only the seed is as good for any type. A study that has no design yet keeps
/// what its file says.
void startFresh(const std::string& type, study::Study& study)
{
    study::DesignSpec& spec = study.design;
    if (!spec.type.empty())
        spec = study::withDefaults(spec);
    if (spec.centerRuns == study::DesignSpec{}.centerRuns)
        spec.centerRuns = design::usualCenterRuns(study, type);
    spec.type = type;
}

design::DesignOffer findRecommendedFor(const study::Study& study)
{
    const std::vector<design::DesignOffer> offers = design::offersFor(study);
    const design::DesignOffer* found = design::findRecommended(offers);
    if (found == nullptr)
        throw UsageError("--type recommended: no design suits these factors" +
                         (offers.empty() ? std::string() : ": " + offers.front().whyNot));
    return *found;
}

/// The design with the type's own defaults, or the recommended one; says why.
std::string chooseType(const DesignOptions& options, study::Study& study)
{
    std::string type = options.type, reason;
    study::DesignSpec wanted;
    if (type == kRecommended) {
        design::DesignOffer offer = findRecommendedFor(study);
        reason = offer.title + ": " + offer.reason;
        wanted = std::move(offer.spec);
        type = wanted.type;
    }
    for (const char* key : {"alpha", "digits", "generators", "levels", "model", "resolution", "runs"})
        checkSuits(options, key, type);
    if (study.design.type != type)
        startFresh(type, study);
    if (!reason.empty()) {
        study.design.alpha = wanted.alpha;
        study.design.runs = wanted.runs;
        study.design.model = wanted.model;
    }
    return reason;
}

/// "3" for every numeric factor, or "a=3,b=4".
std::map<std::string, int, std::less<>> readLevels(const study::Study& study, const std::string& text)
{
    std::map<std::string, int, std::less<>> levels;
    if (text.find('=') == std::string::npos) {
        const int count = readInteger("--levels", text, 2, kMostLevels);
        for (const study::Factor& factor : study.factors)
            if (factor.isNumeric())
                levels[factor.name] = count;
        return levels;
    }
    for (const std::string& part : split(text, ',')) {
        const auto [name, count] = splitAssignment("--levels", part);
        levels[requireFactor(study, "--levels", name).name] =
            readInteger("--levels " + name, count, 2, kMostLevels);
    }
    return levels;
}

void applyNumbers(const DesignOptions& options, study::DesignSpec& spec)
{
    spec.centerRuns = options.center.value_or(spec.centerRuns);
    spec.replicates = options.replicates.value_or(spec.replicates);
    spec.blocks = options.blocks.value_or(spec.blocks);
    spec.runs = options.runs.value_or(spec.runs);
    spec.resolution = options.resolution.value_or(spec.resolution);
    spec.seed = options.seed.value_or(spec.seed);
    if (options.digits)
        spec.digits = options.digits;
}

/// What is wrong with the specification, by the option that it came from.
void checkSpec(const study::DesignSpec& spec)
{
    for (const study::SpecProblem& problem : study::checkDesignSpec(spec))
        throw UsageError("--" + problem.key + ": " + problem.message);
}

} // namespace

study::Factor readFactor(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::vector<std::string> facts = takeFacts(parts);
    if (parts.size() < 3 || parts.size() > 6 || parts[0].empty())
        throw UsageError("--factor \"" + text +
                         "\": expected name:low:high[:unit[:type[:scale]]][:multiple_of=N][:binds=ranks]");
    parts.resize(6);
    const std::string option = "--factor " + parts[0];
    study::Factor factor;
    readFacts(option, facts, factor);
    factor.name = parts[0];
    factor.unit = parts[3];
    const auto type = study::factorTypeFrom(parts[4].empty() ? "continuous" : parts[4]);
    if (!type)
        throw UsageError(
            option + ": type " +
            text::describeUnknown(parts[4], {"continuous", "integer", "discrete", "categorical"}));
    factor.type = *type;
    const auto scale = study::scaleFrom(parts[5].empty() ? "linear" : parts[5]);
    if (!scale)
        throw UsageError(option + ": scale " + text::describeUnknown(parts[5], {"linear", "log2"}));
    factor.scale = *scale;
    if (factor.type == study::FactorType::Discrete || factor.type == study::FactorType::Categorical) {
        readLevels(factor, option, parts);
        return factor;
    }
    factor.low = readNumber(option, parts[1]);
    factor.high = readNumber(option, parts[2]);
    if (factor.multipleOf > 1 && factor.type != study::FactorType::Integer)
        throw UsageError(option + ": multiple_of needs the type integer");
    return factor;
}

study::Response readResponse(const std::string& text)
{
    std::vector<std::string> parts = split(text, ':');
    const std::string option = "--response " + parts[0];
    const std::optional<study::Bounds> bounds = takeBounds(option, parts);
    if (parts.size() < 2 || parts.size() > 4 || parts[0].empty())
        throw UsageError("--response \"" + text + "\": expected name:goal[:unit[:weight]][:bounds=0..100]");
    parts.resize(4);
    study::Response response;
    response.name = parts[0];
    response.bounds = bounds;
    response.unit = parts[2];
    const bool isTarget = parts[1].starts_with("target=");
    const auto goal = study::goalFrom(isTarget ? "target" : parts[1]);
    if (!goal || (*goal == study::Goal::Target && !isTarget))
        throw UsageError(option + ": goal " +
                         text::describeUnknown(parts[1], {"maximize", "minimize", "target=VALUE", "none"}));
    response.goal = *goal;
    if (isTarget)
        response.target = readNumber(option, parts[1].substr(7));
    if (!parts[3].empty())
        response.weight = readNumber(option, parts[3]);
    return response;
}

bool DesignOptions::areGiven() const
{
    constexpr std::array all = {"--type", "--center", "--replicates", "--blocks",     "--seed",   "--alpha",
                                "--runs", "--model",  "--generators", "--resolution", "--levels", "--digits"};
    return inOrder || std::ranges::any_of(all, [this](const char* name) { return command->isGiven(name); });
}

void addDesignOptions(Command& command, DesignOptions& options)
{
    options.command = &command;
    command.option("--type", options.type, Kind::suggested(offeredTypes()), "TYPE",
                   "recommended: what the wizard would choose for these factors; or one of: " + typesText());
    command.option("--center", options.center, Kind::wholeNumber(0, kMostPerKind), "N",
                   "Center points in all");
    command.option("--replicates", options.replicates, Kind::wholeNumber(1, kMostPerKind), "R",
                   "Replicates of each run");
    command.option("--blocks", options.blocks, Kind::wholeNumber(1, kMostPerKind), "B", "Number of blocks");
    command.option("--seed", options.seed, Kind::wholeNumber(0, std::numeric_limits<std::uint64_t>::max()),
                   "S", "Random seed of the run order and of searches");
    command.flag("--no-randomize", options.inOrder, "Run in standard order, not in random order");
    command.option(
        "--alpha", options.alpha, Kind::suggested({"rotatable", "face", "orthogonal", "practical"}), "A",
        "central-composite: distance of the axial runs, rotatable, face, orthogonal, practical or a "
        "number of coded units; rotatable where that can be run, else face");
    command.option("--runs", options.runs, Kind::wholeNumber(1, kMostPerKind), "N",
                   "Runs before replicates and center runs: " +
                       text::joinWords(design::typesWithKey("runs")));
    command.option("--generators", options.generators, Kind::freeText(), "LIST",
                   "fractional-factorial: \"D=AB,E=AC\", factors by letter in the study's order, without I");
    command.option("--resolution", options.resolution, Kind::wholeNumber(3, kMostFactors), "R",
                   "fractional-factorial: at least this resolution");
    command.option("--model", options.model, Kind::model(), "M",
                   "Optimal designs: linear, interactions, quadratic or a formula");
    command.option("--digits", options.digits, Kind::wholeNumber(0, study::kMostDigits), "N",
                   "Optimal designs: significant digits of continuous levels, 0 for levels as found; without "
                   "it the fewest that cost less than 1 % of the efficiency");
    command.option("--levels", options.levels,
                   Kind::listOf(Kind::assignment(Kind::numericFactor(), Kind::number())), "L",
                   "full-factorial: levels of the numeric factors, \"3\" or \"a=3,b=4\"; two without it");
}

std::string applyDesignOptions(const DesignOptions& options, study::Study& study)
{
    const auto types = design::designTypes();
    const std::string expected = "expected recommended or one of: " + typesText();
    if (options.type.empty())
        throw UsageError("--type: none given, " + expected);
    if (options.type != kRecommended && std::ranges::find(types, options.type) == types.end()) {
        std::vector<std::string> known(types.begin(), types.end());
        known.emplace_back(kRecommended);
        throw UsageError("--type: " + text::describeUnknown(options.type, known));
    }
    std::string reason = chooseType(options, study);
    study::DesignSpec& spec = study.design;
    applyNumbers(options, spec);
    if (!options.alpha.empty())
        spec.alpha = options.alpha;
    if (!options.generators.empty())
        spec.generators = split(options.generators, ',');
    if (!options.model.empty())
        spec.model = options.model;
    if (!options.levels.empty())
        spec.levels = readLevels(study, options.levels);
    spec.randomize = !options.inOrder;
    checkSpec(spec);
    return reason;
}

study::Study laidOutByCommand(study::Study study)
{
    std::string found;
    const design::Progress progress{
        .found = [&](const design::SearchReport& search) { found = report::describeSearch(search); }};
    study = design::layOut(std::move(study), false, {}, progress);
    if (!found.empty())
        std::cerr << "quadric: " << found << '\n';
    return study;
}

} // namespace quadric::app
