// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/evaluate/offers.h"
#include "widgets/base/job_runner.h"

#include <QAbstractButton>
#include <QWidget>

class QVBoxLayout;

namespace quadric::widgets {

/// One of a few things to choose from: a title, a sentence about it, and where there are any the figures that
/// decide and a word beside the title. Nothing is cut: it is as high as its texts need. Exclusive among its
/// siblings.
class ChoiceCard : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceCard(const QString& title, QString about, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setAbout(const QString& about);
    void setFacts(const QString& facts);
    void setBadge(const QString& badge);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Where the parts are in a card of this width: below one another, each as wide as there is room.
    struct Places {
        QRect badge, title, about, facts;
    };
    Places placesIn(int width) const;
    QFont titleFont() const;
    void paintDot(QPainter& painter) const;
    void paintBadge(QPainter& painter, const QRect& area) const;
    void refreshDescription();

    QString m_about, m_facts, m_badge;
};

/// The design types as cards to choose from, with what each costs and buys, and which one is recommended. The
/// figures are computed in the background; the cards can be chosen before they are there.
class OfferCards : public QWidget {
    Q_OBJECT

public:
    explicit OfferCards(QWidget* parent = nullptr);
    /// Shows the design of the study as chosen, and what a search for it found.
    void setStudy(const study::Study& study);
    const std::vector<design::DesignOffer>& offers() const { return m_offers; }
    bool isBusy() const { return m_jobs.isBusy(); }

signals:
    void chosen(const quadric::study::DesignSpec& spec);
    /// The figures of the study that was set last are on the cards.
    void offersShown();

private:
    ChoiceCard* addCard(const std::string& type);
    ChoiceCard* assignCard(size_t offer);
    void showOffers(const std::vector<design::DesignOffer>& offers);
    void showOffer(size_t offer);
    void arrange();
    size_t chosenCard() const;
    void updateFoundDesign();
    void choose(const ChoiceCard* card);
    void showChoice();

    struct Card {
        ChoiceCard* button = nullptr;
        std::string type;
    };
    study::Study m_study;
    std::vector<Card> m_cards;
    std::vector<design::DesignOffer> m_offers; ///< of a study with the same factors and options
    std::vector<size_t> m_cardOfOffer;
    std::vector<study::Run> m_runs;  ///< of the study
    std::vector<study::Run> m_found; ///< of the last search whose figures are shown
    QVBoxLayout* m_layout;
    JobRunner<std::vector<design::DesignOffer>> m_jobs;
};

} // namespace quadric::widgets
