// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/rail.h"

#include "core/plan/jobs.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/run_records.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QFile>
#include <QFocusEvent>
#include <QPainter>
#include <QStringList>
#include <QSvgRenderer>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::app {

QPixmap lineIcon(const QString& name, const QColor& color, int size, qreal devicePixelRatio)
{
    QPixmap pixmap(QSize(size, size) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return pixmap;
    QByteArray drawing = file.readAll();
    drawing.replace("#000000", color.name().toLatin1());
    QSvgRenderer renderer(drawing);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

QIcon programIcon()
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(lineIcon(QStringLiteral("quadric"), Qt::black, size, 1.0));
    return icon;
}

using widgets::formatCount;

namespace {

using widgets::tr;

int fittedResponses(const widgets::StudyContext& context)
{
    return int(
        std::count_if(context.fits.begin(), context.fits.end(), [](const auto& fit) { return fit.isOk(); }));
}

StepState designState(const study::Study& study)
{
    const auto problems = study::validate(study);
    const auto errors =
        std::count_if(problems.begin(), problems.end(), [](const auto& p) { return p.isError; });
    if (errors > 0)
        return {formatCount(errors, "problem"), Mark::Warning};
    if (study.runs.empty())
        return {tr("no runs yet"), Mark::None};
    return {formatCount(qint64(study.runs.size()), "run"), Mark::Done};
}

StepState runState(const widgets::StudyContext& context)
{
    const study::Study& study = context.study;
    const int all = int(study.runs.size()) - study::countRuns(study, study::RunStatus::Excluded);
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countFailed(study);
    const QString share = tr("%1 of %2").arg(done).arg(all);
    if (context.isRunning)
        return {share, Mark::Running};
    if (failed > 0)
        return {tr("%1, %2 failed").arg(share).arg(failed), Mark::Warning};
    if (all == 0)
        return {tr("needs a design"), Mark::None};
    return {share, done == all ? Mark::Done : Mark::None};
}

StepState exploreState(const widgets::StudyContext& context, int warnings)
{
    const int fitted = fittedResponses(context);
    if (fitted == 0)
        return {tr("needs results"), Mark::None};
    return {tr("%1 of %2 fitted").arg(fitted).arg(context.fits.size()),
            warnings > 0 ? Mark::Warning : Mark::Done};
}

StepState planState(const widgets::StudyContext& context)
{
    if (std::ranges::any_of(context.fits, plan::hasTimeUnit))
        return {tr("ready"), Mark::None};
    return {fittedResponses(context) > 0 ? tr("needs a time") : tr("needs results"), Mark::None};
}

constexpr int kRailWidth = 168;
constexpr int kButtonHeight = 56;
constexpr int kIconSize = 24;
constexpr int kIconLeft = 16;
constexpr int kLabelLeft = kIconLeft + kIconSize + 12;
constexpr int kAccentWidth = 3;

constexpr std::array kIconNames = {"design", "run", "explore", "optimize", "plan", "report"};

QString markSign(Mark mark)
{
    switch (mark) {
    case Mark::Done:
        return QStringLiteral("✓ ");
    case Mark::Running:
        return QStringLiteral("▸ ");
    case Mark::Warning:
        return QStringLiteral("● ");
    case Mark::None:
        break;
    }
    return {};
}

QColor markColor(Mark mark, const QPalette& palette)
{
    const widgets::PlotColors colors = widgets::plotColors(palette);
    switch (mark) {
    case Mark::Running:
        return colors.accent;
    case Mark::Warning:
        return colors.warning;
    case Mark::Done:
    case Mark::None:
        break;
    }
    return palette.color(QPalette::PlaceholderText);
}

} // namespace

int countWarnings(const widgets::StudyContext& context)
{
    return int(report::findWarnings(context.study, context.fits).size());
}

std::array<StepState, kSteps> stepStates(const widgets::StudyContext& context, int warnings)
{
    const bool hasFit = fittedResponses(context) > 0;
    const StepState later{hasFit ? tr("ready") : tr("needs results"), Mark::None};
    return {designState(context.study),
            runState(context),
            exploreState(context, warnings),
            later,
            planState(context),
            later};
}

widgets::Step openingStep(const widgets::StudyContext& context)
{
    const study::Study& study = context.study;
    const bool isOver = !context.isRunning && !study.runs.empty() &&
                        study::countRuns(study, study::RunStatus::Pending) == 0 &&
                        study::countRuns(study, study::RunStatus::Running) == 0;
    return isOver && fittedResponses(context) > 0 ? widgets::Step::Optimize : widgets::Step::Run;
}

QString statusWords(const widgets::StudyContext& context)
{
    QStringList parts;
    if (study::hasSimulatedResults(context.study))
        parts << tr("simulated data");
    const int failed = study::countFailed(context.study);
    if (failed > 0)
        parts << formatCount(failed, "failed run");
    parts
        << tr("%1 of %2 responses fitted").arg(fittedResponses(context)).arg(context.study.responses.size());
    return parts.join(QStringLiteral(" · "));
}

QString stepName(widgets::Step step)
{
    switch (step) {
    case widgets::Step::Design:
        return Rail::tr("Design");
    case widgets::Step::Run:
        return Rail::tr("Run");
    case widgets::Step::Explore:
        return Rail::tr("Explore");
    case widgets::Step::Optimize:
        return Rail::tr("Optimize");
    case widgets::Step::Plan:
        return Rail::tr("Plan");
    case widgets::Step::Report:
        return Rail::tr("Report");
    }
    return {};
}

RailButton::RailButton(const QString& name, QString icon, QWidget* parent)
    : QAbstractButton(parent)
    , m_icon(std::move(icon))
{
    setText(name);
    setCheckable(true);
    setAutoExclusive(true);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RailButton::setState(const StepState& state)
{
    m_state = state;
    setAccessibleDescription(state.text);
    update();
}

QSize RailButton::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    return {std::max(kRailWidth, kLabelLeft + metrics.horizontalAdvance(QStringLiteral("● 00 of 00 runs"))),
            std::max(kButtonHeight, 2 * metrics.height() + 3 * widgets::kGap)};
}

void RailButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGround(painter);
    const QColor ink = palette().color(isChecked() ? QPalette::WindowText : QPalette::PlaceholderText);
    painter.drawPixmap(kIconLeft, (height() - kIconSize) / 2,
                       lineIcon(m_icon, ink, kIconSize, devicePixelRatioF()));
    const int line = fontMetrics().height();
    const int top = (height() - 2 * line) / 2;
    QFont name = font();
    name.setWeight(isChecked() ? QFont::DemiBold : QFont::Normal);
    painter.setFont(name);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(kLabelLeft, top, width() - kLabelLeft, line), Qt::AlignLeft | Qt::AlignVCenter,
                     text());
    paintState(painter, QRect(kLabelLeft, top + line, width() - kLabelLeft - 4, line));
}

void RailButton::paintGround(QPainter& painter) const
{
    if (isChecked() || underMouse()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(isChecked() ? QPalette::Base : QPalette::Midlight));
        painter.drawRoundedRect(rect().adjusted(4, 2, -4, -2), 6, 6);
    }
    if (isChecked()) {
        painter.setBrush(palette().color(QPalette::Highlight));
        painter.drawRoundedRect(QRectF(4, 12, kAccentWidth, height() - 24), 1.5, 1.5);
    }
    if (hasFocus() && m_isKeyboardFocus) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(4.75, 2.75, -4.75, -2.75), 6, 6);
    }
}

void RailButton::paintState(QPainter& painter, const QRect& line) const
{
    painter.setFont(font());
    painter.setPen(markColor(m_state.mark, palette()));
    const QString words =
        fontMetrics().elidedText(markSign(m_state.mark) + m_state.text, Qt::ElideRight, line.width());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, words);
}

void RailButton::focusInEvent(QFocusEvent* event)
{
    m_isKeyboardFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QAbstractButton::focusInEvent(event);
}

Rail::Rail(QWidget* parent)
    : QWidget(parent)
{
    widgets::nameWidget(this, "rail", tr("Steps"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, widgets::kGap, 0, widgets::kGap);
    layout->setSpacing(0);
    for (int step = 0; step < kSteps; ++step)
        addButton(*layout, step);
    layout->addStretch();
    setFixedWidth(m_buttons.front()->sizeHint().width());
}

void Rail::addButton(QVBoxLayout& layout, int step)
{
    const auto which = static_cast<widgets::Step>(step);
    auto* button = new RailButton(stepName(which), QLatin1String(kIconNames[size_t(step)]));
    button->setObjectName(QStringLiteral("step") + stepName(which));
    button->setAccessibleName(stepName(which));
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(stepName(which)).arg(step + 1));
    connect(button, &QAbstractButton::clicked, this, [this, which] { emit stepPicked(which); });
    layout.addWidget(button);
    m_buttons[size_t(step)] = button;
}

void Rail::setContext(const widgets::StudyContext& context, int warnings)
{
    const auto states = stepStates(context, warnings);
    for (size_t step = 0; step < kSteps; ++step)
        m_buttons[step]->setState(states[step]);
}

void Rail::setStep(widgets::Step step)
{
    RailButton* button = m_buttons[size_t(step)];
    button->setChecked(true);
    if (focusWidget() && focusWidget()->hasFocus())
        button->setFocus();
}

} // namespace quadric::app
