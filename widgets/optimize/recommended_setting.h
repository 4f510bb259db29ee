// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/optimism.h"
#include "core/optimize/confirmation.h"
#include "widgets/base/page.h"
#include "widgets/optimize/session/optimize_session.h"

class QPushButton;
class QSpinBox;

namespace quadric::widgets {

class SteadyLabel;

/// The recommendation in one sentence, what its predictions owe to having been chosen, the button that
/// confirms it by new runs, and what earlier confirming runs said.
class SentenceBar : public QWidget {
    Q_OBJECT

public:
    explicit SentenceBar(OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);

signals:
    void confirmRequested(const quadric::study::Settings& settings, int runs);

private:
    void showSentence();
    void startCorrection();
    void showCorrection();
    void showRuns();
    void showButton();

    OptimizeSession& m_session;
    SteadyLabel* m_sentence = nullptr;
    SteadyLabel* m_corrected = nullptr;
    SteadyLabel* m_runsText = nullptr; ///< how surely the setting gives a result
    QPushButton* m_confirm = nullptr;
    QSpinBox* m_runs = nullptr;
    FollowUp<optimize::OptimumCorrection> m_job;
    optimize::OptimumCorrection m_correction; ///< of the best settings, once it is known
};

/// What the confirming runs say of the prediction, as a table by response, and what to do next: measure
/// disturbed runs again, or fit the models with them. Hidden while there are none; the user can fold it to
/// one line.
class ConfirmationBanner : public Banner {
    Q_OBJECT

public:
    explicit ConfirmationBanner(QWidget* parent = nullptr);

    /// The verdict on the setting that was last confirmed.
    void showConfirmations(const study::Study& study,
                           const std::vector<optimize::Confirmation>& confirmations);

signals:
    /// The models are to be fitted to these runs too.
    void fitRequested(const std::vector<int>& runs);
    /// These runs were disturbed and are to be measured again.
    void repeatRequested(const std::vector<int>& runs);

private:
    void fold(bool isFolded);

    QPushButton* m_repeat = nullptr;
    QPushButton* m_fit = nullptr;
    QPushButton* m_hide = nullptr;
    optimize::Confirmation m_last; ///< the verdict that is shown
    QString m_title, m_details;
    QString m_folded; ///< the title of the verdict that the user has folded
};

/// Where the confirmation of a setting stands, in one sentence.
QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation);

} // namespace quadric::widgets
