// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_view.h"

#include "core/plan/deadline.h"
#include "core/report/findings/fit_findings.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/base/style.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plan/plan_table.h"
#include "widgets/plan/settings_column.h"
#include "widgets/plan/value_slider.h"
#include "widgets/plots/base/plot.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kControlLines = 15; ///< width of the controls, in heights of a line of text
constexpr int kLeastControls = 220;
constexpr int kMostControlLines = 23; ///< width that controls with long names may have, likewise
constexpr double kSentenceSize = 1.1; ///< of the text's

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // it scrolls to the control that has it
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return area;
}

} // namespace

PlanView::PlanView(QWidget* parent)
    : QWidget(parent)
    , m_area(scrolled(new QWidget))
    , m_sentence(new SteadyLabel(2, this))
    , m_controls(new QVBoxLayout)
    , m_right(new QVBoxLayout)
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
    m_right->setContentsMargins(0, 0, 0, 0);
    m_right->setSpacing(kGap);
    m_right->addWidget(m_sentence);
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
    m_right->addWidget(plot, 1);
}

void PlanView::setSentence(const QString& sentence)
{
    // "98 %" and "1 h 05 min" are not broken.
    static const QRegularExpression kBeforeUnit(
        QStringLiteral("(?<=[0-9]) (?=%|(?:s|min|h|kWh)\\b)|(?<=[0-9] h|[0-9] min) (?=[0-9])"));
    m_sentence->setText(QString(sentence).replace(kBeforeUnit, QString(QChar::Nbsp)));
}

QString PlanView::impossibleText(const study::Settings& settings) const
{
    const model::Fit& fit = *m_source.fit();
    plan::Work work = plan::workOf(fit, m_source.choices);
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

void PlanView::addBelow(QWidget* widget)
{
    m_right->addWidget(widget);
}

QTableView* PlanView::addTable(const QString& name)
{
    auto* table = new QTableView(this);
    auto* model = new TextTableModel(this);
    setUpTable(*table);
    table->setModel(model);
    table->setAccessibleName(name);
    addBelow(table);
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
    auto* layout = new QVBoxLayout(field);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kNameGap);
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
