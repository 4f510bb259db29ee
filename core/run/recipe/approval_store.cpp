// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval_store.h"

#include "core/machine/json_text.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

namespace quadric::run {

namespace {

// Keys are sorted: the text of a recipe is canonical.
using Store = nlohmann::json;

QString storePath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/quadric/approvals.json");
}

[[noreturn]] void failToStore(const QString& path, const QString& reason)
{
    throw ApprovalError(path.toStdString() + ": the approval cannot be written: " + reason.toStdString());
}

/// The right to change the store, waited for.
class StoreLock {
public:
    StoreLock()
        : m_file(open())
    {
        while (::flock(m_file.get(), LOCK_EX) != 0) {
            if (errno != EINTR)
                failToStore(storePath(), QString::fromLocal8Bit(std::strerror(errno)));
        }
    }

private:
    static study::FileHandle open()
    {
        const QString path = storePath() + QStringLiteral(".lock");
        QDir().mkpath(QFileInfo(path).path());
        study::FileHandle file(
            ::open(path.toUtf8().constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
        if (!file.isOpen())
            failToStore(path, QString::fromLocal8Bit(std::strerror(errno)));
        return file;
    }

    study::FileHandle m_file;
};

bool isObject(const Store& store, const char* key)
{
    const auto found = store.find(key);
    return found == store.end() || found->is_object();
}

/// {"approvals": {hash: …}, "last": {document: hash}}, beside "recipes" of earlier versions. Nothing where
/// the text is something else; an empty store where there is no file.
std::optional<Store> readStore()
{
    const auto text = study::readTextFileIfThere(storePath().toStdString());
    if (!text)
        return Store::object();
    Store store = Store::parse(*text, nullptr, false);
    const bool isSound = store.is_object() && isObject(store, "approvals") && isObject(store, "last") &&
                         isObject(store, "recipes");
    return isSound ? std::optional(std::move(store)) : std::nullopt;
}

Store readableStore()
{
    try {
        return readStore().value_or(Store::object());
    } catch (const std::exception&) {
        return Store::object();
    }
}

void moveAside()
{
    try {
        study::setAside(storePath().toStdString(), ".unreadable");
    } catch (const study::DocumentError& error) {
        failToStore(storePath(), QString::fromUtf8(error.what()));
    }
}

void writeStore(const Store& store)
{
    const QString path = storePath();
    QSaveFile file(path);
    const QByteArray text =
        QByteArray::fromStdString(store.dump(1, ' ', false, Store::error_handler_t::replace));
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
                           file.write(text) == text.size() && file.commit();
    if (!isWritten)
        failToStore(path, file.errorString());
}

Store digestJson(const FileDigest& digest)
{
    return {{"size", digest.size}, {"looked", digest.looked}, {"sha256", digest.sha256}};
}

Store approvalJson(const StoredApproval& approval)
{
    Store files = Store::object();
    for (const auto& [name, digest] : approval.files)
        files[name] = digestJson(digest);
    return {{"recipe", Store::parse(approval.recipe)},
            {"files", files},
            {"written", approval.written},
            {"rewritten", approval.rewritten}};
}

/// Throws where it is none. One that does not belong to its hash is none either.
StoredApproval approvalFrom(const Store& json, const std::string& hash)
{
    StoredApproval approval{.recipe = machine::textOf(json.at("recipe"))};
    if (hashSha256(approval.recipe) != hash)
        throw ApprovalError("another recipe");
    for (const auto& [name, digest] : json.at("files").items())
        approval.files[name] = {.size = digest.at("size").get<std::uint64_t>(),
                                .looked = digest.at("looked").get<std::uint64_t>(),
                                .sha256 = digest.at("sha256").get<std::string>()};
    approval.written = json.at("written").get<std::set<std::string>>();
    approval.rewritten = json.at("rewritten").get<std::set<std::string>>();
    return approval;
}

std::optional<StoredApproval> findIn(const Store& store, const std::string& hash)
{
    const auto approvals = store.find("approvals");
    if (approvals == store.end() || !approvals->contains(hash))
        return std::nullopt;
    try {
        return approvalFrom((*approvals)[hash], hash);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

/// Under the lock.
Store storeToChange()
{
    std::optional<Store> store;
    try {
        store = readStore();
    } catch (const std::exception& error) {
        failToStore(storePath(), QString::fromUtf8(error.what()));
    }
    if (!store)
        moveAside();
    return store.value_or(Store::object());
}

} // namespace

std::string hashSha256(const std::string& text)
{
    return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

std::vector<std::string> findChangedFiles(const StoredApproval& approval, const FileDigests& now)
{
    FileDigests all = now;
    all.insert(approval.files.begin(), approval.files.end());
    std::vector<std::string> changed;
    for (const auto& [name, digest] : all) {
        const auto before = approval.files.find(name);
        const auto after = now.find(name);
        const bool isSame =
            before != approval.files.end() && after != now.end() && before->second == after->second;
        if (!isSame && !approval.written.contains(name))
            changed.push_back(name);
    }
    return changed;
}

std::optional<StoredApproval> findApproval(const std::string& hash)
{
    return findIn(readableStore(), hash);
}

LastApproval findLastApproval(const std::string& document)
{
    const Store store = readableStore();
    const Store hash = store.value("last", Store::object()).value(document, Store());
    if (!hash.is_string())
        return {};
    LastApproval last{.approval = findIn(store, hash.get<std::string>())};
    last.isOfEarlierVersion =
        !last.approval && store.value("recipes", Store::object()).contains(hash.get<std::string>());
    return last;
}

void storeApproval(const std::string& hash, const std::string& document,
                   const std::function<void(StoredApproval&)>& change)
{
    const StoreLock lock;
    Store store = storeToChange();
    StoredApproval approval = findIn(store, hash).value_or(StoredApproval());
    change(approval);
    store["approvals"][hash] = approvalJson(approval);
    store["last"][document] = hash;
    writeStore(store);
}

void updateApproval(const std::string& hash, const std::function<void(StoredApproval&)>& change)
{
    const StoreLock lock;
    Store store = storeToChange();
    std::optional<StoredApproval> approval = findIn(store, hash);
    if (!approval)
        return;
    change(*approval);
    store["approvals"][hash] = approvalJson(*approval);
    writeStore(store);
}

} // namespace quadric::run
