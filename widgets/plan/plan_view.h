// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"
#include "widgets/base/page.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/text_table.h"

class QPushButton;
class QComboBox;
class QLabel;
class QScrollArea;
class QTableView;
class QVBoxLayout;

namespace quadric::widgets {

/// What the page plans with, as plain values: a copy is what a job works on.
struct PlanSource {
    ContextPointer context;    ///< where the models come from
    plan::PlanChoices choices; ///< may be newer than those of the context
    study::Settings settings;  ///< as chosen, of all factors; empty: nothing can be planned
    std::string problem;       ///< why there are none
    int models = 0;            ///< another number for other models

    const study::Study& study() const { return context->study; }
    /// The fit that says how long the work takes; none: nullptr.
    const model::Fit* fit() const { return context ? plan::plannedFit(context->fits, choices) : nullptr; }
    bool isReady() const { return fit() != nullptr && !settings.empty(); }
};

/// The source of what the study itself has chosen.
PlanSource makePlanSource(ContextPointer context);

/// The controller of the page: keeps what is asked in step with what the user does.
class PlanSession : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void setContext(ContextPointer context);
    const PlanSource& source() const { return m_source; }

    /// What the user asks now. `what` names the change for undo; changes of one thing in a row are one step.
    void choose(const plan::PlanChoices& choices, const QString& what);

signals:
    void changed();
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);

private:
    void findSettings();

    PlanSource m_source;
    std::string m_fastestOf; ///< response that `m_fastest` is for
    study::Settings m_fastest;
};

class FactorSliders;

/// The settings that are planned with: a slider for each factor, and the way back to the fastest ones.
class SettingsColumn : public QWidget {
    Q_OBJECT

public:
    explicit SettingsColumn(QWidget* parent = nullptr);

    /// `hidden`: a factor that the figure shows along an axis; empty: none.
    void showSettings(const PlanSource& source, const std::string& hidden = {});

signals:
    void settingHeld(const QString& factor, const quadric::study::Value& value);
    void fastestRequested();

private:
    FactorSliders* m_sliders = nullptr;
    QPushButton* m_fastest = nullptr;
};

class SteadyLabel;
class ValueSlider;

/// One question of the page: its controls at the left, the answer in a sentence and a figure at the right.
class PlanView : public QWidget {
    Q_OBJECT

public:
    explicit PlanView(QWidget* parent = nullptr);

    /// Shows what is asked now. A view is told only while it can be seen.
    void showPlan(const PlanSource& source);
    /// For a picture of the view: the answer without its controls, everything computed at once.
    void showWhole(const PlanSource& source);
    Plot* plot() const { return m_plot; }
    /// What the view answers in words: the sentence above the figure, and what is remarked below it.
    QString sentence() const;
    QString remark() const;
    /// The tables below the figure that have rows.
    std::vector<TextTable> tables() const;

signals:
    /// The user asks something else.
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

protected:
    /// Updates the controls, without a word.
    virtual void showControls() = 0;
    /// Updates sentence and figure; what takes longer than a frame by startJob().
    virtual void showAnswer() = 0;
    bool eventFilter(QObject* watched, QEvent* event) override;

    const PlanSource& source() const { return m_source; }
    /// Says what the view draws, and puts it below the sentence.
    void setPlot(Plot* plot);
    void setSentence(const QString& sentence);
    /// Below the figure and the tables; empty: nothing.
    void setRemark(const QString& remark);
    /// That the model predicts no time at these settings, and what to do; empty where it predicts one.
    QString impossibleText(const study::Settings& settings) const;
    /// What speaks against the answer, with a blank before it: a poor model, settings outside the region
    /// covered by runs; empty where nothing does.
    QString cautionText(bool isExtrapolation) const;
    /// Puts a table with this accessible name below the figure.
    QTableView* addTable(const QString& name);
    /// Fills it; at most so many rows are seen at once.
    void showTable(QTableView* table, const report::Table& rows, int mostRows = kSeenRows);

    /// The next control of the column.
    void addControl(QWidget* control);
    /// The same for a chooser below its name.
    QComboBox* addChooser(const QString& name, const QString& tooltip, const QString& objectName);
    /// Lists the numeric factors, after `none` for no factor where there is such a text, and shows the chosen
    /// one without a word.
    void listNumericFactors(QComboBox& chooser, const std::string& chosen, const QString& none = {});
    /// The settings that are planned with, as the last control of views that have them.
    void addSettings();
    /// `hidden`: the factor that the figure shows along an axis; empty: none.
    void showSettings(const std::string& hidden = {});

    /// `change` is done to the choices, and asked for.
    void choose(const QString& what, const std::function<void(plan::PlanChoices&)>& change);
    /// What the control is moved to is asked for.
    template <typename Number>
    void follow(ValueSlider* slider, const QString& what, Number plan::PlanChoices::*member)
    {
        followSlider(slider, what, [member](plan::PlanChoices& choices, double value) {
            choices.*member = static_cast<Number>(value);
        });
    }
    /// The same for the data of a chooser's items.
    void follow(QComboBox* chooser, const QString& what, std::string plan::PlanChoices::*member);

    /// Computes in the background; for a picture, at once.
    template <typename Runner>
    void startJob(Runner& runner, typename Runner::Job job, typename Runner::Done done)
    {
        if (m_waits)
            return done(job(std::stop_token()));
        runner.start(std::move(job), std::move(done));
    }

private:
    static constexpr int kSeenRows = 4;

    struct ShownTable {
        QTableView* view = nullptr;
        TextTableModel* model = nullptr;
        TextTable table = {};
    };

    void followSlider(ValueSlider* slider, const QString& what,
                      std::function<void(plan::PlanChoices&, double)> change);

    void fitControls();

    PlanSource m_source;
    QScrollArea* m_area = nullptr; ///< of the controls
    SteadyLabel* m_sentence = nullptr;
    QLabel* m_remark = nullptr;
    QVBoxLayout* m_controls = nullptr;
    QVBoxLayout* m_right = nullptr;
    Plot* m_plot = nullptr;
    std::vector<ShownTable> m_tables;
    SettingsColumn* m_settings = nullptr;
    bool m_waits = false;
};

/// What a run costs, in money and energy.
PlanView* makeCostView();

} // namespace quadric::widgets
