// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"

#include "core/study/document/benchmark_json.h"
#include "core/study/document/json_writer.h"
#include "core/study/document/page_view_json.h"
#include "core/study/document/provenance_json.h"
#include "core/study/files/file.h"
#include "core/study/files/record_size.h"
#include "core/text/secrets.h"

namespace quadric::study {
namespace {

OrderedJson numbersJson(const std::vector<double>& numbers)
{
    OrderedJson list = OrderedJson::array();
    for (const double number : numbers)
        list.push_back(numberJson(number));
    return list;
}

void addNumericRange(OrderedJson& object, const Factor& factor)
{
    const bool discrete = factor.type == FactorType::Discrete;
    if (discrete)
        object["levels"] = numbersJson(factor.levels);
    if (!discrete || factor.levels.empty() || factor.low != factor.levels.front())
        object["low"] = numberJson(factor.low);
    if (!discrete || factor.levels.empty() || factor.high != factor.levels.back())
        object["high"] = numberJson(factor.high);
    if (factor.scale != Scale::Linear)
        object["scale"] = nameOf(factor.scale);
    if (factor.type == FactorType::Integer && factor.multipleOf != 1)
        object["multiple_of"] = factor.multipleOf;
}

OrderedJson factorJson(const Factor& factor)
{
    OrderedJson object = OrderedJson::object();
    object["name"] = factor.name;
    addText(object, "unit", factor.unit);
    object["type"] = nameOf(factor.type);
    if (factor.isNumeric())
        addNumericRange(object, factor);
    else
        object["levels"] = factor.categories;
    addText(object, "binds", factor.binds);
    addUnknown(object, factor.unknown);
    return object;
}

OrderedJson transformJson(const Transform& transform)
{
    if (transform.kind == TransformKind::BoxCox)
        return {{"boxcox", numberJson(transform.lambda)}};
    return nameOf(transform);
}

OrderedJson boundsJson(const Bounds& bounds)
{
    OrderedJson list = {numberJson(bounds.low), nullptr};
    if (bounds.high)
        list[1] = numberJson(*bounds.high);
    return list;
}

OrderedJson responseJson(const Response& response)
{
    OrderedJson object = OrderedJson::object();
    object["name"] = response.name;
    addText(object, "unit", response.unit);
    object["goal"] = nameOf(response.goal);
    if (response.goal == Goal::Target || response.target != 0.0)
        object["target"] = numberJson(response.target);
    if (response.low)
        object["low"] = numberJson(*response.low);
    if (response.high)
        object["high"] = numberJson(*response.high);
    if (response.shape.size() == 1)
        object["shape"] = numberJson(response.shape.front());
    else if (!response.shape.empty())
        object["shape"] = numbersJson(response.shape);
    object["weight"] = numberJson(response.weight);
    if (response.transform.kind != TransformKind::None)
        object["transform"] = transformJson(response.transform);
    if (response.bounds)
        object["bounds"] = boundsJson(*response.bounds);
    if (response.weights != Weights::Equal)
        object["weights"] = nameOf(response.weights);
    addUnknown(object, response.unknown);
    return object;
}

/// What most designs have no use for is written only where it is set.
void addDesignOptions(OrderedJson& object, const DesignSpec& design)
{
    if (const auto number = alphaNumber(design.alpha))
        object["alpha"] = numberJson(*number);
    else
        addText(object, "alpha", design.alpha);
    if (design.runs != 0)
        object["runs"] = design.runs;
    if (!design.generators.empty())
        object["generators"] = design.generators;
    if (design.resolution != 0)
        object["resolution"] = design.resolution;
    addText(object, "model", design.model);
    if (design.digits)
        object["digits"] = *design.digits;
    if (!design.levels.empty())
        object["levels"] = mapJson(design.levels, [](int count) { return OrderedJson(count); });
}

OrderedJson designJson(const DesignSpec& design)
{
    OrderedJson object = OrderedJson::object();
    addText(object, "type", design.type);
    object["center_runs"] = design.centerRuns;
    object["replicates"] = design.replicates;
    object["blocks"] = design.blocks;
    object["randomize"] = design.randomize;
    object["seed"] = design.seed;
    addDesignOptions(object, design);
    addUnknown(object, design.unknown);
    return object;
}

OrderedJson failureJson(const Failure& failure)
{
    OrderedJson object = {{"kind", failure.kind}, {"message", text::withoutSecrets(failure.message)}};
    addUnknown(object, failure.unknown);
    return object;
}

OrderedJson runJson(const Run& run)
{
    OrderedJson object = OrderedJson::object();
    object["id"] = run.id;
    object["order"] = run.order;
    object["block"] = run.block;
    object["kind"] = nameOf(run.kind);
    object["settings"] = mapJson(run.settings, valueJson);
    object["status"] = nameOf(run.status);
    if (run.failure)
        object["failure"] = failureJson(*run.failure);
    addText(object, "reason", run.reason);
    if (!run.results.empty())
        object["results"] = mapJson(run.results, numberJson);
    if (!run.spread.empty())
        object["spread"] = mapJson(run.spread, numberJson);
    if (run.provenance != Provenance{})
        object["provenance"] = provenanceJson(run.provenance);
    addUnknown(object, run.unknown);
    return object;
}

template <class Item>
OrderedJson listJson(const std::vector<Item>& items, OrderedJson (*convert)(const Item&))
{
    OrderedJson list = OrderedJson::array();
    for (const Item& item : items)
        list.push_back(convert(item));
    return list;
}

OrderedJson studyJson(const Study& study)
{
    OrderedJson object = OrderedJson::object();
    object["quadric"] = kFormatVersion;
    object["name"] = study.name;
    addText(object, "id", study.id);
    object["description"] = study.description;
    object["factors"] = listJson(study.factors, factorJson);
    object["fixed"] = mapJson(study.fixed, valueJson);
    object["responses"] = listJson(study.responses, responseJson);
    object["constraints"] = study.constraints;
    object["design"] = designJson(study.design);
    object["model"] = OrderedJson(study.model);
    object["benchmark"] = benchmarkJson(study.benchmark);
    object["runs"] = nullptr; // written one by one: see runsText()
    UnknownKeys rest = study.unknown;
    if (!study.derived.empty())
        rest["derived"] = toLine(OrderedJson(study.derived));
    if (!study.view.empty())
        rest["view"] = toLine(MemberWriter::json(study.view));
    addUnknown(object, rest);
    return object;
}

/// Lists of objects get a line for each object, so that a person can read and compare the file.
std::string memberText(const OrderedJson& value)
{
    if (!value.is_array() || value.empty() || !value.front().is_object())
        return toLine(value);
    std::string text = "[";
    const char* separator = "\n    ";
    for (const OrderedJson& item : value) {
        text += separator + toLine(item);
        separator = ",\n    ";
    }
    return text + "\n  ]";
}

/// Not by way of one JSON value for all: that of 40,000 runs takes a gigabyte.
std::string runsText(const Study& study)
{
    std::string text = "[";
    const char* separator = "\n    ";
    for (const std::vector<Run>* runs : {&study.runs, &study.baselines}) {
        for (const Run& run : *runs) {
            text += separator + toLine(runJson(run));
            separator = ",\n    ";
        }
    }
    return text + (text.size() == 1 ? "]" : "\n  ]");
}

void requireSound(const Study& study, const std::filesystem::path& path)
{
    for (const Problem& problem : validate(study)) {
        if (problem.isError)
            throw DocumentError(path.string() + ": not saved: " + problem.where + ": " + problem.message);
    }
}

} // namespace

std::string writeStudy(const Study& study)
{
    std::string text = "{";
    const char* separator = "\n  ";
    const OrderedJson document = studyJson(study);
    for (const auto& item : document.items()) {
        text += separator + toLine(item.key()) + ": ";
        text += item.key() == "runs" ? runsText(study) : memberText(item.value());
        separator = ",\n  ";
    }
    return text + "\n}\n";
}

namespace {

DocumentState saveText(const std::string& text, const std::filesystem::path& path,
                       const std::optional<DocumentState>& expected)
{
    if (text.size() > kLargestFile)
        throw DocumentError(path.string() + ": not saved: the study would take " +
                            std::to_string(text.size()) + " bytes, expected at most " +
                            std::to_string(kLargestFile));
    const SaveLock lock(path);
    const FileIdentity written = replaceFile(path, text, [&] {
        if (expected && !hasSameContent(readState(path), *expected))
            throw DocumentChanged(path.string() + ": not saved: another program has changed the file");
    });
    return makeState(written, text);
}

} // namespace

DocumentState saveStudy(const Study& study, const std::filesystem::path& path,
                        const std::optional<DocumentState>& expected)
{
    requireSound(study, path);
    return saveText(writeStudy(study), path, expected);
}

bool saveFolded(Study study, const std::filesystem::path& path, const DocumentState& expected)
{
    requireSound(study, path);
    std::string text = writeStudy(study);
    const bool isWhole = text.size() <= kLargestFile;
    if (!isWhole) {
        trimRecords(study, kLargestFile);
        text = writeStudy(study);
    }
    saveText(text, path, expected);
    return isWhole;
}

std::string writeRun(const Run& run)
{
    return toLine(runJson(run));
}

std::string writeSettings(const Settings& settings)
{
    return toLine(mapJson(settings, valueJson));
}

} // namespace quadric::study
