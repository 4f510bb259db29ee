// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/optimism.h"
#include "core/optimize/confirmation.h"
#include "widgets/optimize/session/optimize_session.h"

#include <QFrame>

#include <map>
#include <string>
#include <vector>

class QLabel;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace quadric::widgets {

class SteadyLabel;

/// One fact of the answer in a few words. Its reason, where something has to be said of it, stands behind a
/// dot, in amber or, where the setting is not to be used, in red.
struct AnswerFact {
    QString words;
    QStringList reasons = {};
    report::Severity severity = report::Severity::Green;
    bool isConfirmation = false; ///< its reason is what the confirming runs say
};

/// What takes longer than a frame: it is found once for models, or in the background.
struct AnswerCautions {
    std::map<std::string, std::string> poorModels = {}; ///< by response, in words; empty: a good one
    optimize::OptimumCorrection correction = {};        ///< of the best settings, once it is known
};

/// What is known of the setting that is shown: its predictions, the score, whether it was confirmed, what
/// holding factors costs, what speaks against it.
std::vector<AnswerFact> collectFacts(const Answer& answer, const AnswerCautions& cautions);

/// What the factors that are held cost against the best setting without padlocks, in one sentence.
QString costText(const Answer& answer);

/// Where the confirmation of a setting stands, in one sentence.
QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation);

/// What the confirming runs say of the prediction, as a table by response, and what to do next: measure
/// disturbed runs again, or fit the models with them.
class ConfirmationPopup : public QFrame {
    Q_OBJECT

public:
    explicit ConfirmationPopup(QWidget* parent = nullptr);

    /// The verdict on the setting that was last confirmed; there is one.
    void showConfirmations(const study::Study& study,
                           const std::vector<optimize::Confirmation>& confirmations);

signals:
    /// The models are to be fitted to these runs too.
    void fitRequested(const std::vector<int>& runs);
    /// These runs were disturbed and are to be measured again.
    void repeatRequested(const std::vector<int>& runs);

private:
    QLabel* m_words = nullptr;
    QPushButton* m_repeat = nullptr;
    QPushButton* m_fit = nullptr;
    optimize::Confirmation m_last; ///< the verdict that is shown
};

/// The setting in one line, its facts in a second one, and what can be done with it: confirm it by new runs,
/// copy it, return to the best one.
class AnswerBar : public QWidget {
    Q_OBJECT

public:
    explicit AnswerBar(OptimizeSession& session, QWidget* parent = nullptr);

    void refresh(Change change);
    /// Puts a button behind those of the bar.
    void addButton(QWidget* button);
    ConfirmationPopup& confirmation() { return *m_confirmation; }

signals:
    void confirmRequested(const quadric::study::Settings& settings, int runs);

private:
    void addConfirmButton();
    void showFacts();
    void openReason(const QString& fact);
    void copy();
    void startCorrection();

    OptimizeSession& m_session;
    SteadyLabel* m_setting = nullptr;
    QLabel* m_facts = nullptr;
    QHBoxLayout* m_buttons = nullptr;
    QToolButton* m_confirm = nullptr;
    QPushButton* m_back = nullptr;
    QFrame* m_reason = nullptr; ///< what stands behind a dot
    QLabel* m_reasonText = nullptr;
    ConfirmationPopup* m_confirmation = nullptr;
    std::vector<AnswerFact> m_shown;
    FollowUp<optimize::OptimumCorrection> m_job;
    AnswerCautions m_cautions;
};

} // namespace quadric::widgets
