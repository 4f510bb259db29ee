// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/worker_protocol.h"

#include "core/text/secrets.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <utility>

namespace quadric::run {

std::vector<Line> LineReader::feed(std::string_view bytes)
{
    std::vector<Line> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        const std::size_t room = kMostLineBytes - m_line.text.size();
        m_line.isCut = m_line.isCut || piece.size() > room;
        m_line.text += piece.substr(0, room);
        if (end == bytes.npos)
            break;
        completeLine(lines);
        bytes.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<Line> LineReader::finish()
{
    std::vector<Line> lines;
    completeLine(lines);
    return lines;
}

void LineReader::completeLine(std::vector<Line>& lines)
{
    Line line = std::exchange(m_line, {});
    if (!line.text.empty() && line.text.back() == '\r')
        line.text.pop_back();
    if (!line.text.empty())
        lines.push_back(std::move(line));
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostMessageBytes = 2000;
constexpr std::size_t kMostNameBytes = 200;
constexpr std::size_t kMostUnitBytes = 20;
constexpr int kDeepestNesting = 32;

BadMessage bad(const std::string& kind, const std::string& message)
{
    return {{kind, message}};
}

bool isNumberCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
}

/// JSON knows neither NaN nor Infinity nor numbers beyond a double, but programs print them.
bool isNonFiniteToken(std::string_view token)
{
    if (!token.empty() && (token.front() == '-' || token.front() == '+'))
        token.remove_prefix(1);
    if (token == "NaN" || token == "nan" || token == "Infinity" || token == "inf" || token == "Inf")
        return true;
    double value = 0.0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    return error == std::errc::result_out_of_range && end == token.data() + token.size() &&
           token.find("e-") == token.npos && token.find("E-") == token.npos;
}

/// Replaces every number that is not finite by null, outside strings, so that the rest can be read.
std::string withNullForNonFinite(std::string_view text)
{
    std::string out;
    bool inString = false;
    for (std::size_t i = 0; i < text.size();) {
        if (inString || !isNumberCharacter(text[i])) {
            if (inString && text[i] == '\\' && i + 1 < text.size())
                out += text[i++];
            else if (text[i] == '"')
                inString = !inString;
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isNumberCharacter(text[end]))
            ++end;
        const std::string_view token = text.substr(i, end - i);
        out += isNonFiniteToken(token) ? std::string_view("null") : token;
        i = end;
    }
    return out;
}

bool isTooDeep(std::string_view text)
{
    int depth = 0;
    for (const char c : text) {
        if (c == '{' || c == '[')
            ++depth;
        else if (c == '}' || c == ']')
            --depth;
        if (depth > kDeepestNesting)
            return true;
    }
    return false;
}

std::optional<Json> parseObject(std::string_view line)
{
    if (isTooDeep(line))
        return std::nullopt;
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded())
        json = Json::parse(withNullForNonFinite(line), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    return json;
}

std::optional<double> finiteNumber(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return std::nullopt;
    const double value = found->get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string textOf(const Json& object, const char* key, std::size_t most)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string()
               ? cleanText(text::withoutSecrets(found->get<std::string>()), most)
               : std::string();
}

study::Facts keysOf(const Json& object)
{
    study::Facts keys;
    for (const auto& [key, value] : object.items())
        keys[cleanText(key, kMostNameBytes)] = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return keys;
}

/// Reads a map of finite numbers; what is wrong with it otherwise.
std::optional<BadMessage> readNumbers(const Json& object, const char* key,
                                      std::map<std::string, double, std::less<>>& out)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_object())
        return bad("bad-output", std::string("result without an object \"") + key + "\"");
    for (const auto& [name, value] : found->items()) {
        const std::string shown = "result \"" + cleanText(name, kMostNameBytes) + "\" in \"" + key + "\"";
        if (value.is_null() || (value.is_number() && !std::isfinite(value.get<double>())))
            return bad("non-finite", shown + " is not a finite number");
        if (!value.is_number())
            return bad("bad-output", shown + " is " + value.type_name() + ", expected a number");
        out[cleanText(name, kMostNameBytes)] = value.get<double>();
    }
    return std::nullopt;
}

WorkerMessage readHello(const Json& json)
{
    Hello hello;
    hello.protocol = static_cast<int>(std::clamp(finiteNumber(json, "protocol").value_or(0.0), 0.0, 1e6));
    hello.details = keysOf(json);
    hello.details.erase("event");
    hello.details.erase("protocol");
    return hello;
}

WorkerMessage readProgress(const Json& json)
{
    const auto done = finiteNumber(json, "done");
    if (!done)
        return LogText{"progress without a finite number \"done\""};
    Progress progress;
    progress.done = std::clamp(*done, 0.0, 1.0);
    progress.phase = textOf(json, "phase", 40);
    progress.samples = static_cast<int>(std::clamp(finiteNumber(json, "samples").value_or(0.0), 0.0, 1e9));
    return progress;
}

WorkerMessage readSample(const Json& json)
{
    const auto stepMs = finiteNumber(json, "step_ms");
    if (!stepMs)
        return LogText{"sample without a finite number \"step_ms\""};
    const auto items = finiteNumber(json, "items");
    const auto seconds = finiteNumber(json, "seconds");
    return Sample{.stepMs = *stepMs,
                  .items = items && *items > 0.0 ? items : std::nullopt,
                  .unit = textOf(json, "unit", kMostUnitBytes),
                  .seconds = seconds && *seconds >= 0.0 ? seconds : std::nullopt};
}

WorkerMessage readResult(const Json& json)
{
    Result result;
    if (auto wrong = readNumbers(json, "responses", result.responses))
        return *wrong;
    if (json.contains("spread")) {
        if (auto wrong = readNumbers(json, "spread", result.spread))
            return *wrong;
    }
    if (const auto found = json.find("provenance"); found != json.end()) {
        if (!found->is_object())
            return bad("bad-output", "\"provenance\" of the result is not an object");
        result.provenance = keysOf(*found);
    }
    if (const auto run = json.find("run_id"); run != json.end())
        result.run = run->is_string() ? textOf(json, "run_id", kMostNameBytes)
                                      : run->dump(-1, ' ', false, Json::error_handler_t::replace);
    return result;
}

/// A kind is a short word: letters, digits and hyphens.
bool isKind(std::string_view text)
{
    return !text.empty() && text.size() <= 40 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
}

WorkerMessage readFailure(const Json& json)
{
    study::Failure failure;
    failure.kind = textOf(json, "kind", 80);
    if (!isKind(failure.kind))
        failure.kind = "failed";
    failure.message = textOf(json, "message", kMostMessageBytes);
    if (failure.message.empty())
        failure.message = "The program gave no reason";
    return WorkerFailure{failure};
}

std::vector<WorkerMessage> messagesOf(const std::vector<Line>& lines)
{
    std::vector<WorkerMessage> messages;
    messages.reserve(lines.size());
    for (const Line& line : lines)
        messages.push_back(line.isCut ? asLogText(line) : WorkerProtocol::parseLine(line.text));
    return messages;
}

} // namespace

std::string writeSample(const Sample& sample)
{
    nlohmann::ordered_json json = {{"step_ms", sample.stepMs}};
    if (sample.items)
        json["items"] = *sample.items;
    if (!sample.unit.empty())
        json["unit"] = sample.unit;
    if (sample.seconds)
        json["seconds"] = *sample.seconds;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

LogText asLogText(const Line& line)
{
    return {line.isCut ? line.text + " … (line cut after 64 KiB)" : line.text};
}

std::vector<WorkerMessage> WorkerProtocol::feed(std::string_view bytes)
{
    return messagesOf(m_lines.feed(bytes));
}

std::vector<WorkerMessage> WorkerProtocol::finish()
{
    return messagesOf(m_lines.finish());
}

WorkerMessage WorkerProtocol::parseLine(std::string_view line)
{
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == line.npos || line[start] != '{')
        return LogText{std::string(line)};
    const auto json = parseObject(line.substr(start));
    const std::string event = json ? textOf(*json, "event", kMostNameBytes) : std::string();
    if (event.empty())
        return LogText{std::string(line)};
    if (event == "hello")
        return readHello(*json);
    if (event == "progress")
        return readProgress(*json);
    if (event == "sample")
        return readSample(*json);
    if (event == "result")
        return readResult(*json);
    if (event == "failure")
        return readFailure(*json);
    return UnknownEvent{event};
}

std::string cleanText(std::string_view text, std::size_t most)
{
    const bool isCut = text.size() > most;
    // The dump replaces broken UTF-8, a character cut in two at the end included.
    const std::string json =
        Json(std::string(text.substr(0, most))).dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string clean = Json::parse(json).get<std::string>();
    for (char& c : clean) {
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t')
            c = ' ';
    }
    return isCut ? clean + "…" : clean;
}

} // namespace quadric::run
