// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include "core/plan/deadline.h"
#include "core/plan/jobs.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/shown_study.h"
#include "widgets/base/style.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plan/plan_controls.h"
#include "widgets/plots/base/plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kEmptyRows = 2;

/// Makes the table as high as its header and its rows, so many at most; without rows it keeps room for two.
void fitHeight(QTableView& table, int mostRows)
{
    const int rows = table.model()->rowCount();
    const int shown = rows == 0 ? kEmptyRows : std::min(rows, mostRows);
    const int row = rows == 0 ? table.verticalHeader()->defaultSectionSize() : table.rowHeight(0);
    const bool scrolls = table.horizontalHeader()->length() > table.viewport()->width() && rows > 0;
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() + shown * row +
                         2 * table.frameWidth() +
                         (scrolls ? table.horizontalScrollBar()->sizeHint().height() : 0));
}

/// What is drawn of them may differ.
bool haveSameModels(const StudyContext& a, const StudyContext& b)
{
    return study::differInViewOnly(a.study, b.study);
}

constexpr int kControlLines = 15; ///< width of the controls, in heights of a line of text
constexpr int kLeastControls = 220;
constexpr int kMostControlLines = 23; ///< width that controls with long names may have, likewise
constexpr double kSentenceSize = 1.1; ///< of the text's

QScrollArea* scrolled(QWidget* content)
{
    auto* area = scrollAreaFor(content);
    area->setFocusPolicy(Qt::NoFocus); // it scrolls to the control that has it
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return area;
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
        plan::FastestSettings fastest = plan::findFastest(m_source.study(), *fit, {});
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

SettingsColumn::SettingsColumn(QWidget* parent)
    : QWidget(parent)
    , m_sliders(new FactorSliders(this))
    , m_fastest(linkButton(tr("Use the &fastest settings"), this))
{
    auto* title = boldLabel(tr("Settings"), this);
    m_fastest->setObjectName(QStringLiteral("fastestSettings"));
    m_fastest->setToolTip(tr("The settings that can be run at which the model predicts the fastest run."));
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addWidget(title);
    layout->addWidget(m_sliders);
    layout->addWidget(m_fastest, 0, Qt::AlignLeft);
    connect(m_sliders, &FactorSliders::valueHeld, this, &SettingsColumn::settingHeld);
    connect(m_fastest, &QPushButton::clicked, this, &SettingsColumn::fastestRequested);
}

void SettingsColumn::showSettings(const PlanSource& source, const std::string& hidden)
{
    const std::vector<study::Factor>& factors = source.study().factors;
    m_sliders->setFactors(factors);
    m_sliders->setSettings(source.settings);
    const auto found = std::ranges::find(factors, hidden, &study::Factor::name);
    m_sliders->hideFactors(found == factors.end()
                               ? std::vector<std::size_t>()
                               : std::vector{static_cast<std::size_t>(found - factors.begin())});
    m_fastest->setEnabled(!source.choices.at.empty());
}

PlanView::PlanView(QWidget* parent)
    : QWidget(parent)
    , m_area(scrolled(new QWidget))
    , m_sentence(new SteadyLabel(2, this))
    , m_remark(mutedLabel({}, this))
    , m_controls(new QVBoxLayout)
    , m_right(marginless<QVBoxLayout>(nullptr, kGap))
{
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * kSentenceSize);
    m_sentence->setFont(large);
    m_sentence->setGrowing(true);
    m_sentence->setObjectName(QStringLiteral("planSentence"));
    m_area->widget()->setLayout(m_controls);
    m_controls->setContentsMargins(0, 0, kGap, 0);
    m_controls->setSpacing(kControlGap);
    m_controls->addStretch(1);
    m_area->setAccessibleName(tr("What is asked"));
    m_area->widget()->installEventFilter(this);
    fitControls();
    m_right->addWidget(m_sentence);
    m_right->addWidget(m_remark);
    m_remark->hide();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, kGap, 0, 0);
    layout->setSpacing(kGroupGap);
    layout->addWidget(m_area);
    layout->addLayout(m_right, 1);
}

void PlanView::showPlan(const PlanSource& source)
{
    m_source = source;
    if (!m_source.isReady())
        return;
    showControls();
    showAnswer();
}

bool PlanView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_area->widget() && event->type() == QEvent::LayoutRequest)
        fitControls();
    return QWidget::eventFilter(watched, event);
}

/// As wide as the controls need, so that none is cut off; the scroll bar has its room beside them.
void PlanView::fitControls()
{
    const int line = fontMetrics().height(), usual = std::max(kLeastControls, kControlLines * line);
    const int needed =
        m_area->widget()->minimumSizeHint().width() + m_area->verticalScrollBar()->sizeHint().width();
    m_area->setFixedWidth(std::clamp(needed, usual, std::max(usual, kMostControlLines * line)));
}

void PlanView::showWhole(const PlanSource& source)
{
    m_waits = true;
    showPlan(source);
}

QString PlanView::sentence() const
{
    return m_sentence->text();
}

QString PlanView::remark() const
{
    return m_remark->text();
}

std::vector<TextTable> PlanView::tables() const
{
    std::vector<TextTable> tables;
    for (const ShownTable& shown : m_tables)
        if (!shown.table.rows.empty())
            tables.push_back(shown.table);
    return tables;
}

void PlanView::setPlot(Plot* plot)
{
    m_plot = plot;
    plot->setMinimumSize(200, 140);
    m_right->insertWidget(m_right->count() - 1, plot, 1);
}

void PlanView::setSentence(const QString& sentence)
{
    // "98 %" and "1 h 05 min" are not broken.
    static const QRegularExpression kBeforeUnit(
        QStringLiteral("(?<=[0-9]) (?=%|(?:s|min|h|kWh)\\b)|(?<=[0-9] h|[0-9] min) (?=[0-9])"));
    m_sentence->setText(QString(sentence).replace(kBeforeUnit, QString(QChar::Nbsp)));
}

void PlanView::setRemark(const QString& remark)
{
    m_remark->setText(remark);
    m_remark->setVisible(!remark.isEmpty());
}

QString PlanView::impossibleText(const study::Settings& settings) const
{
    const model::Fit& fit = *m_source.fit();
    plan::Work work = plan::chosenWork(fit, m_source.choices);
    work.fixedSeconds = 0.0;
    const double median =
        plan::RunTime(fit, work, study::Coding(fit.factors).toCoded(settings)).quantile(0.5);
    if (median > 0.0 && std::isfinite(median))
        return {};
    const QString text = work.kind == plan::WorkKind::Speed
                             ? tr("The model of %1 predicts no speed above 0 at these settings.")
                             : tr("The model of %1 predicts no time above 0 at these settings.");
    return text.arg(nameText(fit.response)) + tr(" Choose the log transform in Explore.");
}

QString PlanView::cautionText(bool isExtrapolation) const
{
    const std::string poor = report::describePoorModel(*m_source.fit());
    QString text = poor.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(poor);
    if (isExtrapolation)
        text += tr(" Extrapolation: outside the region covered by runs.");
    return text;
}

QTableView* PlanView::addTable(const QString& name)
{
    auto* table = new QTableView(this);
    auto* model = new TextTableModel(this);
    setUpTable(*table);
    table->setModel(model);
    table->setAccessibleName(name);
    m_right->insertWidget(m_right->count() - 1, table);
    m_tables.push_back({table, model});
    return table;
}

void PlanView::showTable(QTableView* table, const report::Table& rows, int mostRows)
{
    ShownTable& shown = *std::ranges::find(m_tables, table, &ShownTable::view);
    shown.table = typeset(rows);
    shown.model->setTable(shown.table);
    fitHeight(*table, mostRows);
}

void PlanView::addControl(QWidget* control)
{
    m_controls->insertWidget(m_controls->count() - 1, control);
}

QComboBox* PlanView::addChooser(const QString& name, const QString& tooltip, const QString& objectName)
{
    auto* field = new QWidget(this);
    auto* layout = marginless<QVBoxLayout>(field, kNameGap);
    QComboBox* chooser = addChooserBelowLabel(*layout, name, field);
    chooser->setObjectName(objectName);
    chooser->setToolTip(tooltip);
    addControl(field);
    return chooser;
}

void PlanView::listNumericFactors(QComboBox& chooser, const std::string& chosen, const QString& none)
{
    const QSignalBlocker quiet(chooser);
    chooser.clear();
    if (!none.isEmpty())
        chooser.addItem(none, QString());
    for (const study::Factor& factor : m_source.study().factors)
        if (factor.isNumeric())
            chooser.addItem(nameText(factor.name), QString::fromStdString(factor.name));
    chooser.setCurrentIndex(
        std::max(none.isEmpty() ? -1 : 0, chooser.findData(QString::fromStdString(chosen))));
}

void PlanView::addSettings()
{
    m_settings = new SettingsColumn(this);
    addControl(m_settings);
    connect(m_settings, &SettingsColumn::settingHeld, this,
            [this](const QString& factor, const study::Value& value) {
                choose(tr("Setting of %1").arg(factor), [&](plan::PlanChoices& choices) {
                    choices.at.insert_or_assign(factor.toStdString(), value);
                });
            });
    connect(m_settings, &SettingsColumn::fastestRequested, this, [this] {
        choose(tr("Fastest settings"), [](plan::PlanChoices& choices) { choices.at.clear(); });
    });
}

void PlanView::showSettings(const std::string& hidden)
{
    m_settings->showSettings(m_source, hidden);
}

void PlanView::choose(const QString& what, const std::function<void(plan::PlanChoices&)>& change)
{
    plan::PlanChoices choices = m_source.choices;
    change(choices);
    emit choicesChanged(choices, what);
}

void PlanView::follow(QComboBox* chooser, const QString& what, std::string plan::PlanChoices::*member)
{
    connect(chooser, &QComboBox::activated, this, [this, chooser, what, member] {
        choose(what, [&](plan::PlanChoices& choices) {
            choices.*member = chooser->currentData().toString().toStdString();
        });
    });
}

void PlanView::followSlider(ValueSlider* slider, const QString& what,
                            std::function<void(plan::PlanChoices&, double)> change)
{
    connect(slider, &ValueSlider::moved, this, [this, what, change = std::move(change)](double value) {
        choose(what, [&](plan::PlanChoices& choices) { change(choices, value); });
    });
}

} // namespace quadric::widgets
