// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_page.h"

#include "widgets/base/empty_state.h"
#include "widgets/report/page_preview.h"
#include "widgets/report/printed_report.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QShowEvent>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <array>

namespace quadric::widgets {

namespace {

constexpr int kSideWidth = 200;

struct Section {
    const char* label;
    bool ReportOptions::*isShown;
};
constexpr std::array<Section, 6> kSections{
    {{QT_TRANSLATE_NOOP("ReportPage", "&Summary"), &ReportOptions::summary},
     {QT_TRANSLATE_NOOP("ReportPage", "&Runs"), &ReportOptions::matrix},
     {QT_TRANSLATE_NOOP("ReportPage", "&Models"), &ReportOptions::models},
     {QT_TRANSLATE_NOOP("ReportPage", "P&lots"), &ReportOptions::plots},
     {QT_TRANSLATE_NOOP("ReportPage", "&Best settings"), &ReportOptions::optimum},
     {QT_TRANSLATE_NOOP("ReportPage", "Pro&venance"), &ReportOptions::provenance}}};

QString proposedFile(const StudyContext& context)
{
    if (!context.path.empty())
        return QString::fromStdString(std::filesystem::path(context.path).replace_extension(".pdf").string());
    return QStringLiteral("report.pdf");
}

} // namespace

struct ReportPage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    std::array<QCheckBox*, kSections.size()> sections{};
    QComboBox* paper = nullptr;
    QPushButton* exportButton = nullptr;
    QLabel* message = nullptr;
    PagePreview* preview = nullptr;
    QTimer* refresh = nullptr; ///< runs out when the pages are to be set anew
    bool isOutdated = false;
    ContextPointer context;

    QWidget* makeSide();
    QWidget* makeViews();
};

QWidget* ReportPage::Parts::makeSide()
{
    auto* side = new QWidget;
    side->setFixedWidth(kSideWidth);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(new QLabel(tr("Sections"), side));
    for (std::size_t i = 0; i < kSections.size(); ++i) {
        sections[i] = new QCheckBox(tr(kSections[i].label), side);
        sections[i]->setChecked(true);
        layout->addWidget(sections[i]);
    }
    layout->addSpacing(8);
    auto* label = new QLabel(tr("&Paper"), side);
    paper = new QComboBox(side);
    paper->addItems({tr("A4"), tr("US Letter")});
    label->setBuddy(paper);
    layout->addWidget(label);
    layout->addWidget(paper);
    layout->addSpacing(16);
    exportButton = new QPushButton(tr("&Export PDF…"), side);
    exportButton->setMinimumHeight(40);
    layout->addWidget(exportButton);
    message = new QLabel(side);
    message->setWordWrap(true);
    layout->addWidget(message);
    layout->addStretch(1);
    return side;
}

QWidget* ReportPage::Parts::makeViews()
{
    preview = new PagePreview;
    auto* scroll = new QScrollArea;
    scroll->setWidget(preview);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    auto* views = new QWidget;
    auto* layout = new QHBoxLayout(views);
    layout->setContentsMargins(16, 16, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(makeSide());
    layout->addWidget(scroll, 1);
    return views;
}

ReportPage::ReportPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->empty->setTexts(tr("Nothing to report yet"),
                             tr("The report begins with a design: which settings are measured."),
                             tr("Go to Design"));
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews());
    m_parts->refresh = new QTimer(this);
    m_parts->refresh->setSingleShot(true);
    m_parts->refresh->setInterval(0);
    connect(m_parts->refresh, &QTimer::timeout, this, &ReportPage::setPages);
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] { emit stepRequested(Step::Design); });
    for (QCheckBox* box : m_parts->sections)
        connect(box, &QCheckBox::toggled, this, &ReportPage::markOutdated);
    connect(m_parts->paper, &QComboBox::currentIndexChanged, this, &ReportPage::markOutdated);
    connect(m_parts->exportButton, &QPushButton::clicked, this, &ReportPage::askAndExport);
}

ReportPage::~ReportPage() = default;

void ReportPage::setContext(ContextPointer context)
{
    m_parts->context = std::move(context);
    m_parts->stack->setCurrentIndex(m_parts->context->study.runs.empty() ? 0 : 1);
    m_parts->message->clear();
    markOutdated();
}

ReportOptions ReportPage::options() const
{
    ReportOptions options;
    for (std::size_t i = 0; i < kSections.size(); ++i)
        options.*kSections[i].isShown = m_parts->sections[i]->isChecked();
    options.letterPaper = m_parts->paper->currentIndex() == 1;
    return options;
}

/// Setting the pages takes longer than a frame: it waits until somebody looks, and until the last of many
/// changes.
void ReportPage::markOutdated()
{
    m_parts->isOutdated = true;
    if (isVisible())
        m_parts->refresh->start();
}

void ReportPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_parts->isOutdated)
        m_parts->refresh->start();
}

void ReportPage::setPages()
{
    if (!m_parts->context || m_parts->context->study.runs.empty())
        return;
    m_parts->isOutdated = false;
    m_parts->preview->setReport(std::make_unique<PrintedReport>(*m_parts->context, options()));
}

void ReportPage::askAndExport()
{
    if (!m_parts->context)
        return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the report"), proposedFile(*m_parts->context), tr("PDF documents (*.pdf)"));
    if (!path.isEmpty())
        exportTo(path);
}

QString ReportPage::exportTo(const QString& path)
{
    const QString problem = m_parts->context ? writeReport(*m_parts->context, options(), path)
                                             : tr("There is no study to report.");
    m_parts->message->setText(problem.isEmpty() ? tr("Written to %1").arg(path) : problem);
    return problem;
}

} // namespace quadric::widgets
