// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;

namespace quadric::widgets {

class CubePanel;
class DesignOptions;
class OfferCards;
class QualityPanel;
class RunMatrixModel;

/// How the runs are laid out: cards to choose from at the left; options, the runs themselves, the cube and
/// the quality at the right.
class LayoutPage : public WizardPage {
    Q_OBJECT

public:
    explicit LayoutPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

    /// Whether the user has chosen a design or an option of it here.
    bool hasChoice() const { return m_isChosen; }

    /// A study with results keeps its runs: nothing can be changed here.
    void lock(const QString& reason);

    /// This design has been chosen. Until one is, the recommended one is taken; and so it is while the
    /// factors do not allow the chosen one.
    void choose(const study::DesignSpec& spec) { m_chosen = spec; }

    /// A search for the design goes on and is this far, 0 … 1; empty: none does.
    void showSearch(std::optional<double> done);

    /// How the last search ended, in words.
    void showFound(const QString& words);

signals:
    /// The user has waited long enough and takes the best design so far.
    void stopRequested();
    /// The user wants to see whether a search finds a better design.
    void searchRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildChoices();
    QWidget* buildPreview();
    QWidget* buildSearch();
    QWidget* buildResult();
    void arrange();
    void showPreview();
    void take(const study::DesignSpec& spec);
    void followRecommendation();
    void showFollowing(const QString& words);

    study::Study m_study;
    std::optional<study::Study> m_shown; ///< what the preview shows; it follows only while it is seen
    bool m_isChosen = false;             ///< on this page
    std::optional<study::DesignSpec> m_chosen;
    bool m_isLocked = false;
    OfferCards* m_cards;
    DesignOptions* m_options;
    QLabel* m_note; ///< above the cards: why they are locked, or what is selected and why
    QWidget* m_search = nullptr;
    QWidget* m_result = nullptr;
    QLabel* m_found = nullptr;
    QProgressBar* m_progress = nullptr;
    RunMatrixModel* m_runs;
    QSplitter* m_upper = nullptr;
    CubePanel* m_cube;
    QualityPanel* m_quality;
};

} // namespace quadric::widgets
