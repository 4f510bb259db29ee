// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/torch_probe.h"

#include "core/run/proposal/torch_report.h"

#include <QTimer>

namespace quadric::widgets {

namespace {

constexpr int kPatienceMs = 30'000; ///< a cold import from a network disk takes its time

} // namespace

TorchProbe::TorchProbe(QObject* parent)
    : QObject(parent)
{
    connect(&m_python, &QProcess::finished, this, &TorchProbe::conclude);
    connect(&m_python, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            conclude();
    });
}

TorchProbe::~TorchProbe()
{
    m_python.disconnect(this);
    m_python.kill();
    m_python.waitForFinished();
}

void TorchProbe::ask()
{
    if (!m_sentence.isEmpty())
        return emit told(m_sentence);
    if (m_python.state() != QProcess::NotRunning)
        return;
    m_python.start(QStringLiteral("python3"),
                   {QStringLiteral("-c"), QString::fromStdString(run::torchScript())});
    QTimer::singleShot(kPatienceMs, &m_python, &QProcess::kill);
}

void TorchProbe::conclude()
{
    const std::string output = m_python.readAllStandardOutput().toStdString();
    m_sentence = QString::fromStdString(run::describeTorch(run::readTorchReport(output)));
    emit told(m_sentence);
}

} // namespace quadric::widgets
