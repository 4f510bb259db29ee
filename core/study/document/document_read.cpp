// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document_read.h"

#include "core/study/derived.h"
#include "core/study/document/benchmark_json.h"
#include "core/study/document/page_view_json.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "core/study/limits.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace quadric::study {
namespace {

constexpr int kReadAttempts = 20;

void readNumericRange(ObjectReader& object, Factor& factor)
{
    if (factor.type == FactorType::Discrete) {
        factor.levels = object.require("levels").numbers();
        std::sort(factor.levels.begin(), factor.levels.end());
        factor.low = object.number("low", factor.levels.empty() ? 0.0 : factor.levels.front());
        factor.high = object.number("high", factor.levels.empty() ? 0.0 : factor.levels.back());
    } else {
        factor.low = object.require("low").number();
        factor.high = object.require("high").number();
    }
    factor.scale = object.choice("scale", Scale::Linear, &scaleFrom, "linear or log2");
    if (factor.type == FactorType::Integer)
        factor.multipleOf = object.integer("multiple_of", 1, 1);
}

Factor readFactor(const JsonReader& reader)
{
    ObjectReader object(reader);
    Factor factor;
    factor.name = object.require("name").text();
    factor.unit = object.text("unit");
    factor.type = object.choice("type", FactorType::Continuous, &factorTypeFrom,
                                "continuous, integer, discrete or categorical");
    if (factor.isNumeric())
        readNumericRange(object, factor);
    else
        factor.categories = object.require("levels").texts();
    factor.binds = object.text("binds");
    factor.unknown = object.unknown();
    return factor;
}

Transform readTransform(const JsonReader& reader)
{
    if (reader.value().is_object()) {
        ObjectReader object(reader);
        const double lambda = object.require("boxcox").number();
        if (!object.rest().empty())
            reader.fail("{\"boxcox\": λ} and no other key");
        return {TransformKind::BoxCox, lambda};
    }
    const auto transform = reader.value().is_string() ? transformFrom(reader.text()) : std::nullopt;
    if (!transform)
        reader.fail("none, log, sqrt, inverse, logit or {\"boxcox\": λ}");
    return *transform;
}

std::vector<double> readShape(const JsonReader& reader)
{
    std::vector<double> shape = reader.value().is_array() ? reader.numbers() : std::vector{reader.number()};
    if (shape.empty() || shape.size() > 2)
        reader.fail("one exponent, or two (below and above the target)");
    return shape;
}

/// `null` as the second one: no upper bound.
Bounds readBounds(const JsonReader& reader)
{
    if (!reader.value().is_array() || reader.value().size() != 2)
        reader.fail("two bounds, such as [0, 100], or [0, null] for 0 and above");
    const std::vector<JsonReader> ends = reader.elements();
    Bounds bounds{ends[0].number(), std::nullopt};
    if (!ends[1].value().is_null())
        bounds.high = ends[1].number();
    return bounds;
}

Response readResponse(const JsonReader& reader)
{
    ObjectReader object(reader);
    Response response;
    response.name = object.require("name").text();
    response.unit = object.text("unit");
    response.goal = object.choice("goal", Goal::Maximize, &goalFrom, "maximize, minimize, target or none");
    response.target = response.goal == Goal::Target ? object.require("target").number()
                                                    : object.number("target", response.target);
    if (const auto low = object.find("low"))
        response.low = low->number();
    if (const auto high = object.find("high"))
        response.high = high->number();
    if (const auto shape = object.find("shape"))
        response.shape = readShape(*shape);
    response.weight = object.number("weight", response.weight);
    if (const auto transform = object.find("transform"))
        response.transform = readTransform(*transform);
    if (const auto bounds = object.find("bounds"))
        response.bounds = readBounds(*bounds);
    response.weights = object.choice("weights", Weights::Equal, &weightsFrom, "equal or spread");
    response.unknown = object.unknown();
    return response;
}

/// `alpha` is a word or a number.
std::string readAlpha(const JsonReader& reader)
{
    return reader.value().is_number() ? toText(reader.number()) : reader.text();
}

void readDesignOptions(ObjectReader& object, DesignSpec& design)
{
    if (const auto alpha = object.find("alpha"))
        design.alpha = readAlpha(*alpha);
    design.runs = object.integer("runs", design.runs, 0);
    if (const auto generators = object.find("generators"))
        design.generators = generators->texts();
    design.resolution = object.integer("resolution", design.resolution, 0);
    design.model = object.text("model");
    if (const auto digits = object.find("digits"))
        design.digits = static_cast<int>(digits->integer(0, kMostDigits));
    if (const auto levels = object.find("levels")) {
        for (const auto& [name, count] : ObjectReader(*levels).entries())
            design.levels.emplace(name, static_cast<int>(count.integer(2, static_cast<int>(kMostLevels))));
    }
}

DesignSpec readDesign(const JsonReader& reader)
{
    ObjectReader object(reader);
    DesignSpec design;
    design.type = object.text("type");
    design.centerRuns = object.integer("center_runs", design.centerRuns, 0);
    design.replicates = object.integer("replicates", design.replicates, 1);
    design.blocks = object.integer("blocks", design.blocks, 1);
    design.randomize = object.flag("randomize", design.randomize);
    if (const auto seed = object.find("seed"))
        design.seed = seed->seed();
    readDesignOptions(object, design);
    design.unknown = object.unknown();
    return design;
}

void checkVersion(ObjectReader& document)
{
    const auto version = document.find("quadric");
    if (!version)
        throw DocumentError(document.reader().context().name +
                            ": quadric: missing, expected \"quadric\": 1 as in every study file");
    const auto number = version->integer(1, std::numeric_limits<int>::max());
    if (number > kFormatVersion)
        throw DocumentError(document.reader().context().name + ": quadric: the file has format " +
                            std::to_string(number) + " of a newer Quadric, this one reads formats up to " +
                            std::to_string(kFormatVersion) + "; open it with a newer version");
}

template <class Item>
std::vector<Item> readAll(const std::vector<JsonReader>& readers, Item (*read)(const JsonReader&))
{
    std::vector<Item> items;
    items.reserve(readers.size());
    for (const JsonReader& reader : readers)
        items.push_back(read(reader));
    return items;
}

/// Baselines lie apart from the other runs, by id; of two with the same the later one counts.
void takeRuns(std::vector<Run> runs, Study& study)
{
    std::map<int, Run> baselines;
    for (Run& run : runs) {
        if (run.kind == RunKind::Baseline)
            baselines.insert_or_assign(run.id, std::move(run));
        else
            study.runs.push_back(std::move(run));
    }
    for (auto& [id, baseline] : baselines)
        study.baselines.push_back(std::move(baseline));
}

/// A view that cannot be read is no reason for a warning: nobody has written it.
void readView(ObjectReader& object, Study& study)
{
    MemberReader::take(object, "view", study.view);
    if (const auto kept = object.find("view"); kept && study.view.empty())
        study.unknown.emplace("view", toLine(OrderedJson(kept->value())));
}

/// An expression that cannot be read is refused here, where the place can be named.
std::map<std::string, std::string> readDerived(const JsonReader& reader)
{
    std::map<std::string, std::string> derived;
    for (const auto& [name, text] : ObjectReader(reader).entries()) {
        try {
            const Expression expression(text.text());
        } catch (const std::invalid_argument& error) {
            text.fail(std::string("an expression such as tokens_per_sec / gpus (") + error.what() + ")");
        }
        derived.emplace(name, text.text());
    }
    return derived;
}

Study readStudy(ObjectReader& object)
{
    Study study;
    study.name = object.text("name");
    study.id = object.text("id");
    study.description = object.text("description");
    study.factors = readAll(object.list("factors"), &readFactor);
    if (const auto fixed = object.find("fixed"))
        study.fixed = readSettings(*fixed);
    study.responses = readAll(object.list("responses"), &readResponse);
    if (const auto constraints = object.find("constraints"))
        study.constraints = constraints->texts();
    if (const auto design = object.find("design"))
        study.design = readDesign(*design);
    if (const auto model = object.find("model")) {
        for (const auto& [response, choice] : ObjectReader(*model).entries())
            study.model.emplace(response, choice.text());
    }
    if (const auto benchmark = object.find("benchmark"))
        study.benchmark = readBenchmark(*benchmark);
    std::vector<Run> runs = readAll(object.list("runs"), &readRun);
    readView(object, study);
    if (const auto derived = object.find("derived"))
        study.derived = readDerived(*derived);
    study.unknown.merge(object.unknown());
    takeRuns(std::move(runs), study);
    return study;
}

LoadedStudy readDocument(std::string_view text, const std::string& name)
{
    const Json json = parseJson(text, name);
    ReadContext context{name, {}};
    ObjectReader document{JsonReader(json, {}, context)};
    checkVersion(document);
    LoadedStudy loaded;
    loaded.study = readStudy(document);
    loaded.warnings = std::move(context.warnings);
    return loaded;
}

/// Turns the errors of validate() into an exception and the rest into warnings.
void judge(LoadedStudy& loaded, const std::string& name)
{
    for (const Problem& problem : validate(loaded.study)) {
        const std::string text = name + ": " + problem.where + ": " + problem.message;
        if (problem.isError)
            throw DocumentError(text);
        loaded.warnings.push_back(text);
    }
}

/// Why the study with these records could not be used; empty: it can, or could not be without them either.
std::string findHarm(const Study& with, const Study& without, const std::filesystem::path& journal)
{
    const auto firstError = [](const Study& study) {
        const std::vector<Problem> problems = validate(study);
        const auto error = std::ranges::find_if(problems, &Problem::isError);
        return error == problems.end() ? std::string() : error->where + ": " + error->message;
    };
    const std::string error = firstError(with);
    if (error.empty() || !firstError(without).empty())
        return {};
    return journal.string() + ": with these records the study cannot be used, and none of them is: " + error +
           ". Move this file away";
}

void takeJournal(const JournalContents& journal, const std::filesystem::path& document, LoadedStudy& loaded)
{
    const std::filesystem::path file = journalPath(document);
    loaded.refusedJournal = findForeign(journal, loaded.study, file);
    if (loaded.refusedJournal.empty() && !journal.runs.empty()) {
        Study with = loaded.study;
        applyJournal(journal, with);
        loaded.refusedJournal = findHarm(with, loaded.study, file);
        if (loaded.refusedJournal.empty())
            loaded.study = std::move(with);
    }
    const bool isTaken = loaded.refusedJournal.empty();
    loaded.journalRecords = isTaken ? static_cast<int>(journal.runs.size()) : 0;
    loaded.isJournalBroken = journal.brokenLines > 0;
    if (!isTaken)
        loaded.warnings.push_back(loaded.refusedJournal);
    if (loaded.isJournalBroken)
        loaded.warnings.push_back(brokenInWords(journal, file));
    if (journal.tornLine)
        loaded.warnings.push_back(file.string() + ": the last line is incomplete and was dropped");
    if (const auto recovered = recoveredPath(document); isThere(recovered))
        loaded.warnings.push_back(recovered.string() + ": a runner could not put all results into " +
                                  document.filename().string() +
                                  " and has left them here. Open this file, take what is missing, and move "
                                  "it away");
}

} // namespace

LoadedStudy parseStudy(std::string_view text, const std::string& name)
{
    LoadedStudy loaded = readDocument(text, name);
    judge(loaded, name);
    return loaded;
}

LoadedStudy loadWithoutJournal(const std::filesystem::path& path)
{
    const FileIdentity before = identityOf(path);
    const std::string text = readTextFile(path);
    LoadedStudy loaded = parseStudy(text, path.string());
    loaded.state = makeState(before, text);
    return loaded;
}

LoadedStudy loadStudy(const std::filesystem::path& path)
{
    const std::string name = path.string();
    for (int attempt = 1;; ++attempt) {
        const FileIdentity before = identityOf(path);
        const std::string text = readTextFile(path);
        const JournalContents journal = readJournal(path);
        // A runner that folds its journal between the two reads has replaced the document: read both again.
        if (identityOf(path) != before && attempt < kReadAttempts)
            continue;
        LoadedStudy loaded = readDocument(text, name);
        loaded.state = makeState(before, text);
        takeJournal(journal, path, loaded);
        judge(loaded, name);
        return loaded;
    }
}

} // namespace quadric::study
