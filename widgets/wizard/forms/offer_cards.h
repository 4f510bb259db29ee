// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/evaluate/offers.h"
#include "widgets/base/job_runner.h"

#include <QWidget>

class QVBoxLayout;

namespace quadric::widgets {

class ChoiceCard;

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
    ChoiceCard* cardOf(size_t offer);
    void showOffers(const std::vector<design::DesignOffer>& offers);
    void showOffer(size_t offer);
    void arrange();
    size_t chosenCard() const;
    void takeFound();
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
