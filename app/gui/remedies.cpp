// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/remedies.h"

#include "app/gui/dialogs/warnings_dialog.h"
#include "app/gui/frame/pages.h"
#include "app/gui/session/study_editor.h"
#include "core/model/select/recommended_models.h"
#include "core/report/findings/remedy.h"
#include "widgets/text/wording.h"

namespace quadric::app {

Remedies::Remedies(StudyEditor& editor, Pages& pages, QWidget& window)
    : QObject(&window)
    , m_editor(editor)
    , m_pages(pages)
    , m_window(window)
{
}

void Remedies::showWarnings()
{
    if (!m_editor.isOpen())
        return;
    auto* dialog = new WarningsDialog(*m_editor.context(), &m_window);
    connect(dialog, &WarningsDialog::remedyRequested, this, &Remedies::take);
    dialog->open();
}

void Remedies::take(const report::Finding& finding, int response)
{
    switch (report::findRemedy(finding)) {
    case report::Remedy::UseRecommendedModels:
        return useRecommendedModels();
    case report::Remedy::UseRecommendedModel:
        return useRecommendedModel(response);
    case report::Remedy::ShowRuns:
        emit stepRequested(widgets::Step::Run);
        return m_pages.pickRuns(finding.runs.front());
    case report::Remedy::AddRuns:
        return emit stepRequested(widgets::Step::Design);
    case report::Remedy::None:
        break;
    }
}

/// Factor scales stay while a runner owns the study.
void Remedies::useRecommendedModels()
{
    const widgets::StudyContext& context = *m_editor.context();
    study::Study after = model::withRecommendedModels(context.study, context.scales);
    if (context.isRunning)
        after.factors = context.study.factors;
    m_editor.change(after, tr("Use recommended models"));
}

void Remedies::useRecommendedModel(int response)
{
    study::Study after = m_editor.context()->study;
    const std::string name = after.responses.at(static_cast<std::size_t>(response)).name;
    after.model[name] = "auto";
    m_editor.change(after, tr("Recommended model of %1").arg(widgets::nameText(name)));
}

} // namespace quadric::app
