// SPDX-License-Identifier: GPL-3.0-or-later
// `follower_process STUDY`: follows a study as a window does, for tests that kill it.
#include "core/run/follow/follower.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    quadric::run::Follower follower(argv[1]);
    follower.start();
    return QCoreApplication::exec();
}
