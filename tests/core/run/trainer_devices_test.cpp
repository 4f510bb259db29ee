// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/launch.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QSignalSpy>
#include <QTest>

using quadric::builtPath;
using namespace quadric::run;

/// What the trainer says of the GPUs of its machine, as the wizard asks it.
class TrainerDevicesTest : public QObject {
    Q_OBJECT

private slots:
    void theTrainerIsAskedInTheBackground()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/quadric-trainer"));
        qputenv("QUADRIC_CUDA_MODULE", builtPath("tests/core/trainer/played_module.so"));
        qputenv("LD_LIBRARY_PATH", builtPath("tests/core/machine/driver"));
        qputenv("PLAYED_GPUS", "4");
        TrainerDevicesQuestion question;
        TrainerDevices devices;
        QSignalSpy answers(&question, &TrainerDevicesQuestion::answered);
        connect(&question, &TrainerDevicesQuestion::answered, this,
                [&devices](const TrainerDevices& answer) { devices = answer; });
        question.start();
        QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, quadric::kPatienceMs);
        QCOMPARE(devices.gpus.size(), std::size_t{4});
        const TrainerGpu expected{2,         "NVIDIA H100 80GB HBM3", "00000000:3A:00.0", 80.0, 68.0,
                                  {0, 1, 3}, "python3 (process 4711)"};
        QVERIFY(devices.gpus[2] == expected);
        QCOMPARE(devices.driver, std::string("580.65.06"));
        QVERIFY(devices.about.starts_with("Engine cuda measures up to 4 ranks"));
    }

    void whatIsNoAnswerIsEmpty()
    {
        for (const char* text : {"", "no JSON", "[]", R"({"event": "hello"})", R"({"device": []})",
                                 R"({"device": {"gpus": {"index": 0}, "gpu_driver": 5}})"})
            QVERIFY2(parseTrainerDevices(text) == TrainerDevices{}, text);
        const TrainerDevices odd = parseTrainerDevices(
            R"({"device": {"gpus": [7, {"index": "x", "nvlink_peers": ["a", 1], "used_by": [{"pid": 3}]}]}})");
        QCOMPARE(odd.gpus.size(), std::size_t{1});
        QCOMPARE(odd.gpus[0].nvlinkPeers, std::vector<int>{1});
        QCOMPARE(odd.gpus[0].users, std::string("process 3"));
    }
};

QUADRIC_QT_TEST(TrainerDevicesTest)
#include "trainer_devices_test.moc"
