// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/study_key.h"

#include <QCryptographicHash>

namespace quadric::run {

namespace {

/// One path for one study, whichever links lead to it, also while the file itself is missing.
std::filesystem::path canonicalPath(const std::filesystem::path& document)
{
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(document);
    std::filesystem::path canonical = std::filesystem::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : canonical;
}

} // namespace

QString studyKey(const std::filesystem::path& document)
{
    // Enough to tell studies apart, short enough for the path of a socket (107 bytes).
    constexpr qsizetype kBytes = 12;
    const QByteArray hash = QCryptographicHash::hash(
        QByteArray::fromStdString(canonicalPath(document).string()), QCryptographicHash::Sha256);
    return QStringLiteral("quadric-") + QString::fromLatin1(hash.left(kBytes).toHex());
}

} // namespace quadric::run
