// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/goal_column.h"

#include "core/report/tables/answer_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/optimize/views/optimize_views.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kTenths = 10; ///< the weight slider moves in tenths
constexpr int kMostWeight = 5;
constexpr std::array<study::Goal, 4> kGoals{study::Goal::Maximize, study::Goal::Minimize, study::Goal::Target,
                                            study::Goal::None};

QString goalWord(study::Goal goal)
{
    switch (goal) {
    case study::Goal::Maximize:
        return ResponseRow::tr("maximize");
    case study::Goal::Minimize:
        return ResponseRow::tr("minimize");
    case study::Goal::Target:
        return ResponseRow::tr("hit a target");
    case study::Goal::None:
        break;
    }
    return ResponseRow::tr("no goal");
}

/// A smaller share of the individual optimum is rounding.
constexpr double kBeyond = 1e-6;

QString lossText(double loss, std::optional<double> uncertainty, const std::string& unit)
{
    const QString number = formatNumber(loss, uncertainty);
    if (unit == "%")
        return ResponseRow::tr("%1 percentage points").arg(number);
    return unit.empty() ? number : number + QChar::Nbsp + QString::fromStdString(unit);
}

} // namespace

ResponseRow::ResponseRow(QWidget* parent)
    : QWidget(parent)
{
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(makeHead());
    layout->addLayout(makeWeight());
    makeCurve();
    layout->addWidget(m_curve);
    layout->addWidget(m_sacrifice);
    wire();
}

QLayout* ResponseRow::makeHead()
{
    m_name = new QLabel(this);
    m_goal = new QComboBox(this);
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setWordWrap(true);
    for (const study::Goal goal : kGoals)
        m_goal->addItem(goalWord(goal));
    m_goal->setToolTip(tr("What is wanted of this response."));
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    layout->addWidget(m_name, 1);
    layout->addWidget(m_goal);
    return layout;
}

QLayout* ResponseRow::makeWeight()
{
    m_weight = new QSlider(Qt::Horizontal, this);
    m_weight->setRange(0, kMostWeight * kTenths);
    m_weight->setPageStep(kTenths / 2);
    m_weight->setToolTip(tr("How much this response counts in the compromise; at 0 it does not count."));
    m_weightText = new SteadyLabel(1, this);
    m_weightText->setAlignment(Qt::AlignRight);
    m_weightText->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
    auto* label = new QLabel(tr("Weight"), this);
    label->setBuddy(m_weight);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(8);
    layout->addWidget(label);
    layout->addWidget(m_weight, 1);
    layout->addWidget(m_weightText);
    m_open = new QToolButton(this);
    m_open->setArrowType(Qt::DownArrow);
    m_open->setAutoRaise(true);
    m_open->setCheckable(true);
    m_open->setFocusPolicy(Qt::StrongFocus);
    m_open->setToolTip(tr("Limits, and how the score falls toward them."));
    layout->addWidget(m_open);
    return layout;
}

void ResponseRow::makeCurve()
{
    m_curve = new DesirabilityCurve(this);
    describePlot(*m_curve, *findView(optimizeViews(), "desirability"));
    m_curve->setFixedHeight(104);
    m_curve->installEventFilter(this);
    m_curve->setToolTip(
        tr("Desirability over the response: 0 outside the limits, 1 at the goal. Drag the "
           "circles (limits, target) and the diamonds (exponents), or double-click to type."));
    m_sacrifice = new SteadyLabel(2, this);
    m_sacrifice->setForegroundRole(QPalette::PlaceholderText);
    m_sacrifice->setToolTip(
        tr("What the compromise loses compared with the best prediction of this response alone."));
}

void ResponseRow::wire()
{
    connect(m_goal, &QComboBox::activated, this, &ResponseRow::editGoal);
    connect(m_open, &QToolButton::toggled, this, &ResponseRow::showParts);
    connect(m_weight, &QSlider::sliderPressed, this, &ResponseRow::beginDrag);
    connect(m_weight, &QSlider::valueChanged, this, &ResponseRow::editWeight);
    connect(m_curve, &DesirabilityCurve::limitsRequested, this, &ResponseRow::editLimits);
    connect(m_curve, &DesirabilityCurve::shapesRequested, this, &ResponseRow::editShapes);
}

void ResponseRow::nameParts()
{
    const QString name = nameText(m_response.name);
    m_name->setText(name);
    m_name->setToolTip(nameWithUnit(m_response.name, m_response.unit));
    m_weight->setAccessibleName(tr("Weight of %1").arg(name));
    m_goal->setAccessibleName(tr("Goal of %1").arg(name));
    m_curve->setAccessibleName(tr("Desirability of %1").arg(name));
    m_weight->setObjectName(QStringLiteral("weight:") + name);
    m_goal->setObjectName(QStringLiteral("goal:") + name);
    m_curve->setObjectName(QStringLiteral("desirability:") + name);
    m_open->setAccessibleName(tr("Limits of %1").arg(name));
    m_open->setObjectName(QStringLiteral("limits:") + name);
    m_sacrifice->setObjectName(QStringLiteral("sacrifice:") + name);
}

void ResponseRow::setResponse(const study::Study& study, const study::Response& response,
                              const model::Fit& fit)
{
    const bool isOther = response.name != m_response.name || response.unit != m_response.unit;
    m_response = response;
    m_hasModel = fit.isOk();
    m_limits = optimize::desirabilityOf(response, fit);
    m_middle = (fit.smallestObserved + fit.largestObserved) / 2;
    const QSignalBlocker quietWeight(m_weight);
    if (isOther)
        nameParts();
    m_goal->setCurrentIndex(
        static_cast<int>(std::find(kGoals.begin(), kGoals.end(), response.goal) - kGoals.begin()));
    m_weight->setValue(static_cast<int>(std::lround(response.weight * kTenths)));
    m_weight->setEnabled(response.goal != study::Goal::None);
    m_weightText->setText(QString::number(response.weight, 'f', 1));
    m_curve->setSource({nameText(study.name), {nameText(response.name)}});
    if (const bool isSimulated = study::hasSimulatedResults(study); m_curve->isSimulated() != isSimulated)
        m_curve->setSimulated(isSimulated);
}

void ResponseRow::setOutcome(const optimize::ResponseAtOptimum* outcome)
{
    showParts();
    if (!m_hasModel || m_response.goal == study::Goal::None)
        return;
    m_sacrifice->setText(outcome == nullptr ? QString() : sacrificeText(*outcome));
    std::optional<CurveMark> mark;
    if (outcome != nullptr)
        mark = CurveMark(outcome->predicted.mean, outcome->predicted.ofNewRuns());
    m_curve->setDesirability(m_limits, mark);
}

/// A curve is there where it was asked for and there is one.
void ResponseRow::showParts()
{
    const bool hasCurve = m_hasModel && m_response.goal != study::Goal::None;
    m_open->setVisible(hasCurve);
    m_open->setArrowType(m_open->isChecked() ? Qt::UpArrow : Qt::DownArrow);
    m_curve->setVisible(hasCurve && m_open->isChecked());
    m_sacrifice->setVisible(hasCurve && m_open->isChecked());
}

QString ResponseRow::sacrificeText(const optimize::ResponseAtOptimum& outcome) const
{
    const std::optional<double> uncertainty = report::findUncertainty(outcome.predicted);
    const QString best = formatNumber(outcome.bestAlone, uncertainty);
    const double beyond = std::abs(outcome.predicted.mean - outcome.bestAlone);
    if (outcome.sacrifice > 0)
        return tr("%1 worse than its individual optimum %2")
            .arg(lossText(outcome.sacrifice, uncertainty, m_response.unit), best);
    return beyond > kBeyond * std::abs(outcome.bestAlone)
               ? tr("better than the best feasible prediction %1").arg(best)
               : tr("at its individual optimum");
}

/// Steps by key or wheel are changes of their own; what happens while the handle is held is one drag.
void ResponseRow::editWeight(int tenths)
{
    if (!m_weight->isSliderDown())
        beginDrag();
    m_response.weight = static_cast<double>(tenths) / kTenths;
    m_weightText->setText(QString::number(m_response.weight, 'f', 1));
    emit edited(m_response, QStringLiteral("weight"), m_drag);
}

void ResponseRow::editGoal()
{
    const study::Goal goal = kGoals[static_cast<std::size_t>(m_goal->currentIndex())];
    if (goal == m_response.goal)
        return;
    if (goal == study::Goal::Target && m_response.target == 0.0 && m_hasModel)
        m_response.target = m_middle;
    m_response.goal = goal;
    beginDrag();
    emit edited(m_response, QStringLiteral("goal"), m_drag);
}

void ResponseRow::editLimits(double low, double target, double high)
{
    m_response.low = low;
    m_response.high = high;
    if (m_response.goal == study::Goal::Target)
        m_response.target = target;
    emit edited(m_response, QStringLiteral("limits"), m_drag);
}

/// One exponent is enough where both sides have the same.
void ResponseRow::editShapes(double below, double above)
{
    const bool isOneSided = m_response.goal != study::Goal::Target;
    const double only = m_response.goal == study::Goal::Minimize ? above : below;
    m_response.shape =
        isOneSided || below == above ? std::vector{isOneSided ? only : below} : std::vector{below, above};
    emit edited(m_response, QStringLiteral("shape"), m_drag);
}

bool ResponseRow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_curve &&
        (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick ||
         event->type() == QEvent::KeyPress))
        beginDrag();
    return QWidget::eventFilter(watched, event);
}

GoalColumn::GoalColumn(QWidget* parent)
    : QScrollArea(parent)
{
    auto* content = new QWidget;
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, 0, 8, 0);
    m_layout->setSpacing(16);
    m_layout->addStretch(1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("goals"));
    setAccessibleName(tr("Goals of the responses"));
    setFocusPolicy(Qt::NoFocus); // it scrolls to the row that has it
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void GoalColumn::setStudy(const study::Study& study, const std::vector<model::Fit>& fits)
{
    for (std::size_t i = m_rows.size(); i > study.responses.size(); --i) {
        delete m_rows.back();
        m_rows.pop_back();
    }
    for (std::size_t i = m_rows.size(); i < study.responses.size(); ++i) {
        auto* row = new ResponseRow(widget());
        connect(row, &ResponseRow::edited, this, [this, i](const auto& after, const QString& what, int drag) {
            emit edited(static_cast<int>(i), after, what, drag);
        });
        m_layout->insertWidget(static_cast<int>(i), row);
        m_rows.push_back(row);
    }
    m_names.clear();
    const model::Fit none;
    for (std::size_t i = 0; i < study.responses.size(); ++i) {
        m_names.push_back(study.responses[i].name);
        m_rows[i]->setResponse(study, study.responses[i], i < fits.size() ? fits[i] : none);
    }
}

void GoalColumn::setOutcome(const optimize::Optimum& outcome)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto found = std::find_if(outcome.responses.begin(), outcome.responses.end(),
                                        [&](const auto& each) { return each.response == m_names[i]; });
        m_rows[i]->setOutcome(found == outcome.responses.end() ? nullptr : &*found);
    }
}

} // namespace quadric::widgets
