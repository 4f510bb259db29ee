// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/run_search.h"

#include "core/design/base/design.h"
#include "core/design/base/design_type.h"
#include "core/report/findings/design_findings.h"
#include "core/run/proposal/renames.h"
#include "widgets/wizard/wizard_page.h"
#include "widgets/wizard/wizard_problems.h"

#include <chrono>

namespace quadric::widgets {

namespace {

constexpr std::chrono::milliseconds kNewsEvery(100);

LaidOutRuns layOut(const study::Study& study, const std::stop_token& stop, design::Progress progress)
{
    for (const auto& problem : study::validate(study))
        if (problem.isError)
            return {.problem = problemWords(study, problem)};
    LaidOutRuns laidOut;
    progress.found = [&](const design::SearchReport& search) {
        laidOut.note = QString::fromStdString(report::describeSearch(search));
        laidOut.isStopped = search.isStopped;
    };
    try {
        laidOut.runs = design::layOut(study, true, stop, progress).runs;
    } catch (const design::Stopped&) {
        laidOut.isStopped = true;
        laidOut.problem =
            RunSearch::tr("The search was stopped before it had a design. Search again, or choose "
                          "another design.");
    } catch (const std::exception& error) {
        laidOut.problem = QString::fromStdString(error.what());
    }
    return laidOut;
}

/// The study with the names that its factors have got: another name asks for no other runs.
study::Study withNamesOf(study::Study study, const study::Study& after)
{
    if (study.factors.size() != after.factors.size())
        return study;
    run::Names names;
    for (std::size_t i = 0; i < after.factors.size(); ++i) {
        names[study.factors[i].name] = after.factors[i].name;
        study.factors[i].name = after.factors[i].name;
    }
    return run::withFactorsRenamed(std::move(study), names);
}

} // namespace

bool needsNewRuns(const study::Study& former, const study::Study& after)
{
    const study::Study before = withNamesOf(former, after);
    return before.factors != after.factors || before.design != after.design ||
           before.constraints != after.constraints ||
           (before.fixed != after.fixed && !after.constraints.empty());
}

RunSearch::RunSearch(QObject* parent)
    : QObject(parent)
{
    connect(&m_news, &QTimer::timeout, this, [this] { emit progressed(m_searched->load()); });
}

std::optional<LaidOutRuns> RunSearch::start(const study::Study& study)
{
    cancel();
    const design::DesignType* type = design::findDesignType(study.design.type);
    if (!type || !type->isSlow())
        return layOut(study, {}, {});
    m_searched = std::make_shared<std::atomic<double>>(0.0);
    m_search.start(
        [study, searched = m_searched](const std::stop_token& stop) {
            return layOut(study, stop, {.done = [&](double done) { *searched = done; }});
        },
        [this](const LaidOutRuns& laidOut) {
            m_news.stop();
            emit found(laidOut);
        });
    m_news.start(kNewsEvery);
    return std::nullopt;
}

void RunSearch::cancel()
{
    m_search.cancel();
    m_news.stop();
}

} // namespace quadric::widgets
