// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the step Design and the pages of the wizard into PNG files, light and dark, large and small, to be
// looked at:
//   design_gallery STUDY FOLDER
#include "core/study/document/document.h"
#include "widgets/base/theme.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/design/design_page.h"
#include "widgets/wizard/study_wizard.h"

#include <QApplication>
#include <QListWidget>
#include <QTabWidget>
#include <QTest>

#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

void save(QWidget& widget, const QString& file, double scale = 2.0)
{
    widget.show();
    QTest::qWait(350);
    QPixmap shot(widget.size() * scale);
    shot.setDevicePixelRatio(scale);
    widget.render(&shot);
    shot.save(file);
}

void savePage(const ContextPointer& context, const QString& stem)
{
    for (const QSize size : {QSize(1100, 740), QSize(830, 560)}) {
        DesignPage page;
        page.resize(size);
        page.setContext(context);
        auto* tabs = page.findChild<QTabWidget*>();
        page.show();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            save(page, QStringLiteral("%1-design-%2-%3.png").arg(stem).arg(size.width()).arg(tab),
                 size.width() > 1000 ? 1.0 : 2.0);
        }
    }
}

/// This design beside the two that are offered first.
void saveComparison(const study::Study& study, const QString& stem)
{
    CompareDialog dialog(study, {});
    dialog.show();
    auto* list = dialog.findChild<QListWidget*>(QStringLiteral("comparedDesigns"));
    const auto isShown = [&] { return dialog.findChild<ComparisonView*>()->isVisible(); };
    if (!QTest::qWaitFor(isShown, 60000))
        return;
    for (int row = 0; row < 3 && row < list->count(); ++row)
        list->item(row)->setCheckState(Qt::Checked);
    QTest::qWait(20000);
    save(dialog, stem + QStringLiteral("-compare.png"), 1.0);
}

/// Two islands of NVLink; GPU 2 is used by somebody.
run::TrainerDevices eightGpus()
{
    run::TrainerDevices devices;
    for (int index = 0; index < 8; ++index) {
        run::TrainerGpu gpu{index,
                            "NVIDIA H100 80GB HBM3",
                            "00000000:" + std::to_string(18 + 11 * index) + ":00.0",
                            79.6,
                            79.1,
                            {},
                            {}};
        for (int peer = index / 4 * 4; peer < index / 4 * 4 + 4; ++peer) {
            if (peer != index)
                gpu.nvlinkPeers.push_back(peer);
        }
        devices.gpus.push_back(gpu);
    }
    devices.gpus[2].users = "python3 (process 4711)";
    devices.gpus[2].freeGib = 68.0;
    devices.driver = "580.65.06";
    devices.about = "Engine cuda measures up to 8 ranks in fp32, fp16 and bf16 with CUDA 13.0, cuDNN "
                    "9.19.0, NCCL 2.28.9. A "
                    "run now would be disturbed: GPU 2 is used by python3 (process 4711, 11.5 GiB).";
    return devices;
}

void saveWizard(const study::Study& study, const QString& stem)
{
    run::Machine machine;
    machine.cores = 2;
    for (const QSize size : {QSize(1040, 680), QSize(800, 560)}) {
        StudyWizard wizard(machine);
        wizard.startFrom(study);
        wizard.setDevices(eightGpus());
        wizard.resize(size);
        for (const WizardStep step : {WizardStep::Factors, WizardStep::Measurement, WizardStep::Design}) {
            wizard.setStep(step);
            save(wizard, QStringLiteral("%1-wizard-%2-%3.png").arg(stem).arg(size.width()).arg(int(step)),
                 size.width() > 1000 ? 1.0 : 2.0);
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc != 3) {
        std::fputs("design_gallery STUDY FOLDER\n", stderr);
        return 2;
    }
    auto context = std::make_shared<StudyContext>();
    context->study = study::loadStudy(argv[1]).study;
    const QString folder = QString::fromLocal8Bit(argv[2]);
    for (const auto& [theme, name] : {std::pair{ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}}) {
        applyTheme(application, theme);
        savePage(context, folder + QLatin1Char('/') + QLatin1String(name));
        saveComparison(context->study, folder + QLatin1Char('/') + QLatin1String(name));
        saveWizard(context->study, folder + QLatin1Char('/') + QLatin1String(name));
    }
    return 0;
}
