// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/secret_words.h"

#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace quadric::text {

namespace {

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

char lowered(char c)
{
    return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) { return lowered(c); });
    return lower;
}

/// "accessToken" and "ACCESS_TOKEN" are "access", "token".
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool isHump = i > 0 && isUpper(name[i]) && isLower(name[i - 1]);
        if ((isHump || !isLetterOrDigit(name[i])) && !words.back().empty())
            words.emplace_back();
        if (isLetterOrDigit(name[i]))
            words.back() += lowered(name[i]);
    }
    return words;
}

template <std::size_t size>
bool isAmong(std::string_view word, const std::array<std::string_view, size>& words)
{
    return std::ranges::find(words, word) != words.end();
}

/// "api_key", "ACCESS_KEY", but not "sort_key".
bool namesKey(const std::vector<std::string>& words)
{
    constexpr std::array<std::string_view, 13> kinds = {
        "api",     "access", "private", "account", "encryption", "signing", "master",
        "license", "deploy", "storage", "ssh",     "munge",      "wandb"};
    for (std::size_t i = 1; i < words.size(); ++i) {
        if ((words[i] == "key" || words[i] == "keys") && isAmong(words[i - 1], kinds))
            return true;
    }
    return false;
}

/// The longest piece of letters and digits.
std::string_view longestPiece(std::string_view word)
{
    std::string_view longest;
    for (std::size_t begin = 0; begin < word.size(); ++begin) {
        std::size_t end = begin;
        while (end < word.size() && isLetterOrDigit(word[end]))
            ++end;
        if (end - begin > longest.size())
            longest = word.substr(begin, end - begin);
        begin = end;
    }
    return longest;
}

bool hasAllKinds(std::string_view word)
{
    return std::ranges::any_of(word, isUpper) && std::ranges::any_of(word, isLower) &&
           std::ranges::any_of(word, isDigit);
}

int kindOf(char c)
{
    return isUpper(c) ? 0 : isLower(c) ? 1 : isDigit(c) ? 2 : 3;
}

/// How often a character is followed by one of another kind, as a share. Of random base64 it is 0.64, of
/// words in CamelCase less than 0.4.
double shareOfChanges(std::string_view word)
{
    int changes = 0;
    for (std::size_t i = 1; i < word.size(); ++i)
        changes += kindOf(word[i]) != kindOf(word[i - 1]) ? 1 : 0;
    return word.size() < 2 ? 0.0 : changes / static_cast<double>(word.size() - 1);
}

int countDigitGroups(std::string_view word)
{
    int groups = 0;
    for (std::size_t i = 0; i < word.size(); ++i)
        groups += isDigit(word[i]) && (i == 0 || !isDigit(word[i - 1])) ? 1 : 0;
    return groups;
}

bool isRandomHex(std::string_view word)
{
    constexpr std::array<std::size_t, 6> digests = {32, 40, 56, 64, 96, 128};
    constexpr std::size_t kShortest = 32, kFewestKinds = 8;
    const auto isHexDigit = [](char c) { return isDigit(c) || (lowered(c) >= 'a' && lowered(c) <= 'f'); };
    if (word.size() < kShortest || !std::ranges::all_of(word, isHexDigit) ||
        std::ranges::find(digests, word.size()) != digests.end())
        return false;
    std::string kinds = lowered(word);
    std::ranges::sort(kinds);
    const auto last = std::unique(kinds.begin(), kinds.end());
    const bool hasLetters = std::ranges::any_of(word, [](char c) { return !isDigit(c); });
    return hasLetters && static_cast<std::size_t>(last - kinds.begin()) >= kFewestKinds;
}

/// A secret access key of Amazon's has 40 characters of base64, slashes included.
bool isAccessKey(std::string_view word)
{
    constexpr std::size_t kSize = 40;
    constexpr double kLeastChanges = 0.38;
    return word.size() == kSize && hasAllKinds(word) && isLetterOrDigit(word.front()) &&
           word.find_first_of("-_.~=") == word.npos && shareOfChanges(word) > kLeastChanges;
}

bool isRandomBase64(std::string_view word)
{
    constexpr std::size_t kShortest = 32, kShortestPiece = 16;
    constexpr double kLeastChanges = 0.42;
    const std::string_view piece = longestPiece(word);
    return word.size() >= kShortest && piece.size() >= kShortestPiece && hasAllKinds(piece) &&
           countDigitGroups(piece) > 1 && shareOfChanges(piece) > kLeastChanges &&
           !word.starts_with("_Z"); // a symbol of C++
}

/// How a token begins, how much has to follow, and whether nothing else begins so.
struct TokenStart {
    std::string_view start;
    std::size_t least;
    bool isCertain;
};

constexpr auto kTokenStarts = std::to_array<TokenStart>({
    {"ghp_", 6, true},
    {"gho_", 6, true},
    {"ghu_", 6, true},
    {"ghs_", 6, true},
    {"ghr_", 6, true},
    {"github_pat_", 6, true},
    {"glpat-", 6, true},
    {"gldt-", 6, true},
    {"glrt-", 6, true},
    {"xoxa-", 6, true},
    {"xoxb-", 6, true},
    {"xoxe-", 6, true},
    {"xoxp-", 6, true},
    {"xoxr-", 6, true},
    {"xoxs-", 6, true},
    {"xapp-", 10, true},
    {"AKIA", 12, true},
    {"ASIA", 12, false},
    {"AIza", 20, true},
    {"eyJ", 16, true},
    {"hf_", 16, false},
    {"sk-", 16, false},
    {"sk_live_", 8, true},
    {"sk_test_", 8, true},
    {"rk_live_", 8, true},
    {"gsk_", 16, false},
    {"xai-", 16, false},
    {"nvapi-", 16, true},
    {"npm_", 20, false},
    {"pypi-", 16, false},
    {"r8_", 20, false},
    {"dapi", 32, false},
    {"ya29.", 16, true},
    {"hvs.", 16, true},
    {"SG.", 20, false},
    {"dop_v1_", 16, true},
    {"wandb_v1_", 8, true},
    {"lin_api_", 8, true},
    {"ATATT", 16, false},
    {"tskey-", 10, true},
    {"AGE-SECRET-KEY-", 8, true},
    {"MUNGE:", 8, true},
});

} // namespace

bool isLetterOrDigit(char c)
{
    return isUpper(c) || isLower(c) || isDigit(c);
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isOfName(char c)
{
    return isLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
}

bool isOfToken(char c)
{
    return isLetterOrDigit(c) || std::string_view("+/=_-.~").find(c) != std::string_view::npos;
}

bool namesSecret(std::string_view name)
{
    constexpr std::array<std::string_view, 14> whole = {
        "token", "jwt",       "auth", "authorization", "cookie",   "cookies",    "bearer",
        "sig",   "signature", "cred", "creds",         "passcode", "passphrase", "passwd"};
    constexpr std::array<std::string_view, 6> parts = {"password", "passwd",     "secret",
                                                       "apikey",   "credential", "accesskey"};
    constexpr std::array<std::string_view, 3> endings = {"pass", "pat", "pwd"}; // DB_PASS; PWD is a folder
    const std::string lower = lowered(name);
    const auto isPart = [&lower](std::string_view part) { return lower.find(part) != lower.npos; };
    if (std::ranges::any_of(parts, isPart))
        return true;
    std::vector<std::string> words = wordsOf(name);
    if (words.back().empty())
        words.pop_back();
    const bool isToken = lower.size() > 5 && lower.ends_with("token"); // "MYTOKEN"
    return isToken || std::ranges::any_of(words, [&](const auto& word) { return isAmong(word, whole); }) ||
           namesKey(words) || (words.size() > 1 && isAmong(words.back(), endings));
}

std::size_t tokenSize(std::string_view text)
{
    for (const TokenStart& known : kTokenStarts) {
        if (!text.starts_with(known.start))
            continue;
        const auto* const end = std::find_if_not(text.begin() + known.start.size(), text.end(), isOfToken);
        const auto body = text.substr(known.start.size(),
                                      static_cast<std::size_t>(end - text.begin()) - known.start.size());
        if (body.size() >= known.least &&
            (known.isCertain || longestPiece(body).size() >= 16 || hasAllKinds(body)))
            return known.start.size() + body.size();
    }
    return 0;
}

std::size_t httpSchemeSize(std::string_view text)
{
    for (const std::string_view scheme : {"bearer", "basic"}) {
        if (lowered(text.substr(0, scheme.size())) == scheme && text.size() > scheme.size() &&
            isBlank(text[scheme.size()]))
            return scheme.size();
    }
    return 0;
}

bool isHttpScheme(std::string_view word)
{
    const std::string lower = lowered(word);
    return lower == "bearer" || lower == "basic" || lower == "token" || lower == "digest";
}

bool looksEncoded(std::string_view word)
{
    constexpr std::size_t kShortest = 8, kLongestWord = 20;
    return word.size() >= kShortest &&
           (word.size() > kLongestWord || !isPlainWord(word.substr(1)) || word.ends_with('='));
}

bool looksRandom(std::string_view word)
{
    return isRandomHex(word) || isRandomBase64(word) || isAccessKey(word);
}

bool holdsPassword(std::string_view user, std::string_view host, bool hasScheme)
{
    constexpr std::size_t kShortestToken = 16; // https://TOKEN@host
    const std::size_t colon = user.find(':');
    const bool hasPassword = colon != user.npos && colon + 1 < user.size();
    if (host.empty() || !(isLetterOrDigit(host.front()) || host.front() == '[') ||
        user.find('/') != user.npos)
        return false;
    if (hasScheme)
        return hasPassword || user.size() >= kShortestToken;
    const std::string_view name = user.substr(0, colon);
    return hasPassword && !name.empty() && name != "mailto" && !host.starts_with("sha") &&
           std::ranges::all_of(name, isOfName) && !std::ranges::all_of(name, isDigit);
}

bool isHarmlessValue(std::string_view value)
{
    constexpr std::array<std::string_view, 9> words = {"",   "none", "null", "true",    "false",
                                                       "on", "off",  "yes",  "disabled"};
    const auto isOfNumber = [](char c) { return isDigit(c) || c == '.' || c == '-' || c == '+'; };
    return isAmong(lowered(value), words) || std::ranges::all_of(value, isOfNumber) || value.starts_with('<');
}

bool isPlainWord(std::string_view value)
{
    return std::ranges::all_of(value, isLower) || std::ranges::all_of(value, isUpper);
}

} // namespace quadric::text
