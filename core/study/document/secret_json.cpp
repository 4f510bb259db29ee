// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/secret_json.h"

#include "core/text/secret_words.h"
#include "core/text/secrets.h"

namespace quadric::study {

namespace {

void cleanValue(Json& value, bool isNamedSecret);

/// "--token" in a command, whose value comes next.
bool isSecretOption(const Json& value)
{
    const auto* const text = value.get_ptr<const std::string*>();
    return text != nullptr && text->starts_with('-') && text->find('=') == text->npos &&
           text::namesSecret(*text);
}

void cleanList(Json& list, bool isNamedSecret)
{
    bool isValueOfOption = false;
    for (Json& item : list) {
        cleanValue(item, isNamedSecret || isValueOfOption);
        isValueOfOption = isSecretOption(item);
    }
}

void leaveOut(std::string& text, bool isNamedSecret)
{
    if (isNamedSecret && !text::isHarmlessValue(text))
        text = text::kLeftOut;
    else if (std::string clean = text::withoutSecrets(text); clean != text)
        text = std::move(clean);
}

void cleanValue(Json& value, bool isNamedSecret)
{
    if (auto* const text = value.get_ptr<std::string*>()) {
        leaveOut(*text, isNamedSecret);
    } else if (value.is_array()) {
        cleanList(value, isNamedSecret);
    } else if (value.is_object()) {
        for (auto entry = value.begin(); entry != value.end(); ++entry)
            cleanValue(entry.value(), isNamedSecret || text::namesSecret(entry.key()));
    }
}

} // namespace

void leaveSecretsOut(Json& value)
{
    cleanValue(value, false);
}

} // namespace quadric::study
