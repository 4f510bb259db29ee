// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_editor.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using app::StudyEditor;

class StudyEditorTest : public QObject {
    Q_OBJECT

private slots:
    void changesUndoAndRedo()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study first = editor.context()->study;
        const study::Study second = renamed(first, "second"), third = renamed(first, "third");
        QVERIFY(editor.change(second, "a"));
        QVERIFY(editor.change(third, "b"));
        QVERIFY(!editor.change(third, "nothing new"));
        QCOMPARE(editor.undoStack().count(), 2);
        editor.undo();
        QCOMPARE(editor.context()->study, second);
        editor.undo();
        QCOMPARE(editor.context()->study, first);
        editor.undo();
        QCOMPARE(editor.context()->study, first);
        editor.redo();
        editor.redo();
        editor.redo();
        QCOMPARE(editor.context()->study, third);
    }

    void dragsMergeIntoOneStep()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study before = editor.context()->study;
        study::Study after = before;
        for (const double weight : {1.1, 1.2, 1.3}) {
            after.responses[0].weight = weight;
            editor.change(after, "Weight", "weight");
        }
        after.responses[1].weight = 2.0;
        editor.change(after, "Other weight", "other");
        QCOMPARE(editor.undoStack().count(), 2);
        editor.undo();
        QCOMPARE(editor.context()->study.responses[0].weight, 1.3);
        editor.undo();
        QCOMPARE(editor.context()->study, before);
    }

    void dragsBackToTheStartLeaveNoStep()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study before = editor.context()->study;
        editor.change(renamed(before, "x"), "Rename", "name");
        editor.change(before, "Rename", "name");
        QCOMPARE(editor.undoStack().count(), 0);
        QCOMPARE(editor.context()->study, before);
    }

    void goalsDoNotFitAgain()
    {
        StudyEditor editor;
        editor.open(study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study, {});
        QCOMPARE(editor.context()->fits.size(), size_t(2));
        QVERIFY(editor.context()->fits[0].isOk());
        const double r2 = *editor.context()->fits[0].r2;
        study::Study after = editor.context()->study;
        after.responses[0].weight = 3.0;
        editor.change(after, "Weight");
        QCOMPARE(*editor.context()->fits[0].r2, r2);
        after.runs[0].status = study::RunStatus::Excluded;
        editor.change(after, "Leave out");
        QCOMPARE(editor.context()->fits[0].n, 12); // of 15 runs, three of which are copies
    }

    void undoKeepsResults()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study before = editor.context()->study;
        editor.change(renamed(before, "new name"), "Rename");
        editor.takeRun(measured(before, 4));
        editor.undo();
        QCOMPARE(editor.context()->study.name, before.name);
        QCOMPARE(*study::findRun(editor.context()->study, 4), measured(before, 4));
        editor.takeRun(measured(before, 5));
        editor.redo();
        QCOMPARE(editor.context()->study.name, std::string("new name"));
        QCOMPARE(study::countRuns(editor.context()->study, study::RunStatus::Done), 2);
    }

    void undoOfAddedRunsKeepsThoseMeasured()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const std::vector repeated(3, editor.context()->study.runs[0].settings);
        const auto more = study::withRuns(editor.context()->study, repeated, study::RunKind::Confirmation);
        QVERIFY(study::validate(more).empty());
        QCOMPARE(more.runs.size(), size_t(18));
        editor.change(more, "Add runs");
        editor.takeRun(measured(more, 16));
        editor.undo();
        QCOMPARE(editor.context()->study.runs.size(), size_t(16));
        QCOMPARE(*study::findRun(editor.context()->study, 16), measured(more, 16));
    }

    void historyEndsWhereAResultHasNoPlace()
    {
        StudyEditor editor;
        editor.open(example(), {});
        study::Study other = editor.context()->study;
        for (auto& run : other.runs)
            run.settings["batch_per_rank"] = 5.0;
        editor.change(other, "Other settings");
        editor.takeRun(measured(other, 2));
        QVERIFY(!editor.undoStack().canUndo());
        editor.undo();
        QCOMPARE(study::countRuns(editor.context()->study, study::RunStatus::Done), 1);
    }

    void runningStudiesKeepTheirRuns()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study before = editor.context()->study;
        study::Study shorter = before;
        shorter.runs.erase(shorter.runs.begin());
        editor.change(shorter, "Remove a run");
        editor.setRunning(true);
        QSignalSpy refused(&editor, &StudyEditor::refused);
        editor.undo(); // would bring the run back
        QVERIFY(!editor.change(before, "Add it again"));
        QCOMPARE(refused.count(), 2);
        QCOMPARE(editor.context()->study, shorter);

        study::Study weighted = shorter;
        weighted.responses[0].weight = 4.0;
        QVERIFY(editor.change(weighted, "Weight"));
        editor.undo();
        study::Study scaled = shorter;
        scaled.factors[0].scale = study::Scale::Linear;
        QVERIFY2(scaled != shorter && editor.change(scaled, "Factor scales"), "scales belong to the models");
        editor.undo();
        QCOMPARE(editor.context()->study, shorter);
        editor.setRunning(false);
        editor.undo();
        QCOMPARE(editor.context()->study, before);
    }

    void runsMayBeAddedWhileOthersAreExecuted()
    {
        StudyEditor editor;
        editor.open(example(), {});
        editor.setRunning(true);
        const study::Study longer =
            study::withRuns(example(), {example().runs[0].settings}, study::RunKind::Augment);
        QVERIFY(editor.change(longer, "Add a run"));
        QCOMPARE(editor.context()->study, longer);
        study::Study other = longer;
        other.runs.front().settings = other.runs[1].settings;
        QVERIFY(!editor.change(other, "Change a setting"));
    }

    void factsAreNoEdits()
    {
        StudyEditor editor;
        editor.open(example(), {});
        QSignalSpy edited(&editor, &StudyEditor::edited);
        QSignalSpy shown(&editor, &StudyEditor::contextChanged);
        const study::Run run = measured(editor.context()->study, 1);
        editor.takeRun(run);
        editor.takeRun(run);
        QCOMPARE(edited.count(), 0);
        QCOMPARE(shown.count(), 1);
        QVERIFY(!editor.undoStack().canUndo());
    }

    void baselinesAreFactsToo()
    {
        StudyEditor editor;
        editor.open(example(), {});
        const study::Study before = editor.context()->study;
        editor.change(renamed(before, "new name"), "Rename");
        study::Run baseline;
        baseline.id = baseline.order = study::largestRunId(before) + 1;
        baseline.kind = study::RunKind::Baseline;
        baseline.status = study::RunStatus::Done;
        baseline.settings = {{"ranks", 1.0}};
        editor.takeRun(baseline);
        QCOMPARE(editor.context()->study.runs, before.runs);
        QCOMPARE(editor.context()->study.baselines, std::vector{baseline});
        QSignalSpy changes(&editor, &StudyEditor::contextChanged);
        editor.takeRun(baseline);
        QCOMPARE(changes.count(), 0);
        editor.undo();
        QCOMPARE(editor.context()->study.name, before.name);
        QCOMPARE(editor.context()->study.baselines, std::vector{baseline});
    }

private:
    static study::Study example()
    {
        return study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study;
    }
    static study::Study renamed(study::Study study, const char* name)
    {
        study.name = name;
        return study;
    }
    static study::Run measured(const study::Study& study, int id)
    {
        study::Run run = *study::findRun(study, id);
        run.status = study::RunStatus::Done;
        run.results = {{"images_per_sec", 100.0 + id}, {"scaling_efficiency", 80.0}, {"step_ms", 12.0}};
        run.provenance.source = study::Source::Measured;
        return run;
    }
};

QUADRIC_QT_TEST(StudyEditorTest)
#include "study_editor_test.moc"
