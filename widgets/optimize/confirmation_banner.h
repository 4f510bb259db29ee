// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "widgets/base/banner.h"

class QPushButton;

namespace quadric::widgets {

/// What the confirming runs say of the prediction, and the offer to fit the models with them. Hidden while
/// there are none, and when the user has put this verdict away.
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

private:
    QPushButton* m_fit = nullptr;
    QPushButton* m_hide = nullptr;
    std::vector<int> m_runs; ///< ids of those that the verdict is on
    QString m_putAway;       ///< the words that the user does not want to see again
};

/// The verdict in words: how many runs are in, or the sentence of every response.
QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation);

} // namespace quadric::widgets
