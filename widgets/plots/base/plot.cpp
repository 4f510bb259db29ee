// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot.h"

#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/base/plot_style.h"

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPointer>

#include <algorithm>

namespace quadric::widgets {

Plot::Plot(QWidget* parent)
    : QWidget(parent)
{
    makePlotsAccessible();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(160, 120);
}

void Plot::setSimulated(bool simulated)
{
    m_simulated = simulated;
    update();
}

void Plot::setHeld(const QString& held)
{
    m_held = held;
    update();
}

QRectF Plot::paintHeader(QPainter& painter, const QRectF& target, const PlotStyle& style,
                         const QString& title) const
{
    const bool isPicture = m_isPictured || style.isForPrint;
    return drawHeader(painter, target, style,
                      {title, m_simulated && isPicture, isPicture ? m_held : QString(), isPicture});
}

void Plot::setPickedRuns(const PickedRuns& runs)
{
    m_picked = runs;
    update();
}

void Plot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintTo(painter, rect(), false);
    if (hasFocus())
        drawFocusFrame(painter, rect(), plotStyle(*this, false));
}

std::optional<int> runByKey(const QKeyEvent& event, const std::vector<int>& runs, int picked)
{
    const bool isBack = event.key() == Qt::Key_Left;
    if (runs.empty() || (!isBack && event.key() != Qt::Key_Right))
        return {};
    const auto at = std::ranges::find(runs, picked);
    if (at == runs.end())
        return isBack ? runs.back() : runs.front();
    const auto next =
        std::clamp<std::ptrdiff_t>(at - runs.begin() + (isBack ? -1 : 1), 0, std::ssize(runs) - 1);
    return runs[static_cast<std::size_t>(next)];
}

void Plot::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copyPicture(*this);
    else
        QWidget::keyPressEvent(event);
}

void Plot::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addPlotActions(*menu, *this);
    menu->popup(event->globalPos());
}

namespace {

PlotHandles* asPlotHandles(Plot* plot)
{
    return dynamic_cast<PlotHandles*>(plot);
}

/// One handle of a plot. It outlives neither the plot's interface nor its own place in the list.
class AccessibleHandle : public QAccessibleInterface, public QAccessibleValueInterface {
public:
    AccessibleHandle(Plot& plot, int index)
        : m_plot(&plot)
        , m_index(index)
    {
    }

    bool isValid() const override { return m_plot && find().has_value(); }
    QObject* object() const override { return nullptr; }
    QAccessible::Role role() const override { return QAccessible::Slider; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_plot); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text which) const override
    {
        const std::optional<PlotHandle> handle = find();
        if (!handle)
            return {};
        return which == QAccessible::Name          ? handle->name
               : which == QAccessible::Value       ? handle->text
               : which == QAccessible::Description ? handle->reading
                                                   : QString();
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = true;
        state.invisible = !m_plot || !m_plot->isVisible();
        state.focused = m_plot && m_plot->hasFocus() && asPlotHandles(m_plot)->focusedHandle() == m_index;
        return state;
    }
    QRect rect() const override
    {
        const std::optional<PlotHandle> handle = find();
        return handle ? QRect(m_plot->mapToGlobal(handle->place.topLeft()), handle->place.size()) : QRect();
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this) : nullptr;
    }

    QVariant currentValue() const override { return number(&PlotHandle::value); }
    QVariant minimumValue() const override { return number(&PlotHandle::low); }
    QVariant maximumValue() const override { return number(&PlotHandle::high); }
    QVariant minimumStepSize() const override { return number(&PlotHandle::step); }
    void setCurrentValue(const QVariant& value) override
    {
        if (isValid())
            asPlotHandles(m_plot)->moveHandle(m_index, value.toDouble());
    }

private:
    std::optional<PlotHandle> find() const
    {
        if (!m_plot)
            return {};
        const std::vector<PlotHandle> all = asPlotHandles(m_plot)->handles();
        return m_index < static_cast<int>(all.size()) ? std::optional(all[static_cast<std::size_t>(m_index)])
                                                      : std::nullopt;
    }
    QVariant number(double PlotHandle::*member) const
    {
        const std::optional<PlotHandle> handle = find();
        return handle ? QVariant((*handle).*member) : QVariant();
    }

    QPointer<Plot> m_plot;
    int m_index;
};

QAccessibleInterface* makeInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(Plot::staticMetaObject.className()))
        return nullptr;
    auto* plot = qobject_cast<Plot*>(object);
    return plot != nullptr ? new AccessiblePlot(*plot) : nullptr;
}

constexpr qsizetype kLongestWord = 60;

QString safeWord(const QString& text)
{
    QString word;
    for (const QChar letter : text.left(kLongestWord)) {
        const bool isSafe = (letter.unicode() < 0x80 && letter.isLetterOrNumber()) ||
                            letter == QLatin1Char('_') || letter == QLatin1Char('-');
        word += isSafe ? letter : QLatin1Char('-');
    }
    return word;
}

void askWhereToSave(Plot& plot, const QString& ending)
{
    auto* dialog = new QFileDialog(&plot, Plot::tr("Save picture"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(pictureName(plot, ending));
    QObject::connect(dialog, &QFileDialog::fileSelected, &plot, [&plot](const QString& path) {
        const QString problem = savePicture(plot, path);
        if (!problem.isEmpty())
            QMessageBox::warning(&plot, Plot::tr("Save picture"), problem);
    });
    dialog->open();
}

QAction* add(QMenu& menu, const QString& text, const char* name, const auto& what)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    QObject::connect(action, &QAction::triggered, &menu, what);
    return action;
}

/// The page that a plot is on; none: null.
Page* findEnclosingPage(const Plot& plot)
{
    for (QWidget* each = plot.parentWidget(); each != nullptr; each = each->parentWidget())
        if (auto* page = qobject_cast<Page*>(each))
            return page;
    return nullptr;
}

} // namespace

AccessiblePlot::AccessiblePlot(Plot& plot)
    : QAccessibleWidget(&plot, QAccessible::Graphic)
{
}

AccessiblePlot::~AccessiblePlot()
{
    for (const QAccessible::Id id : m_children)
        QAccessible::deleteAccessibleInterface(id);
}

/// Its own description where it has one; else what is shown now, and what such a plot shows.
QString AccessiblePlot::text(QAccessible::Text which) const
{
    const QString own = QAccessibleWidget::text(which);
    if (which != QAccessible::Description || !plot().accessibleDescription().isEmpty())
        return own;
    QStringList sentences;
    if (plot().isSimulated())
        sentences << Plot::tr("Simulated data.");
    sentences << reading() << plot().table().note
              << plot().about().text.section(QStringLiteral("\n\n"), 0, 0).remove(QLatin1Char('*'));
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' ')).simplified();
}

/// With handles, it is these that have the focus.
QAccessible::State AccessiblePlot::state() const
{
    QAccessible::State state = QAccessibleWidget::state();
    if (focusChild() != nullptr)
        state.focused = false;
    return state;
}

int AccessiblePlot::childCount() const
{
    const PlotHandles* handles = asPlotHandles(&plot());
    return handles != nullptr ? static_cast<int>(handles->handles().size()) : QAccessibleWidget::childCount();
}

QAccessibleInterface* AccessiblePlot::child(int index) const
{
    if (asPlotHandles(&plot()) == nullptr)
        return QAccessibleWidget::child(index);
    if (index < 0 || index >= childCount())
        return nullptr;
    while (static_cast<int>(m_children.size()) <= index)
        m_children.push_back(QAccessible::registerAccessibleInterface(
            new AccessibleHandle(plot(), static_cast<int>(m_children.size()))));
    return QAccessible::accessibleInterface(m_children[static_cast<std::size_t>(index)]);
}

int AccessiblePlot::indexOfChild(const QAccessibleInterface* child) const
{
    if (asPlotHandles(&plot()) == nullptr)
        return QAccessibleWidget::indexOfChild(child);
    for (int i = 0; i < childCount(); ++i)
        if (this->child(i) == child)
            return i;
    return -1;
}

QAccessibleInterface* AccessiblePlot::focusChild() const
{
    const PlotHandles* handles = asPlotHandles(&plot());
    return handles != nullptr && plot().hasFocus() ? child(handles->focusedHandle()) : nullptr;
}

QAccessibleInterface* AccessiblePlot::childAt(int x, int y) const
{
    for (int i = 0; asPlotHandles(&plot()) != nullptr && i < childCount(); ++i)
        if (child(i)->rect().contains(x, y))
            return child(i);
    return nullptr;
}

void makePlotsAccessible()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(&makeInterface);
        return true;
    }();
    Q_UNUSED(isInstalled)
}

void announceHandle(Plot& plot, bool isOther)
{
    const PlotHandles* handles = asPlotHandles(&plot);
    if (!QAccessible::isActive() || handles == nullptr || !plot.hasFocus() || handles->focusedHandle() < 0)
        return;
    if (isOther) {
        QAccessibleEvent event(&plot, QAccessible::Focus);
        event.setChild(handles->focusedHandle());
        return QAccessible::updateAccessibility(&event);
    }
    const auto all = handles->handles();
    QAccessibleValueChangeEvent event(&plot, all[static_cast<std::size_t>(handles->focusedHandle())].value);
    event.setChild(handles->focusedHandle());
    QAccessible::updateAccessibility(&event);
}

QString pictureStem(const QStringList& words)
{
    QStringList safe;
    for (const QString& word : words)
        if (!word.isEmpty())
            safe << safeWord(word);
    return safe.join(QLatin1Char('-'));
}

QString pictureName(const Plot& plot, const QString& ending)
{
    const PictureSource& source = plot.source();
    const QString view = plot.about().view.isEmpty() ? plot.accessibleName().toLower() : plot.about().view;
    const QString study = source.study.simplified().remove(QLatin1Char(',')); // "scaling, 15 runs"
    const QString stem = pictureStem(QStringList{study, view} + source.responses);
    return (stem.isEmpty() ? QStringLiteral("plot") : stem) + QLatin1Char('.') + ending;
}

void addPlotActions(QMenu& menu, Plot& plot)
{
    add(menu, Plot::tr("&Copy picture"), "copyPicture", [&plot] { copyPicture(plot); });
    add(menu, Plot::tr("Save as &SVG…"), "saveSvg", [&plot] { askWhereToSave(plot, QStringLiteral("svg")); });
    add(menu, Plot::tr("Save as &PDF…"), "savePdf", [&plot] { askWhereToSave(plot, QStringLiteral("pdf")); });
    add(menu, Plot::tr("Save as P&NG…"), "savePng", [&plot] { askWhereToSave(plot, QStringLiteral("png")); });
    menu.addSeparator();
    add(menu, Plot::tr("View as &table…"), "viewTable", [&plot] {
        showTable(&plot, plot.table());
    })->setEnabled(!plot.table().columns.empty());
    if (!plot.about().isEmpty())
        add(menu, Plot::tr("&What is this?"), "about", [&plot] { showAbout(&plot, plot.about()); });
    if (Page* page = findEnclosingPage(plot))
        page->addRunActions(menu, plot.pickedRuns());
}

} // namespace quadric::widgets
