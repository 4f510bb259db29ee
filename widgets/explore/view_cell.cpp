// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/view_cell.h"

#include "widgets/base/style.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/plots/view_kind.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>

namespace quadric::widgets {

namespace {

QToolButton* makeButton(const QString& text, const char* name, const QString& whatItDoes)
{
    auto* button = new QToolButton;
    button->setText(text);
    button->setAutoRaise(true);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleName(whatItDoes);
    button->setToolTip(whatItDoes);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

/// Tab goes from `before` into `view`, which is younger than what follows, and through it.
void putAfter(QWidget& before, const QWidget& view)
{
    QWidget* last = &before;
    for (QWidget* part : view.findChildren<QWidget*>()) {
        const QWidget* owner = part->parentWidget();
        const bool isInside =
            qobject_cast<const QAbstractSpinBox*>(owner) || qobject_cast<const QComboBox*>(owner);
        if (isInside || part->focusProxy() != nullptr || part->window() != view.window() ||
            !(part->focusPolicy() & Qt::TabFocus))
            continue;
        QWidget::setTabOrder(last, part);
        last = part;
    }
}

} // namespace

ViewCell::ViewCell(const std::string& view, QWidget* parent)
    : QWidget(parent)
    , m_layout(marginless<QVBoxLayout>(this, 4))
{
    m_header = makeHeader();
    m_layout->addWidget(m_header);
    setMinimumSize(180, 140);
    setView(view);
}

QWidget* ViewCell::makeHeader()
{
    auto* header = new QWidget;
    m_chooser = new QComboBox;
    nameWidget(m_chooser, "view", tr("View"));
    m_chooser->setToolTip(tr("What this place shows."));
    m_chooser->setFrame(false);
    m_chooser->setMinimumContentsLength(10);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    QFont bold = m_chooser->font();
    bold.setBold(true);
    m_chooser->setFont(bold);
    for (const ExploreView& view : exploreViews()) {
        m_chooser->addItem(view.title, QString::fromStdString(view.id));
        m_chooser->setItemData(m_chooser->count() - 1, viewSummary(view), Qt::ToolTipRole);
    }
    m_more = makeButton(QStringLiteral("⋯"), "more", tr("Copy, save, arrange"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    m_more->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_maximise = makeButton({}, "maximize", {});
    setMaximised(false);
    auto* row = marginless<QHBoxLayout>(header, 4);
    row->addWidget(m_chooser);
    row->addStretch(1);
    row->addWidget(m_more);
    row->addWidget(m_maximise);
    connect(m_chooser, &QComboBox::activated, this, [this] {
        setView(m_chooser->currentData().toString().toStdString());
        emit viewChosen();
    });
    connect(m_more->menu(), &QMenu::aboutToShow, this, &ViewCell::fillMenu);
    connect(m_maximise, &QToolButton::clicked, this, &ViewCell::maximiseRequested);
    return header;
}

void ViewCell::setView(const std::string& name)
{
    const ExploreView* row = findView(exploreViews(), name);
    if (row == nullptr || name == m_name)
        return;
    delete m_view;
    m_name = name;
    m_view = row->make();
    m_view->setAbout(aboutView(*row));
    m_view->setObjectName(QString::fromStdString(name));
    markView(*this, name);
    m_layout->addWidget(m_view, 1);
    putAfter(*m_maximise, *m_view);
    connect(m_view, &View::runsPicked, this, &ViewCell::runsPicked);
    connect(m_view, &View::valueHeld, this, &ViewCell::valueHeld);
    connect(m_view, &View::remedyRequested, this, &ViewCell::remedyRequested);
    connect(m_view, &View::modelRequested, this, &ViewCell::modelRequested);
    m_chooser->setCurrentIndex(m_chooser->findData(QString::fromStdString(name)));
}

void ViewCell::showFit(const study::Study& study, const model::Fit& fit)
{
    m_view->showFit(study, fit);
}

void ViewCell::moveSlice(const study::Study& study)
{
    m_view->moveSlice(study);
}

void ViewCell::setPickedRuns(const PickedRuns& runs)
{
    m_view->setPickedRuns(runs);
}

void ViewCell::setMaximised(bool isMaximised)
{
    const QString what = isMaximised ? tr("Show all views again (Esc)") : tr("Only this view (double-click)");
    m_maximise->setText(isMaximised ? QStringLiteral("⤡") : QStringLiteral("⤢"));
    m_maximise->setAccessibleName(what);
    m_maximise->setToolTip(what);
}

void ViewCell::fillMenu()
{
    QMenu& menu = *m_more->menu();
    menu.clear();
    m_view->addActions(menu);
    menu.addSeparator();
    const auto add = [&menu, this](const QString& text, const char* name, bool isPossible, auto signal) {
        QAction* action = menu.addAction(text, this, signal);
        action->setObjectName(QLatin1String(name));
        action->setEnabled(isPossible);
    };
    add(tr("Add a view &beside"), "addColumn", m_room.forColumn, &ViewCell::columnRequested);
    add(tr("Add a row b&elow"), "addRow", m_room.forRow, &ViewCell::rowRequested);
    add(tr("&Remove this view"), "remove", m_room.toRemove, &ViewCell::removeRequested);
    add(tr("&Only this view"), "maximize", true, &ViewCell::maximiseRequested);
}

void ViewCell::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_header->geometry().contains(event->position().toPoint()))
        emit maximiseRequested();
}

} // namespace quadric::widgets
