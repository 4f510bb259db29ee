// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"

#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <QFile>

namespace quadric::widgets {

ContextPointer contextOf(study::Study study)
{
    auto context = std::make_shared<StudyContext>();
    context->fits = model::fitStudy(study);
    context->study = std::move(study);
    return context;
}

study::Study example()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

study::Study exampleWithoutResults()
{
    study::Study study = example();
    for (study::Run& run : study.runs) {
        run.status = study::RunStatus::Pending;
        run.results.clear();
    }
    return study;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QAbstractButton* buttonWith(const QWidget& page, const QString& words)
{
    for (auto* button : page.findChildren<QAbstractButton*>())
        if (button->text().remove(QLatin1Char('&')).contains(words))
            return button;
    return nullptr;
}

} // namespace quadric::widgets
