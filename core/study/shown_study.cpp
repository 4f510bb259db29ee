// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/shown_study.h"

#include "core/study/factor.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace quadric::study {

namespace {

/// What a name, or the level of a factor, is called instead.
using Renames = std::map<std::string, std::string>;

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// The code point that begins at `at`, as its bytes.
std::string_view codePointAt(std::string_view text, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < text.size() && isContinuation(text[end]))
        ++end;
    return text.substr(at, end - at);
}

/// Control characters (also those of ISO 6429 beyond ASCII), line separators, and the marks of UAX #9 that
/// embed, override or isolate a direction.
bool isInvisible(std::string_view codePoint)
{
    constexpr std::array<std::string_view, 11> kMarks = {"\u2028", "\u2029", "\u202A", "\u202B",
                                                         "\u202C", "\u202D", "\u202E", "\u2066",
                                                         "\u2067", "\u2068", "\u2069"};
    const auto first = static_cast<unsigned char>(codePoint.front());
    if (codePoint.size() == 1)
        return first < 0x20U || first == 0x7FU;
    const bool isC1 =
        codePoint.size() == 2 && first == 0xC2U && static_cast<unsigned char>(codePoint[1]) < 0xA0U;
    return isC1 || std::ranges::find(kMarks, codePoint) != kMarks.end();
}

/// Names that have to change, each with one that nothing else has.
Renames renamesOf(const std::vector<std::string>& names)
{
    std::set<std::string> taken(names.begin(), names.end());
    Renames renames;
    for (const std::string& name : names) {
        const std::string shown = shownText(name);
        if (shown == name)
            continue;
        std::string unique = shown;
        for (int copy = 2; taken.contains(unique); ++copy)
            unique = shown + " (" + std::to_string(copy) + ")";
        taken.insert(unique);
        renames[name] = unique;
    }
    return renames;
}

void rename(std::string& name, const Renames& renames)
{
    if (const auto found = renames.find(name); found != renames.end())
        name = found->second;
}

/// Keys of a map, whatever it holds.
template <typename Map> void renameKeys(Map& map, const Renames& renames)
{
    for (const auto& [from, to] : renames)
        if (auto node = map.extract(from)) {
            node.key() = to;
            map.insert(std::move(node));
        }
}

void replaceAll(std::string& text, const Renames& renames)
{
    for (const auto& [from, to] : renames)
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
}

void renameLevels(Study& study, Factor& factor)
{
    const Renames renames = renamesOf(factor.categories);
    if (renames.empty())
        return;
    for (std::string& level : factor.categories)
        rename(level, renames);
    for (Run& run : study.runs)
        if (const auto setting = run.settings.find(factor.name); setting != run.settings.end())
            if (auto* level = std::get_if<std::string>(&setting->second))
                rename(*level, renames);
    for (std::string& constraint : study.constraints)
        replaceAll(constraint, renames);
}

std::vector<std::string> namesOf(const auto& items)
{
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const auto& item : items)
        names.push_back(item.name);
    return names;
}

void renameFactors(Study& study, const Renames& renames)
{
    for (Factor& factor : study.factors)
        rename(factor.name, renames);
    for (Run& run : study.runs)
        renameKeys(run.settings, renames);
    for (auto& [response, model] : study.model)
        replaceAll(model, renames);
    for (std::string& constraint : study.constraints)
        replaceAll(constraint, renames);
}

void renameResponses(Study& study, const Renames& renames)
{
    for (Response& response : study.responses)
        rename(response.name, renames);
    for (Run& run : study.runs) {
        renameKeys(run.results, renames);
        renameKeys(run.spread, renames);
    }
    renameKeys(study.model, renames);
}

constexpr const char* kSlice = "slice";

/// Inside the factor's range, and a value that can be run.
bool canBeHeld(const Factor& factor, const Value& value)
{
    if (const auto* level = std::get_if<std::string>(&value))
        return std::ranges::count(factor.categories, *level) > 0;
    const double actual = numberOf(value);
    return factor.isNumeric() && actual >= factor.low && actual <= factor.high &&
           (factor.type == FactorType::Continuous || snapToLegal(factor, actual) == actual);
}

std::optional<Value> valueFrom(const Factor& factor, const std::string& text)
{
    if (!factor.isNumeric())
        return Value(text);
    const std::optional<double> number = text::readNumber(text, '.');
    return number ? std::optional<Value>(*number) : std::nullopt;
}

Settings centerOf(const Study& study)
{
    const Coding coding(study.factors);
    return coding.toLegalSettings(coding.center());
}

} // namespace

std::string shownText(std::string_view text, std::size_t most)
{
    std::string shown;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view codePoint = codePointAt(text, at);
        if (++count > most)
            return shown + "…";
        shown += isInvisible(codePoint) ? " " : codePoint;
        at += codePoint.size();
    }
    return shown;
}

Study withDisplayNames(Study study)
{
    for (Factor& factor : study.factors) {
        factor.unit = shownText(factor.unit);
        renameLevels(study, factor);
    }
    for (Response& response : study.responses)
        response.unit = shownText(response.unit);
    renameFactors(study, renamesOf(namesOf(study.factors)));
    renameResponses(study, renamesOf(namesOf(study.responses)));
    return study;
}

Settings readSlice(const Study& study)
{
    Settings slice = centerOf(study);
    const auto page = study.view.find(kSlice);
    if (page == study.view.end())
        return slice;
    for (const std::vector<std::string>& row : page->second.views) {
        const Factor* factor = row.size() == 2 ? findFactor(study, row.front()) : nullptr;
        const std::optional<Value> value = factor != nullptr ? valueFrom(*factor, row.back()) : std::nullopt;
        if (value && canBeHeld(*factor, *value))
            slice[factor->name] = *value;
    }
    return slice;
}

Study withHeld(Study study, std::string_view factor, const Value& value)
{
    const Factor* held = findFactor(study, factor);
    if (held == nullptr || !canBeHeld(*held, value))
        return study;
    PageView& page = study.view[kSlice];
    std::erase_if(page.views, [factor](const auto& row) { return !row.empty() && row.front() == factor; });
    if (centerOf(study).at(held->name) != value)
        page.views.push_back({held->name, toText(value)});
    if (page == PageView{})
        study.view.erase(kSlice);
    return study;
}

bool differInViewOnly(const Study& a, const Study& b)
{
    Study other = a;
    other.view = b.view;
    return other == b;
}

} // namespace quadric::study
