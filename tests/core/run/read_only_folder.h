// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>

#include <filesystem>

namespace quadric::test {

/// A folder that can be made read-only for programs that are started with read_only_shim.cpp in LD_PRELOAD,
/// whatever rights they have.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(const std::filesystem::path& folder)
    {
        qputenv("READ_ONLY_FOLDER", QByteArray::fromStdString(folder.string()) + '/');
        qputenv("READ_ONLY_SWITCH", m_outside.filePath(QStringLiteral("switch")).toUtf8());
    }

    void set(bool isReadOnly) const
    {
        QFile file(m_outside.filePath(QStringLiteral("switch")));
        if (isReadOnly)
            file.open(QIODevice::WriteOnly);
        else
            file.remove();
    }

private:
    QTemporaryDir m_outside;
};

} // namespace quadric::test
