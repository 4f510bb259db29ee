// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace quadric::run {

/// Turns SIGTERM, SIGINT and SIGHUP into a Qt signal for as long as it lives. Make it before any thread is
/// started.
class Termination : public QObject {
    Q_OBJECT

public:
    explicit Termination(QObject* parent = nullptr);
    ~Termination() override;

signals:
    void requested();

private:
    void read();

    int m_file = -1;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace quadric::run
