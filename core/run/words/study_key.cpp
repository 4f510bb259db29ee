// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/study_key.h"

#include "core/study/file.h"

#include <QCryptographicHash>

namespace quadric::run {

QString studyKey(const std::filesystem::path& document)
{
    // Enough to tell studies apart, short enough for the path of a socket (107 bytes).
    constexpr qsizetype kBytes = 12;
    const std::string path = std::filesystem::absolute(study::resolved(document)).lexically_normal().string();
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(path), QCryptographicHash::Sha256);
    return QStringLiteral("quadric-") + QString::fromLatin1(hash.left(kBytes).toHex());
}

} // namespace quadric::run
