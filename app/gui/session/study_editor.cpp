// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_editor.h"

#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/study/new_records.h"
#include "core/study/run_records.h"

#include <QUndoCommand>

#include <algorithm>

namespace quadric::app {

/// What one undo step leads from and to. Shared with the editor, which writes results into both.
struct StudyEditor::Versions {
    study::Study before, after;
};

class StudyEditor::Command : public QUndoCommand {
public:
    Command(StudyEditor& editor, std::shared_ptr<Versions> versions, const QString& label, QString mergeKey)
        : QUndoCommand(label)
        , m_editor(editor)
        , m_versions(std::move(versions))
        , m_mergeKey(std::move(mergeKey))
    {
    }

    const Versions& versions() const { return *m_versions; }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    void undo() override { m_editor.apply(m_versions->before); }
    void redo() override { m_editor.apply(m_versions->after); }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = static_cast<const Command*>(other);
        if (next->m_mergeKey != m_mergeKey)
            return false;
        m_versions->after = next->m_versions->after;
        setObsolete(m_versions->before == m_versions->after);
        return true;
    }

private:
    StudyEditor& m_editor;
    std::shared_ptr<Versions> m_versions;
    QString m_mergeKey;
};

namespace {

/// The factors as a runner sees them: scales belong to the models.
std::vector<study::Factor> withoutScales(std::vector<study::Factor> factors)
{
    for (study::Factor& factor : factors)
        factor.scale = {};
    return factors;
}

/// The study without what may change while a runner executes it.
study::Study ownedByRunner(study::Study study)
{
    study.factors = withoutScales(std::move(study.factors));
    study.name.clear();
    study.description.clear();
    study.model.clear();
    study.view.clear();
    study.design = {};
    for (auto& response : study.responses) {
        study::Response bare;
        bare.name = response.name;
        response = bare;
    }
    return study;
}

/// Runs may be added: the runner does not know them.
bool keepsWhatIsExecuted(const study::Study& before, study::Study after)
{
    if (after.runs.size() > before.runs.size())
        after.runs.resize(before.runs.size());
    return ownedByRunner(std::move(after)) == ownedByRunner(before);
}

bool hasSameFitInput(const study::Study& a, const study::Study& b)
{
    const auto isSame = [](const study::Response& x, const study::Response& y) {
        return x.name == y.name && x.unit == y.unit && x.transform == y.transform && x.goal == y.goal &&
               x.bounds == y.bounds;
    };
    return a.runs == b.runs && a.factors == b.factors && a.model == b.model &&
           a.constraints == b.constraints && a.fixed == b.fixed &&
           std::equal(a.responses.begin(), a.responses.end(), b.responses.begin(), b.responses.end(), isSame);
}

std::vector<model::Fit> fitsOf(const study::Study& study)
{
    try {
        return optimize::fitForGoals(study);
    } catch (const std::exception& error) {
        std::vector<model::Fit> fits;
        for (const auto& response : study.responses) {
            model::Fit fit;
            fit.status = model::FitStatus::BadModel;
            fit.message = error.what();
            fit.response = response.name;
            fit.unit = response.unit;
            fits.push_back(std::move(fit));
        }
        return fits;
    }
}

/// A baseline belongs to no design; false where its number is that of a run.
bool putRecordedBaseline(study::Study& study, const study::Run& baseline)
{
    if (study::findRun(study, baseline.id))
        return false;
    study::insertOrReplaceBaseline(study, baseline);
    return true;
}

/// Puts the run into a study that has it at the same settings, or that has the same factors and no such run.
/// False where it does not fit.
bool mergeRunInto(study::Study& study, const study::Run& run, const std::vector<study::Factor>& factors)
{
    if (run.kind == study::RunKind::Baseline)
        return putRecordedBaseline(study, run);
    if (study::Run* known = study::findRun(study, run.id)) {
        if (known->settings != run.settings)
            return false;
        *known = study::withRecord(*known, run);
        return true;
    }
    if (withoutScales(study.factors) != withoutScales(factors))
        return false;
    study.runs.push_back(run);
    return true;
}

} // namespace

StudyEditor::StudyEditor(QObject* parent)
    : QObject(parent)
{
}

StudyEditor::~StudyEditor() = default;

void StudyEditor::open(study::Study study, const std::filesystem::path& path)
{
    forgetHistory();
    study::Study analyzed = model::withChosenModels(study);
    std::vector<model::Fit> fits = fitsOf(analyzed);
    setContext({std::move(study), std::move(fits), path}, std::move(analyzed));
}

void StudyEditor::setContext(widgets::StudyContext context, study::Study analyzed)
{
    m_context = std::make_shared<const widgets::StudyContext>(std::move(context));
    m_analyzed = m_context;
    if (analyzed != m_context->study) {
        m_analyzed = std::make_shared<const widgets::StudyContext>(
            widgets::StudyContext{.study = std::move(analyzed),
                                  .fits = m_context->fits,
                                  .path = m_context->path,
                                  .isRunning = m_context->isRunning,
                                  .stored = {m_context, &m_context->study}});
    }
    emit contextChanged(m_context);
}

void StudyEditor::close()
{
    m_context.reset();
    m_analyzed.reset();
    forgetHistory();
}

bool StudyEditor::change(const study::Study& after, const QString& label, const QString& mergeKey)
{
    if (!m_context || after == m_context->study)
        return false;
    if (!checkApplicable(after))
        return false;
    push(m_context->study, after, label, mergeKey);
    return true;
}

void StudyEditor::push(study::Study before, const study::Study& after, const QString& label,
                       const QString& mergeKey)
{
    auto versions = std::make_shared<Versions>(Versions{std::move(before), after});
    std::erase_if(m_history, [](const auto& old) { return old.expired(); });
    m_history.push_back(versions);
    m_stack.push(new Command(*this, std::move(versions), label, mergeKey));
}

void StudyEditor::applyExternalChange(const study::Study& after, const QString& label)
{
    if (!m_context || after == m_context->study)
        return;
    study::Study before = m_context->study;
    if (!mergeResults(before, after))
        forgetHistory();
    else if (before != after)
        return push(std::move(before), after, label, QStringLiteral("disk"));
    apply(after);
}

/// Results of `after` go into `before` and every version of the history. False where they fit one of these
/// not, or where a result here is not in `after`: undoing would bring it back beside the new one.
bool StudyEditor::mergeResults(study::Study& before, const study::Study& after)
{
    std::map<int, study::Run> known;
    for (study::Run& run : study::allRuns(before))
        known.emplace(run.id, std::move(run));
    bool fitsAll = true;
    for (const study::Run& run : study::allRuns(after)) {
        const auto old = known.find(run.id);
        const bool isSame =
            old != known.end() && old->second.settings == run.settings && old->second.results == run.results;
        const bool isLost = old != known.end() && !old->second.results.empty() && !isSame;
        if (isLost)
            fitsAll = false;
        else if (!isSame && !run.results.empty())
            fitsAll =
                mergeRunInto(before, run, after.factors) && keepInHistory(run, after.factors) && fitsAll;
        known.erase(run.id);
    }
    const auto isMeasured = [](const auto& left) { return !left.second.results.empty(); };
    return fitsAll && std::ranges::none_of(known, isMeasured);
}

void StudyEditor::forgetHistory()
{
    m_stack.clear();
    m_history.clear();
}

void StudyEditor::undo()
{
    const auto* command = static_cast<const Command*>(m_stack.command(m_stack.index() - 1));
    if (command && checkApplicable(command->versions().before))
        m_stack.undo();
}

void StudyEditor::redo()
{
    const auto* command = static_cast<const Command*>(m_stack.command(m_stack.index()));
    if (command && checkApplicable(command->versions().after))
        m_stack.redo();
}

bool StudyEditor::checkApplicable(const study::Study& after)
{
    if (!m_context->isRunning || keepsWhatIsExecuted(m_context->study, after))
        return true;
    emit refused(tr(
        "The experiment is running. Factors, and the runs that are there, can be changed when it has ended "
        "or was stopped; everything else at any time."));
    return false;
}

void StudyEditor::takeRun(const study::Run& run)
{
    if (!m_context)
        return;
    const std::vector<study::Run> known = study::allRuns(m_context->study);
    if (std::ranges::find(known, run) != known.end())
        return;
    study::Study study = m_context->study;
    if (!mergeRunInto(study, run, study.factors))
        return;
    if (!keepInHistory(run, m_context->study.factors))
        forgetHistory();
    emit recorded(run);
    show(std::move(study));
}

bool StudyEditor::keepInHistory(const study::Run& run, const std::vector<study::Factor>& factors)
{
    bool fitsAll = true;
    for (const auto& entry : m_history)
        if (const auto versions = entry.lock())
            fitsAll = mergeRunInto(versions->before, run, factors) &&
                      mergeRunInto(versions->after, run, factors) && fitsAll;
    return fitsAll;
}

void StudyEditor::apply(const study::Study& study)
{
    show(study);
    emit edited();
}

void StudyEditor::show(study::Study study)
{
    widgets::StudyContext next;
    next.path = m_context->path;
    next.isRunning = m_context->isRunning;
    const bool isSame = hasSameFitInput(m_context->study, study);
    study::Study analyzed =
        isSame ? model::withModelsOf(study, m_analyzed->study) : model::withChosenModels(study);
    next.fits = isSame ? m_context->fits : fitsOf(analyzed);
    next.study = std::move(study);
    setContext(std::move(next), std::move(analyzed));
}

void StudyEditor::setRunning(bool isRunning)
{
    if (!m_context || m_context->isRunning == isRunning)
        return;
    widgets::StudyContext next = *m_context;
    next.isRunning = isRunning;
    setContext(std::move(next), m_analyzed->study);
}

void StudyEditor::setPath(const std::filesystem::path& path)
{
    if (!m_context || m_context->path == path)
        return;
    widgets::StudyContext next = *m_context;
    next.path = path;
    setContext(std::move(next), m_analyzed->study);
}

} // namespace quadric::app
