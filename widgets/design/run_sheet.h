// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/design/matrix/run_matrix_view.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QPoint;

namespace quadric::widgets {

/// One sentence about what the user does or has just done, with the button that takes it back. Hidden while
/// there is nothing to say.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    enum class Tone { Plain, Warning };

    explicit NoticeBar(QWidget* parent = nullptr);
    void say(const QString& sentence, Tone tone, bool canUndo = false);
    void clear();
    QString sentence() const;

signals:
    void undoClicked();

private:
    QLabel* m_mark;
    QLabel* m_sentence;
    QPushButton* m_undo;
};

/// The matrix of runs as it is worked with: results and settings typed, pasted and cleared, runs excluded,
/// repeated and deleted, and a line that says what came of it. It asks for changes and makes none.
class RunSheet : public QWidget {
    Q_OBJECT

public:
    explicit RunSheet(QWidget* parent = nullptr);
    ~RunSheet() override;

    void setContext(ContextPointer context);
    const ContextPointer& context() const { return m_context; }

    RunMatrixView& view() { return m_matrix->view(); }
    RunMatrixModel& model() { return m_matrix->model(); }
    NoticeBar& notice() { return *m_notice; }
    /// Nothing is said any more but which values cannot be read.
    void clearNotice();
    /// What can be typed now.
    MatrixEdits edits() const;

    /// Asks for the change; says `notice` with a way back if it was made.
    void change(const study::Study& after, const QString& label, const QString& notice = {});
    /// What was made of the study as it was at `start`; it may have changed since.
    void changeFrom(const StudyContext& start, const study::Study& after, const QString& label,
                    const QString& notice);

signals:
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    /// The user takes back the change that was just made.
    void undoRequested();
    /// A setting that was typed is about to be changed.
    void settingChanging(int runId, const QString& factor, const QString& typed);

private:
    void connectMatrix();
    void changeResult(int runId, const QString& response, double value, bool known);
    void changeSetting(int runId, const QString& factor, const QString& typed);
    void pasteText(const QString& text);
    bool confirmPartialPaste(int taken, const QStringList& problems);
    void clearCells(const std::vector<MatrixCell>& cells);

    ContextPointer m_context;
    MatrixPanel* m_matrix;
    NoticeBar* m_notice;
};

/// The menu of the matrix: what can be done with the cells and the runs that are selected. `position` is in
/// the coordinates of the view; a click beside the selection has moved it already.
/// Asks for a reason, and leaves the runs out of all models.
void askForExclusion(RunSheet& sheet, const std::vector<int>& runs);

void showRunMenu(RunSheet& sheet, const QPoint& position);

} // namespace quadric::widgets
