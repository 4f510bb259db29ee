// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/choice_cards.h"

#include "core/report/tables/study_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/text/wording.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr int kMargin = 12;
constexpr int kDot = 16;
constexpr int kTextLeft = kMargin + kDot + kGap;
constexpr int kUsualWidth = 280;
constexpr int kUnlimited = 10000; ///< pixels: a text may be as high as it needs
constexpr int kFlow = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

/// What the offers depend on.
bool hasSameOffers(const study::Study& a, const study::Study& b)
{
    return a.factors == b.factors && a.constraints == b.constraints && a.fixed == b.fixed &&
           a.design.seed == b.design.seed && a.design.randomize == b.design.randomize;
}

QString powerWords(const design::DesignOffer& offer)
{
    QStringList parts;
    const auto add = [&](const QString& name, const std::optional<double>& power) {
        if (power)
            parts << name + QChar(QChar::Nbsp) +
                         formatPower(*power).replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    };
    add(OfferCards::tr("main"), offer.powerMain);
    add(OfferCards::tr("interactions"), offer.powerInteraction);
    add(OfferCards::tr("quadratic"), offer.powerSquare);
    return parts.isEmpty() ? QString()
                           : OfferCards::tr("Power for 2σ effects: %1").arg(parts.join(QStringLiteral(", ")));
}

/// What a design buys, in figures: "15 runs · finds effects of 2σ: main 96 %, interactions 72 % …".
QString offerFacts(const design::DesignOffer& offer)
{
    if (!offer.isPossible)
        return QString::fromStdString(offer.whyNot);
    QStringList lines = {formatCount(offer.runs, "run")};
    if (offer.predictionSe)
        lines.front() += OfferCards::tr(" · average prediction error %1")
                             .arg(QString::fromStdString(report::formatDesignNumber(
                                 design::DesignNumber::StandardError, *offer.predictionSe)));
    else if (offer.isSlow)
        lines.front() += OfferCards::tr(" · computed when selected");
    const QString power = powerWords(offer);
    if (!power.isEmpty())
        lines << power;
    if (offer.isRecommended)
        lines << QString::fromStdString(offer.reason);
    return lines.join(QLatin1Char('\n'))
        .replace(QStringLiteral(" σ"), QChar(QChar::Nbsp) + QStringLiteral("σ"));
}

/// The offers for a study; none while its factors are not sound.
std::vector<design::DesignOffer> offersOrNone(const study::Study& study, const std::stop_token& stop)
{
    try {
        return design::offersFor(study, stop);
    } catch (const std::exception&) {
        return {}; // factors that are not sound: the step Factors says what is wrong
    }
}

} // namespace

ChoiceCard::ChoiceCard(const QString& title, QString about, QWidget* parent)
    : QAbstractButton(parent)
    , m_about(std::move(about))
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(m_about);
    setCheckable(true);
    setAutoExclusive(true);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceCard::setTitle(const QString& title)
{
    setText(title);
    setAccessibleName(title);
    updateGeometry();
}

void ChoiceCard::setAbout(const QString& about)
{
    m_about = about;
    refreshDescription();
}

void ChoiceCard::setFacts(const QString& facts)
{
    m_facts = facts;
    refreshDescription();
}

void ChoiceCard::setBadge(const QString& badge)
{
    m_badge = badge;
    refreshDescription();
}

void ChoiceCard::refreshDescription()
{
    QStringList spoken = {m_badge, m_about, m_facts};
    spoken.removeAll(QString());
    setAccessibleDescription(spoken.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

QSize ChoiceCard::sizeHint() const
{
    return {kUsualWidth, heightForWidth(kUsualWidth)};
}

int ChoiceCard::heightForWidth(int width) const
{
    const Places places = placesIn(width);
    const QRect& last = !m_facts.isEmpty() ? places.facts : !m_about.isEmpty() ? places.about : places.title;
    return last.bottom() + kMargin;
}

QFont ChoiceCard::titleFont() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

/// The title beside the badge, or below it where both together are too wide.
ChoiceCard::Places ChoiceCard::placesIn(int width) const
{
    const int room = std::max(1, width - kTextLeft - kMargin);
    const auto flowed = [room](int top, const QFont& font, const QString& text) {
        const int height =
            QFontMetrics(font).boundingRect(QRect(0, 0, room, kUnlimited), kFlow, text).height();
        return QRect(kTextLeft, top, room, height);
    };
    Places places;
    int top = kMargin;
    if (!m_badge.isEmpty()) {
        const int badge = fontMetrics().horizontalAdvance(m_badge) + 2 * kGap;
        const bool isBeside = QFontMetrics(titleFont()).horizontalAdvance(text()) + kGap + badge <= room;
        places.badge = QRect(isBeside ? kTextLeft + room - badge : kTextLeft, kMargin - 2, badge,
                             fontMetrics().height() + 4);
        top = isBeside ? kMargin : places.badge.bottom() + 4;
    }
    places.title = flowed(top, titleFont(), text());
    places.about = flowed(places.title.bottom() + 3, font(), m_about);
    places.facts = flowed((m_about.isEmpty() ? places.title : places.about).bottom() + 4, font(), m_facts);
    return places;
}

void ChoiceCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isLit = isEnabled() && (isChecked() || hasFocus());
    painter.setPen(QPen(palette().color(isLit ? QPalette::Highlight : QPalette::Mid), isLit ? 2 : 1));
    const bool isHovered = isEnabled() && underMouse();
    painter.setBrush(palette().color(isHovered ? QPalette::AlternateBase : QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    paintDot(painter);
    const Places places = placesIn(width());
    if (!m_badge.isEmpty())
        paintBadge(painter, places.badge);
    const QColor strong = palette().color(isEnabled() ? QPalette::Text : QPalette::PlaceholderText);
    painter.setPen(strong);
    painter.setFont(titleFont());
    painter.drawText(places.title, kFlow, text());
    painter.setFont(font());
    painter.drawText(places.facts, kFlow, m_facts);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(places.about, kFlow, m_about);
}

void ChoiceCard::paintDot(QPainter& painter) const
{
    const QRectF dot(kMargin, kMargin + (fontMetrics().height() - kDot) / 2.0, kDot, kDot);
    painter.setPen(QPen(palette().color(isChecked() ? QPalette::Highlight : QPalette::PlaceholderText), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(dot.adjusted(1, 1, -1, -1));
    if (!isChecked())
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawEllipse(dot.adjusted(4.5, 4.5, -4.5, -4.5));
}

/// A filled label, so that it is more than a color.
void ChoiceCard::paintBadge(QPainter& painter, const QRect& area) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(area, 4, 4);
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::HighlightedText));
    painter.drawText(area, Qt::AlignCenter, m_badge);
}

OfferCards::OfferCards(QWidget* parent)
    : QWidget(parent)
    , m_layout(marginless<QVBoxLayout>(this, kGap))
{
    for (const std::string& type : design::designTypes())
        addCard(type);
    m_layout->addStretch();
}

ChoiceCard* OfferCards::addCard(const std::string& type)
{
    const auto present = std::ranges::count(m_cards, type, &Card::type);
    auto* card = new ChoiceCard(designName(type), designPurpose(type));
    QString name = QStringLiteral("design-") + QString::fromStdString(type);
    if (present > 0)
        name += QStringLiteral("-%1").arg(present + 1);
    card->setObjectName(name);
    connect(card, &QAbstractButton::clicked, this, [this, card] { choose(card); });
    m_layout->insertWidget(int(m_cards.size()), card);
    m_cards.push_back({card, type});
    return card;
}

void OfferCards::setStudy(const study::Study& study)
{
    const bool isNew = !hasSameOffers(study, m_study) || (m_offers.empty() && !m_jobs.isBusy());
    m_study = study;
    m_runs = std::exchange(m_study.runs, {});
    showChoice();
    if (!isNew)
        updateFoundDesign();
    else
        m_jobs.start([wanted = m_study](const std::stop_token& stop) { return offersOrNone(wanted, stop); },
                     [this](const std::vector<design::DesignOffer>& offers) { showOffers(offers); });
}

/// The first card of the offer's type that no earlier offer has taken.
ChoiceCard* OfferCards::assignCard(size_t offer)
{
    const std::string& type = m_offers[offer].spec.type;
    auto place = std::count_if(m_offers.begin(), m_offers.begin() + std::ptrdiff_t(offer),
                               [&](const design::DesignOffer& earlier) { return earlier.spec.type == type; });
    for (size_t i = 0; i < m_cards.size(); ++i)
        if (m_cards[i].type == type && place-- == 0) {
            m_cardOfOffer.push_back(i);
            return m_cards[i].button;
        }
    m_cardOfOffer.push_back(m_cards.size());
    return addCard(type);
}

void OfferCards::showOffers(const std::vector<design::DesignOffer>& offers)
{
    m_offers = offers;
    m_cardOfOffer.clear();
    m_found.clear();
    for (size_t i = 0; i < m_offers.size(); ++i) {
        assignCard(i);
        showOffer(i);
    }
    arrange();
    showChoice();
    updateFoundDesign();
    emit offersShown();
}

void OfferCards::showOffer(size_t index)
{
    const design::DesignOffer& offer = m_offers[index];
    ChoiceCard* card = m_cards[m_cardOfOffer[index]].button;
    const bool isNamed = offer.title != offer.spec.type && !offer.title.empty();
    card->setTitle(isNamed ? fromUtf8(offer.title) : designName(offer.spec.type));
    card->setAbout(!offer.isPossible         ? QString()
                   : offer.estimates.empty() ? designPurpose(offer.spec.type)
                                             : QString::fromStdString(offer.estimates));
    card->setFacts(offerFacts(offer));
    card->setBadge(offer.isRecommended ? tr("recommended") : QString());
    card->setEnabled(offer.isPossible);
}

/// The cards in the order of the offers, for the eye and for the Tab key.
void OfferCards::arrange()
{
    for (const Card& card : m_cards) {
        m_layout->removeWidget(card.button);
        card.button->hide();
    }
    QWidget* before = nullptr;
    for (size_t i = 0; i < m_cardOfOffer.size(); ++i) {
        ChoiceCard* card = m_cards[m_cardOfOffer[i]].button;
        m_layout->insertWidget(int(i), card);
        card->show();
        if (before)
            QWidget::setTabOrder(before, card);
        before = card;
    }
}

/// Of several cards of one type the one whose specification comes closest.
size_t OfferCards::chosenCard() const
{
    const auto likeness = [&](size_t card) {
        const auto offer = std::ranges::find(m_cardOfOffer, card);
        if (m_cards[card].type != m_study.design.type)
            return -1;
        if (offer == m_cardOfOffer.end())
            return 0;
        const study::DesignSpec& spec = m_offers[size_t(offer - m_cardOfOffer.begin())].spec;
        return 1 + (spec.resolution == m_study.design.resolution ? 2 : 0) +
               (spec.runs == m_study.design.runs ? 2 : 0) + (spec.alpha == m_study.design.alpha ? 1 : 0);
    };
    size_t best = m_cards.size();
    for (size_t i = 0; i < m_cards.size(); ++i)
        if (likeness(i) >= 0 && (best == m_cards.size() || likeness(i) > likeness(best)))
            best = i;
    return best;
}

void OfferCards::showChoice()
{
    if (const size_t card = chosenCard(); card < m_cards.size())
        m_cards[card].button->setChecked(true);
}

/// The figures of a design that was searched for are those of its runs.
void OfferCards::updateFoundDesign()
{
    const auto offer = std::ranges::find(m_cardOfOffer, chosenCard());
    if (m_runs.empty() || m_runs == m_found || offer == m_cardOfOffer.end())
        return;
    const auto index = size_t(offer - m_cardOfOffer.begin());
    if (!m_offers[index].isSlow)
        return;
    m_found = m_runs;
    study::Study laidOut = m_study;
    laidOut.runs = m_runs;
    try {
        design::fillOfferNumbers(m_offers[index], laidOut);
    } catch (const std::exception&) {
        return; // the quality beside the cards says why
    }
    showOffer(index);
}

void OfferCards::choose(const ChoiceCard* card)
{
    const auto found = std::ranges::find(m_cards, card, &Card::button);
    const auto offer = std::ranges::find(m_cardOfOffer, size_t(found - m_cards.begin()));
    study::DesignSpec spec = m_study.design;
    spec.type = found->type;
    if (offer != m_cardOfOffer.end())
        spec = m_offers[size_t(offer - m_cardOfOffer.begin())].spec;
    emit chosen(spec);
}

} // namespace quadric::widgets
