// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study/typed_design.h"

#include "core/design/base/design_type.h"
#include "core/design/evaluate/offers.h"
#include "core/report/findings/design_findings.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <limits>

namespace quadric::app {

namespace {

constexpr int kMostPerKind = 10000;
constexpr int kMostLevels = 1000;
constexpr int kMostFactors = 25;

std::string typesText()
{
    return text::joinWords(design::designTypes());
}

constexpr std::string_view kRecommended = "recommended";

/// What would be left aside without a word otherwise.
void checkSuits(const DesignOptions& options, const std::string& key, const std::string& type)
{
    const std::string option = "--" + key;
    const auto types = design::typesThatTake(key);
    if (options.command->count(option) > 0 && std::ranges::find(types, type) == types.end())
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
    for (const study::SpecProblem& problem : study::problemsOf(spec))
        throw UsageError("--" + problem.key + ": " + problem.message);
}

} // namespace

bool DesignOptions::areGiven() const
{
    constexpr std::array all = {"--type", "--center", "--replicates", "--blocks",     "--seed",   "--alpha",
                                "--runs", "--model",  "--generators", "--resolution", "--levels", "--digits"};
    return inOrder || std::ranges::any_of(all, [this](const char* name) { return command->count(name) > 0; });
}

void addDesignOptions(CLI::App& command, DesignOptions& options)
{
    options.command = &command;
    command
        .add_option("--type", options.type,
                    "recommended: what the wizard would choose for these factors; or one of: " + typesText())
        ->type_name("TYPE");
    command.add_option("--center", options.center, "Center points in all")
        ->check(wholeNumber(0, kMostPerKind))
        ->type_name("N");
    command.add_option("--replicates", options.replicates, "Replicates of each run")
        ->check(wholeNumber(1, kMostPerKind))
        ->type_name("R");
    command.add_option("--blocks", options.blocks, "Number of blocks")
        ->check(wholeNumber(1, kMostPerKind))
        ->type_name("B");
    command.add_option("--seed", options.seed, "Random seed of the run order and of searches")
        ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
        ->type_name("S");
    command.add_flag("--no-randomize", options.inOrder, "Run in standard order, not in random order");
    command
        .add_option(
            "--alpha", options.alpha,
            "central-composite: distance of the axial runs, rotatable, face, orthogonal, practical or a "
            "number of coded units; rotatable where that can be run, else face")
        ->type_name("A");
    command
        .add_option("--runs", options.runs,
                    "Runs before replicates and center runs: " +
                        text::joinWords(design::typesThatTake("runs")))
        ->check(wholeNumber(1, kMostPerKind))
        ->type_name("N");
    command
        .add_option("--generators", options.generators,
                    "fractional-factorial: \"D=AB,E=AC\", factors by letter in the study's order, without I")
        ->type_name("LIST");
    command.add_option("--resolution", options.resolution, "fractional-factorial: at least this resolution")
        ->check(wholeNumber(3, kMostFactors))
        ->type_name("R");
    command
        .add_option("--model", options.model, "Optimal designs: linear, interactions, quadratic or a formula")
        ->type_name("M");
    command
        .add_option(
            "--digits", options.digits,
            "Optimal designs: significant digits of continuous levels, 0 for levels as found; without "
            "it the fewest that cost less than 1 % of the efficiency")
        ->check(wholeNumber(0, study::kMostDigits))
        ->type_name("N");
    command
        .add_option("--levels", options.levels,
                    "full-factorial: levels of the numeric factors, \"3\" or \"a=3,b=4\"; two without it")
        ->type_name("L");
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
