// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/patience.h"

#include <QObject>

#include <functional>
#include <memory>

class QCoreApplication;

/// Many classes of tests in one program: each registers itself with QUADRIC_QT_TEST, and the program runs
/// those whose names are its arguments.
namespace quadric::test {

using MakeTest = std::unique_ptr<QObject> (*)();
using MakeApplication = std::function<std::unique_ptr<QCoreApplication>(int& argc, char** argv)>;

/// What a test does before Qt starts, when the process has no thread yet.
using Prepare = void (*)(char** argv);

struct RegisteredTest {
    RegisteredTest(const char* file, MakeTest makeTest, Prepare prepareProcess = nullptr);

    const char* name; ///< of its file, without the folder and the extension
    MakeTest make;
    Prepare prepare;
};

/// `PROGRAM NAME [OPTION]...` runs one class with the options of Qt Test, `PROGRAM` all of them, each in a
/// process of its own, since tests change the environment. Returns the exit status.
int runTests(int argc, char** argv, const MakeApplication& makeApplication);

} // namespace quadric::test

/// Stands at the end of a test's file, before its .moc; a function of type Prepare may follow the class.
#define QUADRIC_QT_TEST(Class, ...)                                                                          \
    static const quadric::test::RegisteredTest registered##Class{                                            \
        __FILE__,                                                                                            \
        []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); } __VA_OPT__(, ) __VA_ARGS__};
