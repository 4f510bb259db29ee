// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/slice.h"

#include "core/study/coding.h"
#include "core/text/read_number.h"

#include <algorithm>

namespace quadric::study {

namespace {

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

Settings sliceOf(const Study& study)
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
