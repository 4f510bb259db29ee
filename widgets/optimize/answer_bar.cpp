// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/answer_bar.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/answer_tables.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kConfirmingRuns = 3;
constexpr double kSettingSize = 1.35; ///< of the text's
constexpr int kPopupWidth = 420;      ///< pixels

using Outcome = optimize::ConfirmationOutcome;

QString disturbanceText(const optimize::Confirmation& confirmation)
{
    const QString runs = QString::fromStdString(text::formatRuns(confirmation.disturbed));
    const QString because =
        confirmation.disturbance.empty()
            ? QString()
            : QStringLiteral(" (%1)").arg(QString::fromStdString(confirmation.disturbance));
    return ConfirmationPopup::tr("disturbed while measured: %1%2. Measure again.").arg(runs, because);
}

/// The rows as an HTML table: a label takes no other.
QString htmlTable(const TextTable& table)
{
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2'><tr>");
    const auto cell = [&](const QString& text, std::size_t column, const char* tag) {
        const bool isNumber = table.columns[column].isNumber;
        return QStringLiteral("<%1 align='%2'>%3&nbsp;&nbsp;&nbsp;</%1>")
            .arg(QLatin1String(tag), isNumber ? QStringLiteral("right") : QStringLiteral("left"),
                 text.toHtmlEscaped().replace(QLatin1Char(' '), QChar::Nbsp));
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        html += cell(table.columns[i].title, i, "th");
    for (const QStringList& row : table.rows) {
        html += QStringLiteral("</tr><tr>");
        for (qsizetype i = 0; i < row.size(); ++i)
            html += cell(row[i], static_cast<std::size_t>(i), "td");
    }
    return html + QStringLiteral("</tr></table>");
}

/// A smaller share of the interval's half width is a difference between two searches, not between settings.
constexpr double kLeastDifference = 0.005;

/// "images_per_sec −8 400 img/s": what is predicted with the padlocks less what is predicted without.
QStringList differences(const Answer& answer)
{
    QStringList parts;
    for (std::size_t i = 0; i < answer.best.responses.size() && i < answer.free.responses.size(); ++i) {
        const optimize::ResponseAtOptimum& held = answer.best.responses[i];
        const study::Response* response = study::findResponse(answer.study(), held.response);
        const double change = held.predicted.mean - answer.free.responses[i].predicted.mean;
        const std::optional<double> uncertainty = report::findUncertainty(held.predicted);
        const double least =
            kLeastDifference * uncertainty.value_or(std::abs(answer.free.responses[i].predicted.mean));
        if (response == nullptr || response->goal == study::Goal::None || std::abs(change) <= least)
            continue;
        const std::string unit = text::unitOfDifference(response->unit);
        const QString sign = change > 0 ? QStringLiteral("+") : QString();
        parts << nameText(held.response) + QLatin1Char(' ') + sign + formatNumber(change, uncertainty) +
                     (unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit));
    }
    return parts;
}

void addSentences(const std::vector<std::string>& sentences, QStringList& lines)
{
    for (const std::string& sentence : sentences)
        lines << fromUtf8(sentence);
    lines.removeAll({});
}

/// The prediction of a response, or that it has none.
AnswerFact predictionFact(const Answer& answer, const study::Response& response, const model::Fit& fit,
                          const AnswerCautions& cautions)
{
    AnswerFact fact{nameText(response.name) + QStringLiteral(": ")};
    const auto at =
        std::ranges::find(answer.shown.responses, response.name, &optimize::ResponseAtOptimum::response);
    if (at == answer.shown.responses.end()) {
        fact.words += AnswerBar::tr("no model");
        fact.reasons << fromUtf8(fit.message);
    } else {
        fact.words =
            nameText(response.name) + QLatin1Char(' ') + predictionText(at->predicted, response.unit);
        const auto poor = cautions.poorModels.find(response.name);
        if (poor != cautions.poorModels.end() && !poor->second.empty())
            fact.reasons << fromUtf8(poor->second);
    }
    fact.severity = fact.reasons.isEmpty() ? report::Severity::Green : report::Severity::Amber;
    return fact;
}

/// The score, and what it hides: what padlocks cost, that the best of many predictions is too good, that no
/// run is near.
AnswerFact scoreFact(const Answer& answer, const optimize::OptimumCorrection& correction)
{
    AnswerFact fact{AnswerBar::tr("score %1").arg(desirabilityText(answer.shown.overall))};
    if (const QString cost = costText(answer); !cost.isEmpty())
        fact.reasons << cost;
    if (answer.isAtBest())
        addSentences(
            report::describeCorrection(answer.study(), answer.best, correction, text::Typography::Typeset),
            fact.reasons);
    if (isExtrapolation(answer.shown) && optimize::readNearRuns(answer.study()) != optimize::NearRuns::Off)
        fact.reasons << AnswerBar::tr("Extrapolation: outside the region covered by runs.");
    fact.severity = fact.reasons.isEmpty() ? report::Severity::Green : report::Severity::Amber;
    return fact;
}

/// What confirming runs and constraints say of the setting.
void addStanding(const Answer& answer, std::vector<AnswerFact>& facts)
{
    const report::Standing standing = // poor models are said beside their responses
        report::judgeSetting(answer.study(), {}, answer.settings(), answer.confirmations);
    const bool isConfirmation =
        optimize::findConfirmation(answer.confirmations, answer.settings()) != nullptr;
    if (!standing.verdict.empty()) {
        AnswerFact fact{fromUtf8(standing.verdict), {}, standing.severity, isConfirmation};
        addSentences(standing.reasons, fact.reasons);
        facts.insert(standing.isRejected() ? facts.begin() : facts.end(), fact);
    } else if (!answer.confirmations.empty()) {
        facts.push_back({confirmationText(answer.study(), answer.confirmations.back()),
                         {},
                         report::Severity::Amber,
                         true});
    }
}

/// How surely the setting gives a result, and what a failed confirmation has moved.
void addRunsProbability(const Answer& answer, std::vector<AnswerFact>& facts)
{
    const study::Study& study = answer.study();
    if (!answer.best.isOk() || !model::feasibilityOf(study))
        return;
    AnswerFact fact{fromUtf8(report::describeRunProbability(study, answer.settings()))};
    if (answer.isAtBest())
        addSentences(
            report::describeAvoidance(study, answer.settings(), optimize::readLeastRunsProbability(study)),
            fact.reasons);
    fact.severity = fact.reasons.isEmpty() ? report::Severity::Green : report::Severity::Amber;
    facts.push_back(std::move(fact));
}

/// Words that do not break, and behind them the dot that opens the reason.
QString toHtml(const AnswerFact& fact, std::size_t index, const QPalette& palette)
{
    const PlotColors colors = plotColors(palette);
    QString words = fact.words.toHtmlEscaped();
    if (fact.severity == report::Severity::Green && !fact.isConfirmation)
        return words;
    const QColor color = fact.severity == report::Severity::Red     ? colors.error
                         : fact.severity == report::Severity::Amber ? colors.warning
                                                                    : colors.good;
    return QStringLiteral("<a href='%1' style='color:%2;text-decoration:none'>●</a>&nbsp;%3")
        .arg(index)
        .arg(color.name(), words);
}

/// A line of text that shows the focus, which Tab takes from dot to dot.
class FactLine : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QLabel::paintEvent(event);
        if (!hasFocus())
            return;
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::Active, QPalette::Link));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
};

QFrame* makePopup(QWidget* parent)
{
    auto* popup = new QFrame(parent, Qt::Popup);
    popup->setFrameShape(QFrame::StyledPanel);
    return popup;
}

void openAtPointer(QFrame& popup)
{
    popup.setFixedWidth(kPopupWidth);
    popup.adjustSize();
    const QRect room = popup.parentWidget()->screen()->availableGeometry();
    const QPoint at = QCursor::pos();
    popup.move(std::clamp(at.x() - kPopupWidth / 2, room.left(), room.right() - kPopupWidth),
               std::clamp(at.y() + kGap, room.top(), std::max(room.top(), room.bottom() - popup.height())));
    popup.show();
}

} // namespace

QString costText(const Answer& answer)
{
    if (answer.locked.empty())
        return {};
    const QString held = AnswerBar::tr("With %1 held").arg(settingsText(answer.study(), answer.locked));
    if (!answer.best.isOk())
        return held + QStringLiteral(": ") + QString::fromStdString(answer.best.message);
    if (!answer.free.isOk() || answer.free.settings == answer.best.settings)
        return AnswerBar::tr("%1: no cost, the best setting has it.").arg(held);
    const QString before = desirabilityText(answer.free.overall),
                  after = desirabilityText(answer.best.overall);
    const QStringList changes = differences(answer);
    if (changes.isEmpty() && before == after)
        return AnswerBar::tr("%1: almost no cost, score %2 either way.").arg(held, after);
    const QString cost = before == after
                             ? AnswerBar::tr("%1: score stays at %2").arg(held, after)
                             : AnswerBar::tr("%1: score falls from %2 to %3").arg(held, before, after);
    return cost +
           (changes.isEmpty() ? QString() : QStringLiteral("; ") + changes.join(QStringLiteral(", "))) +
           QLatin1Char('.');
}

QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation)
{
    const auto runs = static_cast<int>(confirmation.runs.size());
    const QString setting = settingsText(study, confirmation.settings);
    switch (confirmation.outcome()) {
    case Outcome::Pending:
        return ConfirmationPopup::tr("Confirming %1: %2 of %3 runs are in.")
            .arg(setting)
            .arg(runs - confirmation.pending)
            .arg(runs);
    case Outcome::NoResult:
        return ConfirmationPopup::tr("No verdict on %1: none of the confirming runs gave a result.")
            .arg(setting);
    case Outcome::Disturbed:
        return ConfirmationPopup::tr("No verdict yet on %1: %2").arg(setting, disturbanceText(confirmation));
    case Outcome::NoInterval:
        return ConfirmationPopup::tr("No verdict on %1: the models leave no degrees of freedom for an "
                                     "interval.")
            .arg(setting);
    case Outcome::Confirmed:
        return ConfirmationPopup::tr("Confirmed at %1.").arg(setting);
    case Outcome::Refuted:
        return ConfirmationPopup::tr("Not confirmed at %1: do not use it.").arg(setting);
    case Outcome::CannotRun:
        break;
    }
    return ConfirmationPopup::tr("Not confirmed at %1: do not use it. %2")
        .arg(setting, QString::fromStdString(confirmation.failure));
}

std::vector<AnswerFact> collectFacts(const Answer& answer, const AnswerCautions& cautions)
{
    std::vector<AnswerFact> facts;
    if (!answer.best.isOk() && answer.settings().empty())
        return facts;
    for (const model::Fit& fit : answer.fits()) {
        const study::Response* response = study::findResponse(answer.study(), fit.response);
        if (response != nullptr && response->goal != study::Goal::None)
            facts.push_back(predictionFact(answer, *response, fit, cautions));
    }
    facts.push_back(scoreFact(answer, cautions.correction));
    addRunsProbability(answer, facts);
    addStanding(answer, facts);
    return facts;
}

ConfirmationPopup::ConfirmationPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_words(new QLabel(this))
    , m_repeat(new QPushButton(tr("&Measure again"), this))
    , m_fit(new QPushButton(tr("&Include in model and refit"), this))
{
    setObjectName(QStringLiteral("confirmation"));
    setFrameShape(QFrame::StyledPanel);
    m_words->setObjectName(QStringLiteral("confirmationText"));
    m_words->setTextFormat(Qt::RichText);
    m_words->setWordWrap(true);
    m_words->setToolTip(
        tr("The mean of the confirming runs against the interval that the model predicted for "
           "the mean of as many runs."));
    m_repeat->setObjectName(QStringLiteral("repeatConfirmation"));
    m_repeat->setToolTip(tr("Measures the disturbed runs again, now."));
    m_fit->setObjectName(QStringLiteral("fitConfirmation"));
    m_fit->setToolTip(
        tr("Adds them to the data that the models are fitted to; they then no longer count as validation."));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_words);
    layout->addWidget(m_repeat);
    layout->addWidget(m_fit);
    connect(m_repeat, &QPushButton::clicked, this, [this] {
        close();
        emit repeatRequested(m_last.disturbed);
    });
    connect(m_fit, &QPushButton::clicked, this, [this] {
        close();
        emit fitRequested(m_last.runs);
    });
}

void ConfirmationPopup::showConfirmations(const study::Study& study,
                                          const std::vector<optimize::Confirmation>& confirmations)
{
    m_last = confirmations.back();
    const QString title = confirmationText(study, m_last).toHtmlEscaped();
    m_words->setText(
        QStringLiteral("<b>%1</b>").arg(title) +
        (m_last.responses.empty() ? QString() : htmlTable(typeset(report::makeConfirmationTable(m_last)))));
    m_repeat->setVisible(m_last.outcome() == Outcome::Disturbed);
    m_fit->setVisible(m_last.hasVerdict() && !m_last.responses.empty());
}

AnswerBar::AnswerBar(OptimizeSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_setting(new SteadyLabel(1, this))
    , m_facts(new FactLine(this))
    , m_buttons(new QHBoxLayout)
    , m_back(new QPushButton(tr("&Back to the optimum"), this))
    , m_reason(makePopup(this))
    , m_reasonText(new QLabel(m_reason))
    , m_confirmation(new ConfirmationPopup(this))
{
    QFont large = m_setting->font();
    large.setPointSizeF(large.pointSizeF() * kSettingSize);
    large.setBold(true);
    m_setting->setFont(large);
    m_setting->setGrowing(true);
    m_setting->setObjectName(QStringLiteral("recommendation"));
    nameWidget(m_facts, "facts", tr("What to expect"));
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_facts->setToolTip(
        tr("± is the 95 % interval for a single new run at this setting; with blocks, in a new "
           "block. The score D (overall desirability) joins all goals: 0 is outside a limit, "
           "1 is every goal met."));
    m_reasonText->setWordWrap(true);
    m_reasonText->setObjectName(QStringLiteral("reason"));
    (new QVBoxLayout(m_reason))->addWidget(m_reasonText);
    m_back->setObjectName(QStringLiteral("backToOptimum"));
    auto* copyButton = new QPushButton(tr("Cop&y"), this);
    copyButton->setObjectName(QStringLiteral("copyAnswer"));
    copyButton->setToolTip(tr("Copies the setting and what to expect as text."));
    m_buttons->setSpacing(kGap);
    m_buttons->addWidget(m_back);
    addConfirmButton();
    m_buttons->addWidget(copyButton);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGroupGap);
    head->addWidget(m_setting, 1);
    head->addLayout(m_buttons);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(head);
    layout->addWidget(m_facts);
    connect(m_back, &QPushButton::clicked, &m_session, &OptimizeSession::returnToBest);
    connect(copyButton, &QPushButton::clicked, this, &AnswerBar::copy);
    connect(m_facts, &QLabel::linkActivated, this, &AnswerBar::openReason);
}

void AnswerBar::addButton(QWidget* button)
{
    m_buttons->addWidget(button);
}

void AnswerBar::addConfirmButton()
{
    m_confirm = new QToolButton(this);
    m_confirm->setText(tr("Confirm"));
    m_confirm->setObjectName(QStringLiteral("confirm"));
    m_confirm->setFocusPolicy(Qt::StrongFocus);
    m_confirm->setPopupMode(QToolButton::MenuButtonPopup);
    m_confirm->setToolTip(tr("Adds %1 new runs at this setting and starts them, to check the prediction.")
                              .arg(kConfirmingRuns));
    auto* menu = new QMenu(m_confirm);
    const auto confirm = [this](int runs) { emit confirmRequested(m_session.answer().settings(), runs); };
    for (const int runs : {1, kConfirmingRuns, 5, 10})
        menu->addAction(tr("With %1").arg(formatCount(runs, "run")), this,
                        [confirm, runs] { confirm(runs); });
    m_confirm->setMenu(menu);
    m_buttons->addWidget(m_confirm);
    connect(m_confirm, &QToolButton::clicked, this, [confirm] { confirm(kConfirmingRuns); });
}

void AnswerBar::refresh(Change change)
{
    const Answer& answer = m_session.answer();
    if (change >= Change::Goals)
        startCorrection();
    if (change == Change::Models)
        for (const model::Fit& fit : answer.fits())
            m_cautions.poorModels[fit.response] = report::describePoorModel(fit);
    m_setting->setText(answer.best.isOk()
                           ? settingsText(answer.study(), answer.settings(), answer.shown.indifferent)
                           : fromUtf8(answer.best.message));
    m_back->setVisible(answer.best.isOk() && !answer.isAtBest());
    m_confirm->setEnabled(answer.best.isOk() && study::isLegal(answer.study(), answer.settings()) &&
                          !answer.context->isRunning);
    if (change == Change::Models && !answer.confirmations.empty())
        m_confirmation->showConfirmations(answer.study(), answer.confirmations);
    showFacts();
}

void AnswerBar::showFacts()
{
    m_shown = collectFacts(m_session.answer(), m_cautions);
    QStringList parts;
    for (std::size_t i = 0; i < m_shown.size(); ++i)
        parts << toHtml(m_shown[i], i, palette());
    m_facts->setText(parts.join(QStringLiteral(" &nbsp; &nbsp;")));
}

void AnswerBar::openReason(const QString& fact)
{
    const auto index = static_cast<std::size_t>(fact.toInt());
    if (index >= m_shown.size())
        return;
    if (m_shown[index].isConfirmation && !m_session.answer().confirmations.empty())
        return openAtPointer(*m_confirmation);
    m_reasonText->setText(m_shown[index].reasons.join(QLatin1Char('\n')));
    openAtPointer(*m_reason);
}

void AnswerBar::copy()
{
    QStringList lines{m_setting->text()};
    for (const AnswerFact& fact : m_shown)
        lines << fact.words;
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

/// Of the best settings only: what is looked at elsewhere was not chosen.
void AnswerBar::startCorrection()
{
    const Answer& answer = m_session.answer();
    m_cautions.correction = {};
    m_job.cancel();
    if (!answer.best.isOk())
        return;
    optimize::OptimizeOptions options;
    options.fixed = answer.locked;
    options.leastRunsProbability = answer.searchOptions().leastRunsProbability;
    m_job.start(
        [context = answer.context, study = answer.held, best = answer.best,
         options](const std::stop_token& stop) mutable {
            options.stop = stop;
            return optimize::correctOptimum(*study, context->fits, best, options);
        },
        [this](const optimize::OptimumCorrection& correction) {
            m_cautions.correction = correction;
            showFacts();
        });
}

} // namespace quadric::widgets
