// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion_values.h"

#include "app/cli/base/study_words.h"
#include "core/design/base/design.h"
#include "core/design/generate/augment.h"
#include "core/exchange/export/formats.h"
#include "core/optimize/next/next_runs.h"
#include "core/study/document/document.h"
#include "core/templates/templates.h"
#include "core/workload/knob_table.h"
#include "core/workload/link_table.h"
#include "widgets/gallery/view_registry.h"
#include "widgets/report/document/report.h"

#include <algorithm>
#include <filesystem>

namespace quadric::app {

namespace {

using Words = Completion (*)(const study::Study& study, const std::string& typed);

/// What stands behind an option, in all commands or in one.
struct OptionWords {
    std::string_view option;
    Words words; ///< null: anything may be typed
    std::string_view command = {};
};

Completion choices(std::initializer_list<const char*> names)
{
    Completion found;
    for (const char* name : names)
        found.candidates.push_back({name});
    return found;
}

Completion names(const std::vector<std::string>& items)
{
    return candidatesOf(items, [](const std::string& item) { return Candidate{item}; });
}

using S = study::Study;
using T = std::string;

Completion anyFile(const S&, const T&)
{
    return {{}, Files::Any};
}
Completion studyFile(const S&, const T&)
{
    return {{}, Files::Studies};
}
Completion folder(const S&, const T&)
{
    return {{}, Files::Folders};
}
Completion designTypes(const S&, const T&)
{
    std::vector<std::string> types = design::designTypes();
    types.insert(types.begin(), "recommended");
    return names(types);
}
Completion augmentations(const S&, const T&)
{
    return names(design::augmentations());
}
Completion models(const S&, const T&)
{
    return choices({"auto", "linear", "interactions", "quadratic", "gp"});
}
Completion alphas(const S&, const T&)
{
    return choices({"rotatable", "face", "orthogonal", "practical"});
}
Completion regions(const S&, const T&)
{
    return choices({"box", "cube:", "sphere:"});
}
Completion separators(const S&, const T&)
{
    return choices({"tab"});
}
Completion responses(const S& study, const T&)
{
    return responseNames(study);
}
Completion responseList(const S& study, const T& typed)
{
    return listed(typed, responseNames(study));
}
Completion factorList(const S& study, const T& typed)
{
    return listed(typed, factorNames(study));
}
Completion factorNamesOnly(const S& study, const T&)
{
    return numericFactorNames(study);
}
Completion links(const S&, const T&)
{
    return candidatesOf(workload::kLinks, [](const workload::Link& link) {
        return Candidate{std::string(link.name), std::string(link.words)};
    });
}
Completion runs(const S& study, const T&)
{
    return runNumbers(study);
}
Completion runList(const S& study, const T& typed)
{
    return listed(typed, runNumbers(study));
}
Completion nothing(const std::string&)
{
    return {};
}

Completion templateWords(const S&, const T&)
{
    Completion found = candidatesOf(templates::templates(), [](const templates::Template& item) {
        return Candidate{std::string(item.name), std::string(item.title)};
    });
    for (const std::string_view example : templates::examples())
        found.candidates.push_back({std::string(example), "example"});
    return found;
}

Completion exportFormats(const S&, const T&)
{
    return candidatesOf(exchange::formats(), [](const exchange::Format& format) {
        return Candidate{std::string(format.name), std::string(format.what)};
    });
}

Completion plotKinds(const S&, const T&)
{
    return candidatesOf(widgets::plotKinds(), [](const widgets::ViewKind& kind) {
        return Candidate{kind.id, kind.title.toStdString()};
    });
}

Completion sections(const S&, const T& typed)
{
    return listed(typed, candidatesOf(widgets::reportSections(), [](const widgets::SectionInfo& section) {
                      return Candidate{section.name};
                  }));
}

Completion presets(const S&, const T&)
{
    return candidatesOf(widgets::reportExtents(), [](const widgets::ExtentInfo& extent) {
        return Candidate{extent.name, extent.title.toStdString()};
    });
}

Completion transforms(const S&, const T&)
{
    return choices({"none", "log", "sqrt", "inverse", "boxcox", "boxcox:"});
}

Completion weights(const S&, const T&)
{
    return choices({"equal", "spread"});
}

Completion criteria(const S&, const T&)
{
    return names(optimize::runCriterionNames());
}

Completion settings(const S& study, const T& typed)
{
    return assigned(typed, factorNames(study),
                    [&study](const std::string& factor) { return levelsOf(study, factor); });
}

/// One assignment after the other, with commas; what is typed last can be an assignment that is not complete.
Completion settingsList(const S& study, const T& typed)
{
    const std::size_t last = typed.rfind(',') + 1; // 0 without a comma
    return listed(typed, settings(study, typed.substr(last)));
}

Completion costs(const S& study, const T& typed)
{
    Completion found = settings(study, typed);
    if (typed.find('=') == typed.npos)
        for (const Candidate& factor : factorNames(study).candidates)
            found.candidates.push_back(factor);
    return found;
}

/// Settings of the built-in workload: other workloads have names that nobody knows.
Completion workloadSettings(const S&, const T& typed)
{
    const Completion knobs = candidatesOf(workload::kKnobs, [](const workload::Knob& knob) {
        return Candidate{std::string(knob.name), std::string(knob.title)};
    });
    return assigned(typed, knobs, [](const std::string& name) {
        const workload::Knob* knob = workload::findKnob(name);
        return knob ? candidatesOf(workload::choicesOf(*knob),
                                   [](std::string_view choice) { return Candidate{std::string(choice)}; })
                    : Completion{};
    });
}

Completion spreads(const S& study, const T& typed)
{
    return assigned(typed, numericFactorNames(study), nothing);
}

Completion scales(const S& study, const T& typed)
{
    const std::size_t last = typed.rfind(',') + 1;
    return listed(typed, assigned(typed.substr(last), numericFactorNames(study), [](const std::string&) {
                      return choices({"log2", "linear"});
                  }));
}

Completion levelCounts(const S& study, const T& typed)
{
    const std::size_t last = typed.rfind(',') + 1;
    return listed(typed, assigned(typed.substr(last), numericFactorNames(study), nothing));
}

Completion goals(const S& study, const T& typed)
{
    return assigned(typed, responseNames(study), [](const std::string&) {
        return choices({"maximize", "minimize", "target:", "none"});
    });
}

Completion assignments(const S& study, const T& typed)
{
    return assigned(typed, responseNames(study), nothing);
}

constexpr OptionWords kOptions[] = {
    {"--factor", nullptr}, // new and import: a definition
    {"--response", nullptr, "new"},
    {"--response", nullptr, "import"},
    {"--response", responseList, "plot"},
    {"--scale", nullptr, "plot"},
    {"--format", exportFormats, "export"},
    {"--response", responses},
    {"--alpha", alphas},
    {"--all", folder},
    {"--amount", nullptr},
    {"--arrivals", nullptr},
    {"--at", settingsList},
    {"--at-most-slower", nullptr},
    {"--augment", augmentations},
    {"--author", nullptr},
    {"--batch", nullptr},
    {"--blocks", nullptr},
    {"--boxes", nullptr},
    {"--by", factorNamesOnly},
    {"--bytes", nullptr},
    {"--center", nullptr},
    {"--claims", anyFile},
    {"--command", nullptr},
    {"--compare", studyFile},
    {"--confidence", nullptr},
    {"--confirm", nullptr},
    {"--cost-of", costs},
    {"--criterion", criteria},
    {"--derive", nullptr},
    {"--devices", nullptr},
    {"--digits", nullptr},
    {"--effect-sd", nullptr},
    {"--energy-price", nullptr},
    {"--energy-response", responses},
    {"--factors", factorList},
    {"--fast", settingsList},
    {"--fix", settings},
    {"--fixed-cost", nullptr},
    {"--fixed-time", nullptr},
    {"--fixed", workloadSettings},
    {"--folds", nullptr},
    {"--gang", nullptr},
    {"--generators", nullptr},
    {"--goal", nullptr, "derive"},
    {"--goal", goals},
    {"--gpus", nullptr},
    {"--ignore", nullptr},
    {"--jobs", anyFile},
    {"--kfold", nullptr},
    {"--kind", plotKinds},
    {"--largest", factorNamesOnly},
    {"--least", responses},
    {"--levels", levelCounts},
    {"--limits", assignments},
    {"--loads", nullptr},
    {"--machines", nullptr},
    {"--max-leverage", nullptr},
    {"--mean", nullptr},
    {"--model", models},
    {"--nccl-tests", anyFile},
    {"--published", anyFile},
    {"--network", links},
    {"--next-runs", nullptr},
    {"--node-link", links},
    {"--only", runList},
    {"--output", anyFile},
    {"--parallel", nullptr},
    {"--per-node", nullptr},
    {"--points", anyFile},
    {"--preset", presets},
    {"--price-of-waiting", nullptr},
    {"--price-per-gpu-hour", nullptr},
    {"--price-per-hour", nullptr},
    {"--probability", nullptr},
    {"--read", nullptr},
    {"--region", regions},
    {"--replicates", nullptr},
    {"--resolution", nullptr},
    {"--results", nullptr, "new"},
    {"--results", folder},
    {"--run", runs},
    {"--runs", nullptr},
    {"--runs-probability", nullptr},
    {"--scale", scales},
    {"--sections", sections},
    {"--repeats", nullptr},
    {"--seed", nullptr},
    {"--separator", separators},
    {"--simulated-jobs", nullptr},
    {"--size", nullptr},
    {"--slow", settingsList},
    {"--solutions", nullptr},
    {"--speed-up", nullptr},
    {"--spend", nullptr},
    {"--template", templateWords},
    {"--title", nullptr},
    {"--to", nullptr},
    {"--transform", transforms},
    {"--type", designTypes},
    {"--unit", nullptr},
    {"--utilization", nullptr},
    {"--variation", nullptr},
    {"--vary", spreads},
    {"--watts", nullptr},
    {"--weight", assignments},
    {"--weights", weights},
    {"--within", nullptr},
    {"--without", sections},
    {"--worth", nullptr},
    {"second", studyFile},
    {"study", studyFile},
    {"file", anyFile},
    {"derivation", nullptr},
    {"request", controlRequests},
    {"folder", folder, "init"},
};

std::string nameOf(const CLI::Option& option)
{
    return option.get_lnames().empty() ? option.get_single_name() : "--" + option.get_lnames().front();
}

/// What is meant for one command goes before what is meant for all.
const OptionWords* wordsFor(const CLI::App& command, const CLI::Option& option)
{
    const std::string name = nameOf(option);
    const auto found = std::ranges::find_if(kOptions, [&](const OptionWords& item) {
        return item.option == name && (item.command.empty() || item.command == command.get_name());
    });
    return found == std::end(kOptions) ? nullptr : found;
}

/// The study on the line; one without anything where there is none to be read.
study::Study studyOf(const std::vector<std::string>& positionals)
{
    try {
        if (!positionals.empty() && std::filesystem::is_regular_file(positionals.front()))
            return study::loadStudy(positionals.front()).study;
    } catch (const std::exception&) {
        // Nothing is known of it; names of designs and plots are known all the same.
    }
    return {};
}

} // namespace

bool knowsValuesOf(const CLI::App& command, const CLI::Option& option)
{
    return wordsFor(command, option) != nullptr;
}

Completion completionValues(const TypedValue& value)
{
    if (!value.option) // `quadric STUDY` opens the window
        return {{}, value.command.get_parent() || !value.positionals.empty() ? Files::None : Files::Studies};
    const OptionWords* found = wordsFor(value.command, *value.option);
    return found && found->words ? found->words(studyOf(value.positionals), value.text) : Completion{};
}

} // namespace quadric::app
