// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document_json.h"

#include "core/study/derived.h"
#include "core/study/document/document.h"
#include "core/study/document/member_json.h"
#include "core/study/run_records.h"
#include "core/text/secrets.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace quadric::study {

namespace {

constexpr Member kLow{"low", &Factor::low, Need::Required};
constexpr Member kHigh{"high", &Factor::high, Need::Required};
constexpr Member kLevels{"levels", &Factor::levels, Need::Required};
constexpr Member kCategories{"levels", &Factor::categories, Need::Required};
constexpr Member kScale{"scale", &Factor::scale};
constexpr Member kMultipleOf{
    "multiple_of", &Factor::multipleOf, Need::Optional,
    [](const JsonReader& reader) { return reader.integer(1, std::numeric_limits<int>::max()); }};

void readRange(ObjectReader& object, Factor& factor)
{
    if (!factor.isNumeric())
        return kCategories.readInto(object, factor);
    if (factor.type == FactorType::Discrete) {
        kLevels.readInto(object, factor);
        std::ranges::sort(factor.levels);
        const auto low = object.find("low"), high = object.find("high");
        const bool isEmpty = factor.levels.empty();
        factor.low = low ? low->number() : isEmpty ? 0.0 : factor.levels.front();
        factor.high = high ? high->number() : isEmpty ? 0.0 : factor.levels.back();
    } else {
        kLow.readInto(object, factor);
        kHigh.readInto(object, factor);
    }
    kScale.readInto(object, factor);
    if (factor.type == FactorType::Integer)
        kMultipleOf.readInto(object, factor);
}

void writeRange(OrderedJson& object, const Factor& factor)
{
    if (!factor.isNumeric())
        return kCategories.writeInto(object, factor);
    const bool isDiscrete = factor.type == FactorType::Discrete;
    if (isDiscrete)
        kLevels.writeInto(object, factor);
    if (!isDiscrete || factor.levels.empty() || factor.low != factor.levels.front())
        kLow.writeInto(object, factor);
    if (!isDiscrete || factor.levels.empty() || factor.high != factor.levels.back())
        kHigh.writeInto(object, factor);
    kScale.writeInto(object, factor);
    if (factor.type == FactorType::Integer)
        kMultipleOf.writeInto(object, factor);
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

OrderedJson transformJson(const Transform& transform)
{
    if (transform.kind == TransformKind::BoxCox)
        return {{"boxcox", numberJson(transform.lambda)}};
    return nameOf(transform);
}

std::vector<double> readShape(const JsonReader& reader)
{
    auto shape =
        reader.value().is_array() ? readValue<std::vector<double>>(reader) : std::vector{reader.number()};
    if (shape.empty() || shape.size() > 2)
        reader.fail("one exponent, or two (below and above the target)");
    return shape;
}

OrderedJson shapeJson(const std::vector<double>& shape)
{
    return shape.size() == 1 ? numberJson(shape.front()) : writeValue(shape);
}

/// `null` as the second one: no upper bound.
std::optional<Bounds> readBounds(const JsonReader& reader)
{
    if (!reader.value().is_array() || reader.value().size() != 2)
        reader.fail("two bounds, such as [0, 100], or [0, null] for 0 and above");
    const std::vector<JsonReader> ends = reader.elements();
    Bounds bounds{ends[0].number(), std::nullopt};
    if (!ends[1].value().is_null())
        bounds.high = ends[1].number();
    return bounds;
}

OrderedJson boundsJson(const std::optional<Bounds>& bounds)
{
    return {numberJson(bounds->low), bounds->high ? numberJson(*bounds->high) : nullptr};
}

constexpr auto targetOf(const Response& response)
{
    return Member{"target", &Response::target,
                  response.goal == Goal::Target ? Need::Required : Need::Optional};
}

/// `alpha` is a word or a number.
std::string readAlpha(const JsonReader& reader)
{
    return reader.value().is_number() ? toText(reader.number()) : reader.text();
}

OrderedJson alphaJson(const std::string& alpha)
{
    const auto number = alphaNumber(alpha);
    return number ? numberJson(*number) : OrderedJson(alpha);
}

std::optional<int> readDigits(const JsonReader& reader)
{
    return readWhole<0, kMostDigits>(reader);
}

std::map<std::string, int, std::less<>> readLevelCounts(const JsonReader& reader)
{
    std::map<std::string, int, std::less<>> counts;
    for (const auto& [name, count] : ObjectReader(reader).entries())
        counts.emplace(name, readWhole<2, int{kMostLevels}>(count));
    return counts;
}

std::optional<Failure> readFailure(const JsonReader& reader)
{
    ObjectReader object(reader);
    Failure failure{object.text("kind"), text::withoutSecrets(object.text("message"))};
    failure.unknown = object.unknown();
    return failure;
}

OrderedJson failureJson(const std::optional<Failure>& failure)
{
    OrderedJson object = {{"kind", failure->kind}, {"message", text::withoutSecrets(failure->message)}};
    addUnknown(object, failure->unknown);
    return object;
}

} // namespace

constexpr auto membersOf(const Factor*)
{
    return std::tuple{Member{"name", &Factor::name, Need::Required}, Member{"unit", &Factor::unit},
                      Member{"type", &Factor::type, Need::Written}, Part<Factor>{&readRange, &writeRange},
                      Member{"binds", &Factor::binds}};
}

constexpr auto membersOf(const Response*)
{
    return std::tuple{
        Member{"name", &Response::name, Need::Required},
        Member{"unit", &Response::unit},
        Member{"goal", &Response::goal, Need::Written},
        Part<Response>{
            [](ObjectReader& object, Response& response) { targetOf(response).readInto(object, response); },
            [](OrderedJson& object, const Response& response) {
                targetOf(response).writeInto(object, response);
            }},
        Member{"low", &Response::low},
        Member{"high", &Response::high},
        Member{"shape", &Response::shape, Need::Written, &readShape, &shapeJson},
        Member{"weight", &Response::weight, Need::Written},
        Member{"transform", &Response::transform, Need::Optional, &readTransform, &transformJson},
        Member{"bounds", &Response::bounds, Need::Optional, &readBounds, &boundsJson}};
}

constexpr auto membersOf(const DesignSpec*)
{
    return std::tuple{Member{"type", &DesignSpec::type},
                      Member{"center_runs", &DesignSpec::centerRuns, Need::Written, &readWhole<0>},
                      Member{"replicates", &DesignSpec::replicates, Need::Written, &readWhole<1>},
                      Member{"blocks", &DesignSpec::blocks, Need::Written, &readWhole<1>},
                      Member{"randomize", &DesignSpec::randomize, Need::Written},
                      Member{"seed", &DesignSpec::seed, Need::Written},
                      Member{"alpha", &DesignSpec::alpha, Need::Optional, &readAlpha, &alphaJson},
                      Member{"runs", &DesignSpec::runs, Need::Optional, &readWhole<0>},
                      Member{"generators", &DesignSpec::generators},
                      Member{"resolution", &DesignSpec::resolution, Need::Optional, &readWhole<0>},
                      Member{"model", &DesignSpec::model},
                      Member{"digits", &DesignSpec::digits, Need::Optional, &readDigits},
                      Member{"levels", &DesignSpec::levels, Need::Optional, &readLevelCounts}};
}

constexpr auto membersOf(const Run*)
{
    return std::tuple{
        Member{"id", &Run::id, Need::Required, &readWhole<1>},
        Member{"order", &Run::order, Need::Written, &readWhole<std::numeric_limits<int>::min()>},
        Member{"block", &Run::block, Need::Written, &readWhole<1>},
        Member{"kind", &Run::kind, Need::Written},
        Member{"settings", &Run::settings, Need::Required},
        Member{"status", &Run::status, Need::Written},
        Member{"failure", &Run::failure, Need::Optional, &readFailure, &failureJson},
        Member{"reason", &Run::reason},
        Member{"results", &Run::results},
        Member{"spread", &Run::spread},
        Member{"provenance", &Run::provenance, Need::Optional, &readProvenance, &provenanceJson}};
}

/// Without the runs, and what was added to the format later.
constexpr auto membersOf(const Study*)
{
    return std::tuple{Member{"name", &Study::name, Need::Written},
                      Member{"id", &Study::id},
                      Member{"description", &Study::description, Need::Written},
                      Member{"factors", &Study::factors, Need::Written},
                      Member{"fixed", &Study::fixed, Need::Written},
                      Member{"responses", &Study::responses, Need::Written},
                      Member{"constraints", &Study::constraints, Need::Written},
                      Member{"design", &Study::design, Need::Written},
                      Member{"model", &Study::model, Need::Written},
                      Member{"benchmark", &Study::benchmark, Need::Written, &readBenchmark, &benchmarkJson}};
}

constexpr auto factsOf(const PageView*)
{
    return std::tuple{Member{"heights", &PageView::heights}, Member{"views", &PageView::views},
                      Member{"widths", &PageView::widths}};
}

namespace {

/// Baselines lie apart from the other runs, by id; of two with the same the later one counts.
void takeRuns(const std::vector<JsonReader>& readers, Study& study)
{
    std::map<int, Run> baselines;
    study.runs.reserve(readers.size());
    for (const JsonReader& reader : readers) {
        Run run = readRun(reader);
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
void readDerived(ObjectReader& object, Study& study)
{
    const auto derived = object.find("derived");
    if (!derived)
        return;
    for (const auto& [name, text] : ObjectReader(*derived).entries()) {
        try {
            const Expression expression(text.text());
        } catch (const std::invalid_argument& error) {
            text.fail(std::string("an expression such as tokens_per_sec / gpus (") + error.what() + ")");
        }
        study.derived.emplace(name, text.text());
    }
}

OrderedJson studyJson(const Study& study)
{
    OrderedJson object = {{"quadric", kFormatVersion}};
    object.update(writeMembers(membersOf(&study), study));
    object["runs"] = nullptr; // written one by one: see runsText()
    UnknownKeys rest = study.unknown;
    if (!study.derived.empty())
        rest["derived"] = toLine(writeValue(study.derived));
    if (!study.view.empty())
        rest["view"] = toLine(Json(writeValue(study.view)));
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
            text += separator + writeRun(run);
            separator = ",\n    ";
        }
    }
    return text + (text.size() == 1 ? "]" : "\n  ]");
}

} // namespace

Study readStudy(ObjectReader& document)
{
    Study study;
    readMembers(membersOf(&study), document, study);
    takeRuns(document.list("runs"), study);
    readView(document, study);
    readDerived(document, study);
    study.unknown.merge(document.unknown());
    return study;
}

Run readRun(const JsonReader& reader)
{
    Run run = readValue<Run>(reader);
    if (!reader.value().contains("order"))
        run.order = run.id;
    return run;
}

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

std::string writeRun(const Run& run)
{
    return toLine(writeValue(run));
}

std::string writeSettings(const Settings& settings)
{
    return toLine(writeValue(settings));
}

Settings parseSettings(std::string_view text, const std::string& name)
{
    const Json json = parseJson(text, name);
    ReadContext context{name, {}};
    return readValue<Settings>(JsonReader(json, {}, context));
}

} // namespace quadric::study
