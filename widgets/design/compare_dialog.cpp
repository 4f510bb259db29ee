// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/compare_dialog.h"

#include "widgets/base/style.h"
#include "widgets/base/window_size.h"
#include "widgets/design/words.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace quadric::widgets {

namespace {

constexpr QSize kCompareSize(960, 640);

QString titleOf(const design::DesignOffer& offer)
{
    return offer.title.empty() || offer.title == offer.spec.type ? designName(offer.spec.type)
                                                                 : QString::fromStdString(offer.title);
}

} // namespace

CompareDialog::CompareDialog(study::Study study, JudgmentOptions options, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_options(std::move(options))
    , m_choice(new QComboBox)
    , m_state(mutedLabel({}))
    , m_view(new ComparisonView)
{
    setObjectName(QStringLiteral("compareDialog"));
    setWindowTitle(tr("Compare designs"));
    resizeWithinScreen(*this, kCompareSize);
    auto* close = quietButton(tr("&Close"));
    nameWidget(close, "closeComparison", tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    nameWidget(m_state, "comparisonState", tr("State of the comparison"));
    m_view->hide();
    auto* footer = new QHBoxLayout;
    footer->addStretch();
    footer->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addLayout(buildChoice());
    layout->addWidget(m_state);
    layout->addWidget(m_view, 1);
    layout->addStretch();
    layout->addLayout(footer);
    m_offerJobs.start(
        [wanted = m_study](const std::stop_token& stop) {
            try {
                return design::offersFor(wanted, stop);
            } catch (const std::exception&) {
                return std::vector<design::DesignOffer>(); // the design of a file can still be chosen
            }
        },
        [this](const std::vector<design::DesignOffer>& offers) { showOffers(offers); });
}

QLayout* CompareDialog::buildChoice()
{
    nameWidget(m_choice, "comparedDesign", tr("Design to compare with"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* caption = new QLabel(tr("Compare this design &with"));
    caption->setBuddy(m_choice);
    auto* file = quietButton(tr("A &study file…"));
    nameWidget(file, "comparedFile", tr("Compare with the design of a study file"));
    connect(file, &QPushButton::clicked, this, &CompareDialog::fileRequested);
    connect(m_choice, &QComboBox::activated, this, &CompareDialog::choose);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(caption);
    row->addWidget(m_choice);
    row->addWidget(file);
    row->addStretch();
    return row;
}

/// The recommended design is what most people want to see beside their own.
void CompareDialog::showOffers(const std::vector<design::DesignOffer>& offers)
{
    int first = -1;
    for (const design::DesignOffer& offer : offers) {
        if (!offer.isPossible)
            continue;
        m_offers.push_back(offer);
        m_choice->addItem(titleOf(offer));
        const bool isOther = offer.spec.type != m_study.design.type;
        if (isOther && !offer.isSlow && (first < 0 || offer.isRecommended))
            first = m_choice->count() - 1;
    }
    if (first >= 0 && !m_view->isVisible() && !m_jobs.isBusy()) {
        m_choice->setCurrentIndex(first);
        choose(first);
    }
}

void CompareDialog::choose(int index)
{
    study::Study wanted = m_study;
    wanted.design = m_offers[size_t(index)].spec;
    start(titleOf(m_offers[size_t(index)]),
          [wanted](const std::stop_token& stop) { return design::layOut(wanted, true, stop); });
}

void CompareDialog::compareWith(const QString& name, const study::Study& other)
{
    m_choice->setCurrentIndex(-1);
    start(name, [other](const std::stop_token&) { return other; });
}

void CompareDialog::start(const QString& name, std::function<study::Study(std::stop_token)> make)
{
    m_state->setText(tr("Computing %1…").arg(name));
    m_state->show();
    m_jobs.start(
        [study = m_study, options = m_options, name, make = std::move(make)](const std::stop_token& stop) {
            Sides sides;
            try {
                sides.first = judgedDesign(tr("This design"), study, options);
                sides.second = judgedDesign(name, make(stop), options);
            } catch (const std::exception& error) {
                sides.problem = QString::fromStdString(error.what());
            }
            return sides;
        },
        [this](const Sides& sides) { show(sides); });
}

void CompareDialog::show(const Sides& sides)
{
    const bool isDone = sides.first && sides.second;
    m_state->setText(sides.problem);
    m_state->setVisible(!isDone);
    m_view->setVisible(isDone);
    if (isDone)
        m_view->setDesigns(*sides.first, *sides.second);
}

} // namespace quadric::widgets
