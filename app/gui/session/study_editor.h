// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QUndoStack>

namespace quadric::app {

/// The only way to change the open study. What the user wants becomes an undo step; what a runner measured is
/// a fact: it goes into every version that undo and redo can reach, so that neither ever takes a result away.
class StudyEditor : public QObject {
    Q_OBJECT

public:
    explicit StudyEditor(QObject* parent = nullptr);
    ~StudyEditor() override;

    /// Shows this study instead of the one that was open; forgets all undo steps.
    void open(study::Study study, const std::filesystem::path& path);
    void close();
    bool isOpen() const { return m_context != nullptr; }

    /// The open study as a snapshot; null when none is open.
    const widgets::ContextPointer& context() const { return m_context; }
    /// The same with the study as it is analyzed (model::withChosenModels()), of which the fits are.
    const widgets::ContextPointer& analyzed() const { return m_analyzed; }
    QUndoStack& undoStack() { return m_stack; }

    /// Makes `after` the study, as one undo step called `label`. Steps with the same non-empty `mergeKey` in
    /// a row become one. While a runner executes the study its factors, what is measured, and the runs that
    /// are there stay; a change of these is refused(), and false is returned.
    bool change(const study::Study& after, const QString& label, const QString& mergeKey = {});

    /// One step back or forward; refused() like change() while a runner owns the study.
    void undo();
    void redo();

    /// Makes `after`, in which another program's changes are, the study: as one undo step called `label`, but
    /// for what was measured. Where results here have gone or changed there is no way back to what was
    /// before.
    void applyExternalChange(const study::Study& after, const QString& label);

    /// A run as its runner reports it.
    void takeRun(const study::Run& run);

    void setRunning(bool isRunning);
    void setPath(const std::filesystem::path& path);

signals:
    void contextChanged(const quadric::widgets::ContextPointer& context);
    /// The study differs from what was last opened or edited: there is something to save.
    void edited();
    /// takeRun() has put this record into the study.
    void recorded(const quadric::study::Run& run);
    void refused(const QString& reason);

private:
    struct Versions;
    class Command;

    void apply(const study::Study& study);
    void show(study::Study study);
    void setContext(widgets::StudyContext context, study::Study analyzed);
    bool checkApplicable(const study::Study& after);
    void push(study::Study before, const study::Study& after, const QString& label, const QString& mergeKey);
    bool mergeResults(study::Study& before, const study::Study& after);
    bool keepInHistory(const study::Run& run, const std::vector<study::Factor>& factors);
    void forgetHistory();

    QUndoStack m_stack;
    std::vector<std::weak_ptr<Versions>> m_history;
    widgets::ContextPointer m_context, m_analyzed;
};

} // namespace quadric::app
