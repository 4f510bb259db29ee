// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_session.h"

#include "core/plan/fastest.h"
#include "core/study/slice.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

/// What is drawn of them may differ.
bool haveSameModels(const StudyContext& a, const StudyContext& b)
{
    return study::differInViewOnly(a.study, b.study) &&
           std::ranges::equal(a.decidingFits(), b.decidingFits(), {}, &model::Fit::predictor,
                              &model::Fit::predictor);
}

} // namespace

PlanSource planSourceOf(ContextPointer context)
{
    PlanSession session;
    session.setContext(std::move(context));
    return session.source();
}

void PlanSession::setContext(ContextPointer context)
{
    const bool isSame = m_source.context && haveSameModels(*m_source.context, *context);
    m_source.context = std::move(context);
    plan::PlanChoices choices = plan::planChoicesOf(m_source.study());
    if (isSame && choices == m_source.choices)
        return; // what choose() asked for comes back
    m_source.choices = std::move(choices);
    if (!isSame) {
        ++m_source.models;
        m_fastestOf.clear();
    }
    findSettings();
    emit changed();
}

void PlanSession::choose(const plan::PlanChoices& choices, const QString& what)
{
    if (!m_source.context || choices == m_source.choices)
        return;
    m_source.choices = choices;
    findSettings();
    emit changed();
    emit changeRequested(plan::withPlanChoices(m_source.study(), choices), what,
                         QStringLiteral("plan:") + what);
}

/// The fastest settings, with those that the user has chosen. Dragging one factor moves no other.
void PlanSession::findSettings()
{
    m_source.settings.clear();
    m_source.problem.clear();
    const model::Fit* fit = m_source.fit();
    if (fit == nullptr)
        return;
    if (m_fastestOf != fit->response) {
        plan::FastestSettings fastest =
            plan::findFastest(m_source.study(), *fit, {}, plan::isRateUnit(fit->unit));
        m_fastestOf = fit->response;
        m_fastest = std::move(fastest.settings);
        m_source.problem = std::move(fastest.message);
    }
    if (m_fastest.empty()) {
        m_fastestOf.clear();
        return;
    }
    m_source.settings = m_fastest;
    for (const auto& [name, value] : m_source.choices.at)
        m_source.settings.insert_or_assign(name, value);
}

} // namespace quadric::widgets
