// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/report/finding.h"
#include "core/study/study.h"

#include <QFrame>
#include <QMetaType>
#include <QString>
#include <QWidget>

#include <filesystem>
#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QMenu;

namespace quadric::widgets {

/// What is said to the user about the execution of the open study, and what mends it.
struct RunMessage {
    enum class Severity { News, Good, Warning, Error };
    enum class Remedy {
        None,
        Start,          ///< the runs that are left are started (again)
        EditMeasurement ///< the study says how it is measured, and that is wrong
    };

    QString words; ///< sentences, never of the command line; empty: there is nothing to say
    Severity severity = Severity::News;
    Remedy remedy = Remedy::None;
};

/// A tinted strip across a page with a mark and a few sentences, which can be selected.
class Banner : public QFrame {
    Q_OBJECT

public:
    enum class Tone { News, Good, Warning, Error };

    explicit Banner(QWidget* parent = nullptr);

    /// `mark`: a sign or two before the words, so that color is not alone.
    void setTone(Tone tone, const QString& mark);
    void setWords(const QString& words);
    QString words() const;

protected:
    QLabel* label() { return m_words; }
    /// Behind the words and the buttons that there are.
    QPushButton* addButton(const char* name, const QString& text);
    void changeEvent(QEvent* event) override;

private:
    void updateToneColors();

    QLabel* m_mark = nullptr;
    QLabel* m_words = nullptr;
    QHBoxLayout* m_row = nullptr;
    Tone m_tone = Tone::News;
};

/// What a page shows while it cannot work: what is missing, in words, and the button that gets it.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// An empty `button` hides the button.
    void setTexts(const QString& title, const QString& sentence, const QString& button);

signals:
    void buttonClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* m_title = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_button = nullptr;
};

/// The runs that are lit on all pages; the one that the user went to last is the current one.
struct PickedRuns {
    int current = -1;          ///< −1: none
    std::vector<int> all = {}; ///< ascending, the current one among them

    PickedRuns() = default;
    /// One run; −1: none.
    PickedRuns(int run); // NOLINT(google-explicit-constructor): one run is the usual set
    /// Of several the last is the current one.
    explicit PickedRuns(std::vector<int> runs);

    bool isEmpty() const { return all.empty(); }
    bool contains(int run) const;
    /// With this run too, or without it if it was among them.
    PickedRuns toggled(int run) const;
    /// With these too.
    PickedRuns with(const std::vector<int>& runs) const;
    bool operator==(const PickedRuns&) const = default;
};

/// Everything a page shows, as one snapshot; pages keep the pointer and never change what it points to.
struct StudyContext {
    study::Study study;
    /// One per response, in the study's order: of the study as it is analyzed (model::withChosenModels()).
    std::vector<model::Fit> fits;
    std::filesystem::path path; ///< empty: not saved yet
    bool isRunning = false;     ///< a background runner executes the study
    /// The study as it is stored, where `study` is the one that is analyzed and differs.
    std::shared_ptr<const study::Study> stored = {};
};
using ContextPointer = std::shared_ptr<const StudyContext>;

enum class Step { Design, Run, Explore, Optimize, Plan, Report };

/// "Runs 3, 7 and 12 are selected."
QString pickedText(const PickedRuns& runs);

/// One step of the main window. It shows the context and asks for changes; it never changes, saves or starts
/// anything itself.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    virtual void setContext(ContextPointer context) = 0;

    /// Adds to the menu of a plot what can be done with the runs that are lit.
    void addRunActions(QMenu& menu, const PickedRuns& picked);

signals:
    /// The study as the user wants it. Changes with the same non-empty `mergeKey` in a row become one undo
    /// step (a drag).
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);
    void stepRequested(quadric::widgets::Step step);
    /// What the program can do about a finding (report::findRemedy()) is wanted.
    void remedyRequested(const quadric::report::Finding& finding);
    /// The runs to be lit on every page.
    void runsPicked(const quadric::widgets::PickedRuns& runs);
    /// The user wants to exclude these runs from all models, and is to be asked for the reason.
    void exclusionRequested(const std::vector<int>& runs);
};

/// The context with names as they are shown (study::withDisplayNames()), for what is drawn or written for
/// people. Where all names are fit to be shown it is the same context.
ContextPointer withDisplayNames(ContextPointer context);

} // namespace quadric::widgets

Q_DECLARE_METATYPE(quadric::widgets::RunMessage)
