// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <QLineEdit>
#include <QString>

#include <functional>
#include <optional>

namespace quadric::widgets {

/// The number that was typed, with a point or a comma before its decimals and thousands set apart as it may
/// be. Nothing for anything else, for what is not finite, and for "1,234", which is a thousand to some and
/// about one to others.
std::optional<double> parseTypedNumber(const QString& text);

/// A number with or without its unit behind it, as parseTypedNumber() reads it.
std::optional<double> parseQuantity(const QString& text, const std::string& unit);

/// The value that was typed for a factor, where it can be run; otherwise nothing, and `problem` says what was
/// expected: "expected one of fp32, bf16".
std::optional<study::Value> parseSettingText(const study::Factor& factor, const QString& typed,
                                             QString& problem);

/// The same, inside the factor's range only.
std::optional<study::Value> parseSettingInRange(const study::Factor& factor, const QString& typed,
                                                QString& problem);

/// A value that reads as plain text until it is double-clicked, or Return or F2 is pressed in it: then
/// another one can be typed in its place. Return takes what was typed; Esc, and going elsewhere, leave
/// everything as it was. A value that is refused stays to be corrected, with the reason in a tip below it.
class ValueField : public QLineEdit {
    Q_OBJECT

public:
    /// Takes what was typed and returns nothing, or why it cannot be taken.
    using Taker = std::function<QString(const QString& typed)>;

    explicit ValueField(QWidget* parent = nullptr);

    /// `shown` is read, `typed` is what typing begins with.
    void setValue(const QString& shown, const QString& typed);
    void setTaker(Taker taker) { m_taker = std::move(taker); }

    /// Begins typing.
    void edit();
    bool isEdited() const { return !isReadOnly(); }

signals:
    /// Typing has ended, with or without a new value.
    void ended();

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void commitTypedText();
    void end();

    Taker m_taker;
    QString m_shown, m_typed;
};

} // namespace quadric::widgets
