// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/secrets.h"

#include <algorithm>
#include <array>

namespace quadric::text {

namespace {

/// How a token begins, and how many characters have to follow; of those that words begin with, too ("sk-"),
/// only letters and digits in a row count.
struct TokenStart {
    std::string_view start;
    std::size_t least;
    bool isLikeAWord = false;
};

constexpr auto kTokenStarts = std::to_array<TokenStart>({
    {"AGE-SECRET-KEY-", 8},
    {"AIza", 20},
    {"AKIA", 12},
    {"ASIA", 16, true},
    {"ATATT", 16, true},
    {"MUNGE:", 8},
    {"SG.", 20, true},
    {"dapi", 32, true},
    {"dckr_oat_", 8},
    {"dckr_pat_", 8},
    {"dop_v1_", 16},
    {"eyJ", 16}, // a JSON Web Token: the first letters of {" in base64
    {"ghp_", 6},
    {"gho_", 6},
    {"ghr_", 6},
    {"ghs_", 6},
    {"ghu_", 6},
    {"github_pat_", 6},
    {"gldt-", 6},
    {"glpat-", 6},
    {"glrt-", 6},
    {"gsk_", 16, true},
    {"hf_", 16, true},
    {"hvs.", 16},
    {"lin_api_", 8},
    {"npm_", 20, true},
    {"nvapi-", 16},
    {"pypi-", 16, true},
    {"r8_", 20, true},
    {"rk_live_", 8},
    {"sk-", 16, true},
    {"sk-ant-", 12},
    {"sk-proj-", 12},
    {"sk_live_", 8},
    {"sk_test_", 8},
    {"tskey-", 10},
    {"wandb_v1_", 8},
    {"xai-", 16, true},
    {"xapp-", 10},
    {"xoxa-", 6},
    {"xoxb-", 6},
    {"xoxe-", 6},
    {"xoxp-", 6},
    {"xoxr-", 6},
    {"xoxs-", 6},
    {"ya29.", 16},
});

bool isLetterOrDigit(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool isOfToken(char c)
{
    return isLetterOrDigit(c) || std::string_view("+/=_-.~").find(c) != std::string_view::npos;
}

template <class Holds> std::size_t countFirst(std::string_view text, Holds holds)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(text, holds) - text.begin());
}

/// Length of the token that the text begins with; 0: with none.
std::size_t measureToken(std::string_view text)
{
    for (const TokenStart& known : kTokenStarts) {
        if (!text.starts_with(known.start))
            continue;
        const std::string_view rest = text.substr(known.start.size());
        const std::size_t size = countFirst(rest, isOfToken);
        if ((known.isLikeAWord ? countFirst(rest, isLetterOrDigit) : size) >= known.least)
            return known.start.size() + size;
    }
    return 0;
}

/// Length of the PEM block that the text begins with, up to its last line or the end of the text; 0: with
/// none.
std::size_t measureBlock(std::string_view text)
{
    constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ", kDashes = "-----";
    if (!text.starts_with(kBegin))
        return 0;
    const std::size_t last = text.find(kEnd);
    const std::size_t dashes = last == text.npos ? last : text.find(kDashes, last + kEnd.size());
    return dashes == text.npos ? text.size() : dashes + kDashes.size();
}

/// Length of "user:password" behind "://" where an "@" follows; 0: there is no password.
std::size_t measurePassword(std::string_view text)
{
    const std::size_t end = countFirst(
        text, [](char c) { return std::string_view(" \t\r\n\"'<>/?#@").find(c) == std::string_view::npos; });
    const std::size_t colon = text.substr(0, end).find(':');
    const bool hasPassword = end < text.size() && text[end] == '@' && colon != text.npos && colon + 1 < end;
    return hasPassword ? end : 0;
}

/// Length of the secret at `at`; 0: there begins none.
std::size_t measureSecret(std::string_view text, std::size_t at)
{
    if (text.substr(0, at).ends_with("://")) {
        if (const std::size_t size = measurePassword(text.substr(at)); size > 0)
            return size;
    }
    if (text[at] == '-')
        return measureBlock(text.substr(at));
    const bool isWordStart = isLetterOrDigit(text[at]) && (at == 0 || !isLetterOrDigit(text[at - 1]));
    return isWordStart ? measureToken(text.substr(at)) : 0;
}

} // namespace

std::string withoutSecrets(std::string_view text)
{
    std::string clean;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = measureSecret(text, at);
        if (size > 0)
            clean += kLeftOut;
        else
            clean += text[at];
        at += std::max<std::size_t>(size, 1);
    }
    return clean;
}

} // namespace quadric::text
