// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report_page.h"

#include "widgets/base/page.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/report/document/printed_report.h"
#include "widgets/report/page_preview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShowEvent>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

constexpr std::array kScales{0.5, 0.75, 1.0, 1.5, 2.0};
constexpr int kFitWidth = 0, kWholePage = 1, kFirstScale = 2; ///< rows of the zoom box
constexpr double kAboveHeading = 24.0;                        ///< logical pixels of the page

constexpr int kSideWidth = 200;
constexpr int kFirstExtent = 0; ///< the summary: the answer and what speaks for and against it
constexpr int kLongestText = 160;
constexpr int kTypingPause = 400; ///< ms without a key before the pages follow a text
constexpr int kFirstPause = 50;   ///< ms in which a page that is shown for the first time is drawn
constexpr int kTurn = 8;          ///< ms after which the window gets its turn while the pages are set
constexpr int kPatience = 300;    ///< ms after which pages that are still being set are said to be

QString proposedFile(const StudyContext& context)
{
    if (!context.path.empty())
        return QString::fromStdString(std::filesystem::path(context.path).replace_extension(".pdf").string());
    return QStringLiteral("report.pdf");
}

} // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent)
    , m_preview(new PagePreview)
    , m_scroll(new QScrollArea)
    , m_headings(new QComboBox)
    , m_zoom(new QComboBox)
    , m_count(mutedLabel({}))
{
    nameWidget(m_headings, "headings", tr("Go to section"));
    nameWidget(m_zoom, "zoom", tr("Zoom"));
    nameWidget(m_count, "pageCount", tr("Number of pages"));
    m_zoom->addItems({tr("Fit width"), tr("Whole page")});
    for (const double scale : kScales)
        m_zoom->addItem(tr("%1 %").arg(100.0 * scale));
    m_zoom->setToolTip(tr("Ctrl and the mouse wheel zoom, too."));
    m_headings->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_headings->setMinimumContentsLength(20);
    m_scroll->setAccessibleName(tr("Pages of the report"));
    m_scroll->setWidget(m_preview);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_scroll->viewport()->installEventFilter(this);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(16, 0, 16, 0);
    bar->addWidget(m_headings);
    bar->addWidget(m_count);
    bar->addStretch(1);
    bar->addWidget(m_zoom);
    auto* layout = marginless<QVBoxLayout>(this, 8);
    layout->addLayout(bar);
    layout->addWidget(m_scroll, 1);
    connect(m_zoom, &QComboBox::currentIndexChanged, this, &PreviewPanel::applyZoom);
    connect(m_headings, &QComboBox::activated, this, &PreviewPanel::goTo);
}

void PreviewPanel::setReport(std::unique_ptr<PrintedReport> report)
{
    const QString kept = m_headings->currentText();
    const QSignalBlocker quiet(m_headings);
    m_headings->clear();
    m_places.clear();
    const double pointsPerPage = report->pageSize().height() * PrintedReport::kPointsPerPixel;
    for (const OutlineEntry& entry : report->outline())
        if (entry.level == 0) {
            m_headings->addItem(entry.title);
            m_places.emplace_back(entry.page, (pointsPerPage - entry.top) / PrintedReport::kPointsPerPixel);
        }
    m_headings->setCurrentIndex(std::max(0, m_headings->findText(kept)));
    m_count->setText(formatCount(report->pageCount(), "page"));
    m_preview->setReport(std::move(report));
    applyZoom();
}

void PreviewPanel::markOutdated()
{
    m_preview->markOutdated();
}

void PreviewPanel::applyZoom()
{
    const int row = m_zoom->currentIndex();
    if (row == kFitWidth || m_preview->report() == nullptr)
        return m_preview->setScale({});
    if (row == kWholePage)
        return m_preview->setScale(m_preview->fitPageScale(m_scroll->viewport()->height()));
    m_preview->setScale(kScales[static_cast<std::size_t>(row - kFirstScale)]);
}

void PreviewPanel::zoomBy(int steps)
{
    const int now = std::max(m_zoom->currentIndex(), kFirstScale + 1);
    m_zoom->setCurrentIndex(std::clamp(now + steps, kFirstScale, m_zoom->count() - 1));
}

void PreviewPanel::goTo(int heading)
{
    const auto [page, top] = m_places[static_cast<std::size_t>(heading)];
    m_scroll->verticalScrollBar()->setValue(m_preview->verticalPosition(page, top - kAboveHeading));
}

bool PreviewPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_zoom->currentIndex() == kWholePage)
        applyZoom();
    if (event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        if (wheel->modifiers().testFlag(Qt::ControlModifier) && wheel->angleDelta().y() != 0) {
            zoomBy(wheel->angleDelta().y() > 0 ? 1 : -1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

struct ReportPage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    QComboBox* extent = nullptr;      ///< as reportExtents()
    std::vector<QCheckBox*> sections; ///< as reportSections()
    QComboBox* paper = nullptr;
    QLineEdit* title = nullptr;
    QLineEdit* author = nullptr;
    QPushButton* exportButton = nullptr;
    QLabel* message = nullptr;
    PreviewPanel* preview = nullptr;
    QTimer* refresh = nullptr; ///< runs out when the pages are to be set anew
    QTimer* steps = nullptr;   ///< runs while the pages are being set
    std::unique_ptr<ReportDraft> draft;
    QElapsedTimer sinceBegin;
    bool isOutdated = false;
    ContextPointer context;

    QWidget* makeSide();
    QWidget* makeViews();
    void addExport(QVBoxLayout& layout);
    QComboBox* addChoice(QVBoxLayout& layout, const QString& name, const char* id);
    QLineEdit* addText(QVBoxLayout& layout, const QString& name, const QString& hint);
};

QWidget* ReportPage::Parts::makeSide()
{
    auto* side = new QWidget;
    auto* layout = marginless<QVBoxLayout>(side, 8);
    extent = addChoice(*layout, tr("Len&gth"), "length");
    for (const ExtentInfo& info : reportExtents())
        extent->addItem(info.title);
    extent->setCurrentIndex(kFirstExtent);
    layout->addSpacing(8);
    layout->addWidget(new QLabel(tr("Sections"), side));
    for (const SectionInfo& info : reportSections()) {
        sections.push_back(new QCheckBox(info.title, side));
        sections.back()->setObjectName(QString::fromStdString(info.name));
        sections.back()->setChecked(true);
        sections.back()->setEnabled(false); // the summary has none to choose
        layout->addWidget(sections.back());
    }
    layout->addSpacing(8);
    paper = addChoice(*layout, tr("&Paper"), "paper");
    paper->addItems({tr("A4"), tr("US Letter")});
    title = addText(*layout, tr("&Title"), tr("the study's name"));
    author = addText(*layout, tr("&Author"), tr("(optional)"));
    layout->addStretch(1);
    auto* scroll = scrollAreaFor(side);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* column = new QWidget;
    column->setFixedWidth(std::max(kSideWidth, side->minimumSizeHint().width()) +
                          scroll->verticalScrollBar()->sizeHint().width());
    auto* rows = new QVBoxLayout(column);
    rows->setContentsMargins(0, 0, 0, 16);
    rows->setSpacing(8);
    rows->addWidget(scroll, 1);
    addExport(*rows);
    return column;
}

/// Below what scrolls: the button and where the report went are seen in every window.
void ReportPage::Parts::addExport(QVBoxLayout& layout)
{
    exportButton = new QPushButton(tr("E&xport…"));
    exportButton->setObjectName(QStringLiteral("exportReport"));
    exportButton->setToolTip(tr("Writes the report as PDF or as one HTML file."));
    exportButton->setMinimumHeight(40);
    layout.addWidget(exportButton);
    message = new QLabel;
    message->setObjectName(QStringLiteral("exportMessage"));
    message->setWordWrap(true);
    layout.addWidget(message);
}

QComboBox* ReportPage::Parts::addChoice(QVBoxLayout& layout, const QString& name, const char* id)
{
    auto* label = new QLabel(name);
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(id));
    label->setBuddy(box);
    layout.addWidget(label);
    layout.addWidget(box);
    return box;
}

QLineEdit* ReportPage::Parts::addText(QVBoxLayout& layout, const QString& name, const QString& hint)
{
    auto* label = new QLabel(name);
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(hint);
    edit->setMaxLength(kLongestText);
    label->setBuddy(edit);
    layout.addWidget(label);
    layout.addWidget(edit);
    return edit;
}

QWidget* ReportPage::Parts::makeViews()
{
    preview = new PreviewPanel;
    auto* views = new QWidget;
    auto* layout = new QHBoxLayout(views);
    layout->setContentsMargins(16, 16, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(makeSide());
    layout->addWidget(preview, 1);
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
    connect(m_parts->refresh, &QTimer::timeout, this, &ReportPage::beginPages);
    m_parts->steps = new QTimer(this);
    connect(m_parts->steps, &QTimer::timeout, this, &ReportPage::advanceDraft);
    connect(m_parts->empty, &EmptyState::buttonClicked, this, [this] { emit stepRequested(Step::Design); });
    for (QCheckBox* box : m_parts->sections)
        connect(box, &QCheckBox::toggled, this, [this] { markOutdated(); });
    connect(m_parts->extent, &QComboBox::currentIndexChanged, this, &ReportPage::showExtent);
    connect(m_parts->paper, &QComboBox::currentIndexChanged, this, [this] { markOutdated(); });
    for (QLineEdit* edit : {m_parts->title, m_parts->author})
        connect(edit, &QLineEdit::textChanged, this, [this] { markOutdated(kTypingPause); });
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
    ReportOptions options{reportExtents()[static_cast<std::size_t>(m_parts->extent->currentIndex())].extent};
    for (std::size_t i = 0; i < m_parts->sections.size(); ++i)
        if (!m_parts->sections[i]->isChecked())
            options.without.insert(reportSections()[i].section);
    options.title = m_parts->title->text().trimmed();
    options.author = m_parts->author->text().trimmed();
    options.letterPaper = m_parts->paper->currentIndex() == 1;
    return options;
}

/// The summary has no sections to choose.
void ReportPage::showExtent()
{
    for (QCheckBox* box : m_parts->sections)
        box->setEnabled(options().extent != Extent::Summary);
    markOutdated();
}

/// Setting the pages takes longer than a frame: it waits until somebody looks, and until the last of many
/// changes. What is being set for an older one is dropped.
void ReportPage::markOutdated(int pause)
{
    m_parts->isOutdated = true;
    m_parts->steps->stop();
    m_parts->draft.reset();
    if (isVisible())
        m_parts->refresh->start(pause);
}

void ReportPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_parts->isOutdated)
        m_parts->refresh->start(kFirstPause);
}

void ReportPage::beginPages()
{
    if (!m_parts->context || m_parts->context->study.runs.empty())
        return;
    m_parts->isOutdated = false;
    m_parts->sinceBegin.start();
    m_parts->draft = std::make_unique<ReportDraft>(m_parts->context, options());
    m_parts->steps->start(0);
}

/// Sets a part of the pages; then the window gets its turn.
void ReportPage::advanceDraft()
{
    QElapsedTimer turn;
    turn.start();
    while (m_parts->draft->advance()) {
        if (turn.elapsed() < kTurn)
            continue;
        if (m_parts->sinceBegin.elapsed() > kPatience)
            m_parts->preview->markOutdated();
        return;
    }
    m_parts->steps->stop();
    m_parts->preview->setReport(m_parts->draft->take());
    m_parts->draft.reset();
    emit pagesSet();
}

void ReportPage::askAndExport()
{
    if (!m_parts->context)
        return;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the report"), proposedFile(*m_parts->context),
                                     tr("PDF documents (*.pdf);;Web pages (*.html)"));
    if (!path.isEmpty())
        exportTo(path);
}

QString ReportPage::exportTo(const QString& path)
{
    QString problem = m_parts->context ? writeReport(m_parts->context, options(), path)
                                       : tr("There is no study to report.");
    m_parts->message->setText(problem.isEmpty() ? tr("Written to %1").arg(path) : problem);
    return problem;
}

} // namespace quadric::widgets
