// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/script_language.h"

namespace quadric::exchange {

std::string quoted(const std::string& text)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0)
            result += "\uFFFD";
        else if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (byte < 0x20 || byte == 0x7f)
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        else
            result += c;
    }
    return result + '"';
}

std::string list(const Language& language, const std::vector<std::string>& items)
{
    std::string text = language.listOpen;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i > 0 ? ", " : "") + items[i];
    return text + language.listClose;
}

std::string item(const Language& language, const std::string& table, const std::string& name)
{
    return table + language.itemOpen + quoted(name) + language.itemClose;
}

/// (s(v) − center) / half range on the factor's scale.
std::string codedText(const Language& language, const study::Factor& factor)
{
    const std::string value = item(language, "runs", factor.name);
    if (factor.scale == study::Scale::Linear)
        return "(" + value + " - " + study::toText((factor.low + factor.high) / 2) + ") / " +
               study::toText((factor.high - factor.low) / 2);
    const auto onScale = [&](double limit) {
        return std::string(language.log2) + "(" + study::toText(limit) + ")";
    };
    const std::string low = onScale(factor.low), high = onScale(factor.high);
    return "(" + std::string(language.log2) + "(" + value + ") - (" + low + " + " + high + ") / 2) / ((" +
           high + " - " + low + ") / 2)";
}

std::string contrastText(const std::string& values, const std::string& level, const std::string& last)
{
    return "contrast(" + values + ", " + level + ", " + last + ")";
}

std::string columnText(const Language& language, const model::Column& column,
                       const std::vector<study::Factor>& factors)
{
    std::string text;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const int power = column.term.powers[i];
        if (power == 0)
            continue;
        text += text.empty() ? "" : " * ";
        const std::vector<std::string>& levels = factors[i].categories;
        if (!factors[i].isNumeric())
            text += contrastText(item(language, "runs", factors[i].name),
                                 quoted(levels[static_cast<std::size_t>(column.contrast[i])]),
                                 quoted(levels.back()));
        else
            text += item(language, "coded", factors[i].name) +
                    (power > 1 ? language.power + std::to_string(power) : std::string());
    }
    return text;
}

std::string transformText(const Language& language, const study::Transform& transform, const std::string& y)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return y;
    case study::TransformKind::Log:
        return std::string(language.log) + "(" + y + ")";
    case study::TransformKind::Sqrt:
        return std::string(language.sqrt) + "(" + y + ")";
    case study::TransformKind::Inverse:
        return "1 / " + y;
    case study::TransformKind::Logit:
        return std::string(language.log) + "((" + y + " - " + study::toText(transform.low) + ") / (" +
               study::toText(transform.high) + " - " + y + "))";
    case study::TransformKind::BoxCox:
        if (transform.lambda == 0)
            return std::string(language.log) + "(" + y + ")";
        return "(" + y + language.power + "(" + study::toText(transform.lambda) + ") - 1) / (" +
               study::toText(transform.lambda) + ")";
    }
    return y;
}

} // namespace quadric::exchange
