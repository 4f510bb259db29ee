// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"

#include "core/machine/json_text.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document.h"
#include "core/study/file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

namespace quadric::run {

namespace {

using Json = nlohmann::json; // keys are sorted: the text is canonical

void addTexts(const study::Study& study, const std::string& name, Json& texts)
{
    if (const study::Factor* factor = study::findFactor(study, name); factor && !factor->isNumeric())
        texts[name] = factor->categories;
    for (const study::Settings* settings : {&study.fixed, &study.benchmark.options}) {
        const auto found = settings->find(name);
        if (found != settings->end())
            texts[name + (settings == &study.fixed ? " (fixed)" : " (option)")] =
                study::toText(found->second);
    }
}

/// Texts that get into the command through its placeholders.
Json textsBehindPlaceholders(const study::Study& study)
{
    Json texts = Json::object();
    const auto add = [&](const std::string& field) {
        for (const std::string& name : placeholdersOf(field))
            addTexts(study, name, texts);
    };
    for (const std::string& argument : study.benchmark.argv)
        add(argument);
    for (const auto& [name, value] : study.benchmark.env)
        add(value);
    return texts;
}

Json recipeOf(const study::Study& study, const std::filesystem::path& document)
{
    const study::Benchmark& benchmark = study.benchmark;
    Json recipe = {{"workload", benchmark.workload},
                   {"argv", benchmark.argv},
                   {"env", benchmark.env},
                   {"cwd", benchmark.cwd},
                   {"folder", workingFolder(study, study::resolved(document)).string()},
                   {"parse", study::writeParse(benchmark.parse)},
                   {"texts", textsBehindPlaceholders(study)}};
    if (benchmark.slurm.holdsCommands()) // those that cannot be read are not executed either
        recipe["slurm"] = {{"options", benchmark.slurm.options}, {"setup", benchmark.slurm.setup}};
    return recipe;
}

QString storePath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/quadric/approvals.json");
}

/// {"recipes": {hash: recipe}, "last": {document: hash}}; an unreadable store approves nothing.
Json readStore()
{
    QFile file(storePath());
    Json store = Json::object();
    if (file.open(QIODevice::ReadOnly))
        store = Json::parse(file.readAll().toStdString(), nullptr, false);
    if (!store.is_object())
        store = Json::object();
    for (const char* key : {"recipes", "last"}) {
        if (!store.contains(key) || !store[key].is_object())
            store[key] = Json::object();
    }
    return store;
}

void writeStore(const Json& store)
{
    const QString path = storePath();
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    const QByteArray text =
        QByteArray::fromStdString(store.dump(1, ' ', false, Json::error_handler_t::replace));
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
                           file.write(text) == text.size() && file.commit();
    if (!isWritten)
        throw ApprovalError(path.toStdString() +
                            ": the approval cannot be written: " + file.errorString().toStdString());
}

std::string shownValue(const Json& value)
{
    return value.is_null()     ? "nothing"
           : value.is_string() ? value.get<std::string>()
                               : machine::textOf(value);
}

/// One line per key that is different.
std::string changesBetween(const Json& before, const Json& after)
{
    std::string text;
    for (const auto& [key, value] : after.items()) {
        const Json old = before.value(key, Json());
        if (old != value)
            text += "  " + key + ": was " + shownValue(old) + "\n  " + std::string(key.size(), ' ') +
                    "   now " + shownValue(value) + "\n";
    }
    return text;
}

} // namespace

bool needsApproval(const study::Study& study)
{
    return study.benchmark.workload == "command" || study.benchmark.slurm.holdsCommands();
}

std::string recipeText(const study::Study& study, const std::filesystem::path& document)
{
    return machine::textOf(recipeOf(study, document));
}

QByteArray recipeHash(const study::Study& study, const std::filesystem::path& document)
{
    return QCryptographicHash::hash(QByteArray::fromStdString(recipeText(study, document)),
                                    QCryptographicHash::Sha256)
        .toHex();
}

bool isApproved(const study::Study& study, const std::filesystem::path& document)
{
    return !needsApproval(study) ||
           readStore()["recipes"].contains(recipeHash(study, document).toStdString());
}

void requireApproval(const study::Study& study, const std::filesystem::path& document)
{
    if (!isApproved(study, document))
        throw ApprovalError(document.string() + ": benchmark.argv is not approved. " +
                            approvalQuestion(study, document).toStdString() +
                            "Nothing was executed. To approve exactly this, run again with --approve");
}

void approve(const study::Study& study, const std::filesystem::path& document)
{
    if (!needsApproval(study))
        return;
    Json store = readStore();
    const std::string hash = recipeHash(study, document).toStdString();
    store["recipes"][hash] = recipeOf(study, document);
    store["last"][study::resolved(document).string()] = hash;
    writeStore(store);
}

QString approvalQuestion(const study::Study& study, const std::filesystem::path& document)
{
    const Json recipe = recipeOf(study, document);
    std::string text = "This study wants to run:\n";
    for (const char* key : {"argv", "env", "folder", "texts", "slurm"}) {
        if (recipe.contains(key) && !recipe[key].empty())
            text += std::string("  ") + key + ": " + shownValue(recipe[key]) + "\n";
    }
    const Json store = readStore();
    const Json last = store["last"].value(study::resolved(document).string(), Json());
    if (last.is_string() && store["recipes"].contains(last.get<std::string>())) {
        const std::string changes = changesBetween(store["recipes"][last.get<std::string>()], recipe);
        if (!changes.empty())
            text += "Changed since it was approved:\n" + changes;
    }
    return QString::fromStdString(text);
}

} // namespace quadric::run
