// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch.h"

#include "core/run/telemetry/units.h"

#include <QFile>
#include <QSysInfo>
#include <QThread>

#include <algorithm>

namespace quadric::run {

namespace {

/// The value behind "name : value" in a file of /proc; empty when it is not there.
QString procValue(const char* path, const QByteArray& name)
{
    QFile file(QString::fromLatin1(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    for (const QByteArray& line : file.readAll().split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).trimmed() == name)
            return QString::fromUtf8(line.mid(colon + 1).trimmed());
    }
    return {};
}

QByteArray fileText(const char* path)
{
    QFile file(QString::fromLatin1(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

/// Cores that a container's quota leaves; `cores` without one.
int coresWithinQuota(int cores)
{
    const QList<QByteArray> quota = fileText("/sys/fs/cgroup/cpu.max").split(' ');
    if (quota.size() != 2)
        return cores;
    const double allowed = quota[0].toDouble() / std::max(1.0, quota[1].toDouble());
    return allowed > 0.0 ? std::clamp(static_cast<int>(allowed), 1, cores) : cores;
}

double memoryMib()
{
    constexpr double kKibPerMib = 1024.0;
    const double total =
        procValue("/proc/meminfo", "MemTotal").section(QLatin1Char(' '), 0, 0).toDouble() / kKibPerMib;
    const double limit = fileText("/sys/fs/cgroup/memory.max").toDouble() / telemetry::kBytesPerMib;
    return limit > 0.0 && limit < total ? limit : total;
}

} // namespace

Machine thisMachine()
{
    Machine machine;
    machine.cores = coresWithinQuota(std::max(1, QThread::idealThreadCount()));
    machine.memoryMib = memoryMib();
    machine.cpuName = procValue("/proc/cpuinfo", "model name");
    if (machine.cpuName.isEmpty())
        machine.cpuName = QSysInfo::currentCpuArchitecture();
    machine.hostName = QSysInfo::machineHostName();
    return machine;
}

} // namespace quadric::run
