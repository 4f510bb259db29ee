// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/files/drawing.h"

#include "core/model/select/recommended_models.h"
#include "core/optimize/answer/own_best.h"
#include "core/study/files/journal.h"
#include "widgets/base/theme.h"

#include <QApplication>

#include <clocale>

namespace quadric::app {

Drawing::Drawing(CommandLine& line)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QApplication>(line.argc, line.argv);
    std::setlocale(LC_NUMERIC, "C");
    widgets::applyTheme(*m_application, widgets::ThemeChoice::Light);
}

Drawing::~Drawing() = default;

widgets::ContextPointer contextOf(const std::string& path)
{
    widgets::StudyContext context;
    context.study = readStudy(path);
    context.fits = optimize::fitForGoals(context.study);
    context.scales = model::recommendTogether(context.fits);
    context.processFits = optimize::shownProcessFits(context.study, context.fits);
    context.path = path;
    context.isRunning = study::lockOwner(path).has_value();
    return std::make_shared<const widgets::StudyContext>(std::move(context));
}

} // namespace quadric::app
