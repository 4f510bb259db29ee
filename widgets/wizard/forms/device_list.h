// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/trainer_devices.h"

#include <QWidget>

namespace quadric::widgets {

/// The GPUs of this machine with memory, PCI identifier, NVLink peers and users, and a sentence about what
/// they measure. Without GPUs only the sentence.
class DeviceList : public QWidget {
    Q_OBJECT

public:
    explicit DeviceList(const run::TrainerDevices& devices, QWidget* parent = nullptr);
};

} // namespace quadric::widgets
