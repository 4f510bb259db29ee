// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/style.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QFontInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QWidget>

namespace quadric::widgets {

QLabel* titleLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.5);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QFont fixedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (QFontInfo(font).fixedPitch())
        return font;
    // A system may name a family that is not installed, and is given another one.
    QStringList families = {QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono"),
                            QStringLiteral("Liberation Mono"), QStringLiteral("monospace")};
    families += QFontDatabase::families(QFontDatabase::Latin);
    font.setStyleHint(QFont::Monospace);
    for (const QString& family : families) {
        font.setFamily(family);
        if (QFontInfo(font).fixedPitch())
            return font;
    }
    return QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

QLabel* mutedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QPushButton* primaryButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setStyleSheet(
        QStringLiteral("QPushButton { background: palette(highlight); color: palette(highlighted-text); "
                       "border: 1px solid palette(highlight);"
                       " border-radius: 4px; padding: 7px 16px; }"
                       "QPushButton:hover { border-color: palette(highlighted-text); }"
                       "QPushButton:focus { border: 2px solid palette(text); padding: 6px 15px; }"
                       "QPushButton:disabled { background: palette(mid); border-color: palette(mid); color: "
                       "palette(window); }"));
    return button;
}

QPushButton* quietButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setStyleSheet(
        QStringLiteral("QPushButton { background: transparent; border: 1px solid palette(mid); "
                       "border-radius: 4px; padding: 5px 12px; }"
                       "QPushButton:hover { background: palette(alternate-base); }"
                       "QPushButton:focus { border: 2px solid palette(highlight); padding: 4px 11px; }"
                       "QPushButton:disabled { color: palette(mid); }"
                       "QPushButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: right "
                       "center; width: 10px; }"));
    return button;
}

QPushButton* linkButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setCursor(Qt::PointingHandCursor);
    button->setStyleSheet(QStringLiteral(
        "QPushButton { background: transparent; color: palette(link); border: none; padding: 2px 4px; }"
        "QPushButton:hover { text-decoration: underline; }"
        "QPushButton:focus { border: 1px solid palette(highlight); border-radius: 4px; padding: 1px 3px; }"));
    return button;
}

QLabel* boldLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QScrollArea* scrollAreaFor(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    return area;
}

QGridLayout* marginlessGrid(QWidget* parent, int horizontalSpacing, int verticalSpacing)
{
    auto* grid = new QGridLayout(parent);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(horizontalSpacing);
    grid->setVerticalSpacing(verticalSpacing);
    return grid;
}

void nameWidget(QWidget* widget, const char* objectName, const QString& accessibleName)
{
    widget->setObjectName(QLatin1String(objectName));
    widget->setAccessibleName(accessibleName);
}

namespace {

constexpr int kMostLetters = 32; ///< of a choice: a longer chooser is only farther from what it chooses for

/// The chooser, behind its caption in the layout.
QComboBox* addChooser(QBoxLayout& layout, const QString& label, QWidget* parent, int stretch)
{
    auto* chooser = new QComboBox(parent);
    chooser->setAccessibleName(label);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(8);
    auto* caption = new QLabel(label, parent);
    caption->setBuddy(chooser);
    layout.addWidget(caption);
    layout.addWidget(chooser, stretch);
    return chooser;
}

} // namespace

QComboBox* addLabeledChooser(QHBoxLayout& row, const QString& label, QWidget* parent)
{
    QComboBox* chooser = addChooser(row, label, parent, 1);
    chooser->setMaximumWidth(kMostLetters * chooser->fontMetrics().averageCharWidth());
    return chooser;
}

QComboBox* addChooserBelowLabel(QVBoxLayout& column, const QString& label, QWidget* parent)
{
    return addChooser(column, label, parent, 0);
}

void resizeWithinScreen(QWidget& window, QSize usual)
{
    constexpr QSize kFrame(16, 48); // what a window manager puts around a window, generously
    window.resize(usual.boundedTo(window.screen()->availableSize() - kFrame));
}

QSize sizeOnScreen(QSize screen, double share, QSize least, QSize most)
{
    return (screen * share).expandedTo(least).boundedTo(most);
}

} // namespace quadric::widgets
