// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/run_watch.h"

namespace quadric::app {

namespace {

constexpr int kPauseMs = 500;

} // namespace

RunWatch::RunWatch(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kPauseMs);
    connect(&m_timer, &QTimer::timeout, this, &RunWatch::read);
}

void RunWatch::setDocument(const std::filesystem::path& document)
{
    if (document == m_document)
        return;
    m_document = document;
    begin();
}

void RunWatch::watch(int run)
{
    m_run = run;
    begin();
}

void RunWatch::compare(const std::vector<int>& runs)
{
    std::vector<run::ComparedRun> compared;
    compared.reserve(runs.size());
    for (const int run : runs)
        compared.push_back({run, run::RunFiles(m_document, run).read().samples});
    emit comparedRead(compared);
}

void RunWatch::begin()
{
    m_files.reset();
    m_timer.stop();
    if (m_document.empty() || m_run < 0)
        return;
    m_files.emplace(m_document, m_run);
    m_timer.start();
    read();
}

void RunWatch::read()
{
    const run::RunFiles::News news = m_files->read();
    if (news.isEmpty())
        return;
    if (news.isNewLog || !news.log.isEmpty())
        emit logRead(m_run, news.log, news.isNewLog);
    if (news.isNewSamples || !news.samples.isEmpty())
        emit samplesRead(m_run, news.samples, news.isNewSamples);
}

} // namespace quadric::app
