// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace quadric::widgets {

/// One of a few things to choose from: a title, a sentence about it, and where there are any the figures that
/// decide and a word beside the title. Nothing is cut: it is as high as its texts need. Exclusive among its
/// siblings.
class ChoiceCard : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceCard(const QString& title, QString about, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setAbout(const QString& about);
    void setFacts(const QString& facts);
    void setBadge(const QString& badge);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Where the parts are in a card of this width: below one another, each as wide as there is room.
    struct Places {
        QRect badge, title, about, facts;
    };
    Places placesIn(int width) const;
    QFont titleFont() const;
    void paintDot(QPainter& painter) const;
    void paintBadge(QPainter& painter, const QRect& area) const;
    void tellChanged();

    QString m_about, m_facts, m_badge;
};

} // namespace quadric::widgets
