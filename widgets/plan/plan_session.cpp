// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_session.h"

#include "core/study/shown_study.h"

namespace quadric::widgets {

namespace {

/// What is drawn of them may differ.
bool haveSameModels(const StudyContext& a, const StudyContext& b)
{
    return study::differInViewOnly(a.study, b.study);
}

} // namespace

PlanSource makePlanSource(ContextPointer context)
{
    PlanSession session;
    session.setContext(std::move(context));
    return session.source();
}

void PlanSession::setContext(ContextPointer context)
{
    const bool isSame = m_source.context && haveSameModels(*m_source.context, *context);
    m_source.context = std::move(context);
    plan::PlanChoices choices = plan::readPlanChoices(m_source.study());
    if (isSame && choices == m_source.choices)
        return; // what choose() asked for comes back
    m_source.choices = std::move(choices);
    if (!isSame) {
        ++m_source.models;
        m_fastestOf.reset();
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

void PlanSession::findSettings()
{
    m_source.settings.clear();
    m_source.problem.clear();
    const model::Fit* fit = m_source.fit();
    if (fit == nullptr)
        return;
    const std::pair asked(fit->response, m_source.choices.largest);
    if (m_fastestOf != asked) {
        m_fastest = plan::findFastest(m_source.study(), *fit, m_source.choices);
        m_fastestOf = asked;
    }
    m_source.problem = m_fastest.message;
    if (!m_fastest.settings.empty())
        m_source.settings = plan::chosenSettings(m_fastest.settings, m_source.choices);
}

} // namespace quadric::widgets
