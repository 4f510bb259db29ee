// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>

namespace quadric::widgets {

/// Asks the Python of this machine for its PyTorch, in the background.
class TorchProbe : public QObject {
    Q_OBJECT

public:
    explicit TorchProbe(QObject* parent = nullptr);
    ~TorchProbe() override;

    /// Once; what it said is told again where it was asked before.
    void ask();

signals:
    /// What was found, in a sentence.
    void told(const QString& sentence);

private:
    void conclude();

    QProcess m_python;
    QString m_sentence;
};

} // namespace quadric::widgets
