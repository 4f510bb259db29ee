// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace quadric::test {

namespace {

std::vector<const RegisteredTest*>& registered()
{
    static std::vector<const RegisteredTest*> tests;
    return tests;
}

/// The stem of a path, kept until the program ends.
const char* stemOf(const char* file)
{
    const char* slash = std::strrchr(file, '/');
    char* name = ::strdup(slash == nullptr ? file : slash + 1);
    if (char* dot = std::strrchr(name, '.'))
        *dot = '\0';
    return name;
}

int runOne(const RegisteredTest& test, int argc, char** argv, const MakeApplication& makeApplication)
{
    if (test.prepare != nullptr)
        test.prepare(argv);
    // Settings and files that Qt puts where the application's name says are the test's own.
    QCoreApplication::setApplicationName(QString::fromLatin1(test.name));
    const std::unique_ptr<QCoreApplication> application = makeApplication(argc, argv);
    application->setAttribute(Qt::AA_Use96Dpi);
    const std::unique_ptr<QObject> object = test.make();
    std::vector<char*> arguments(argv, argv + argc);
    arguments.erase(arguments.begin() + 1); // the name, which Qt Test would take for one of a function
    arguments.push_back(nullptr);
    return QTest::qExec(object.get(), argc - 1, arguments.data());
}

/// Whether the test succeeds in a process of its own.
bool succeedsApart(const RegisteredTest& test, char* program, const MakeApplication& makeApplication)
{
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> arguments{program, const_cast<char*>(test.name), nullptr};
        std::exit(runOne(test, 2, arguments.data(), makeApplication));
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

} // namespace

RegisteredTest::RegisteredTest(const char* file, MakeTest makeTest, Prepare prepareProcess)
    : name(stemOf(file))
    , make(makeTest)
    , prepare(prepareProcess)
{
    registered().push_back(this);
}

int runTests(int argc, char** argv, const MakeApplication& makeApplication)
{
    if (argc > 1) {
        const auto test = std::ranges::find_if(
            registered(), [&](const RegisteredTest* each) { return std::strcmp(each->name, argv[1]) == 0; });
        if (test != registered().end())
            return runOne(**test, argc, argv, makeApplication);
        std::fprintf(stderr, "%s: no test is named \"%s\"; there are:\n", argv[0], argv[1]);
        for (const RegisteredTest* each : registered())
            std::fprintf(stderr, "  %s\n", each->name);
        return 2;
    }
    int failures = 0;
    for (const RegisteredTest* test : registered())
        failures += succeedsApart(*test, argv[0], makeApplication) ? 0 : 1;
    return failures;
}

} // namespace quadric::test
