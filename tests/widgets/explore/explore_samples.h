// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"
#include "tests/support/test_paths.h"
#include "widgets/base/page.h"

namespace quadric::samples {

inline study::Study example()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

/// The study with its fits, as the window shows it.
inline widgets::ContextPointer contextOf(study::Study study)
{
    auto context = std::make_shared<widgets::StudyContext>();
    context->fits = model::fitStudy(study);
    context->study = std::move(study);
    return context;
}

} // namespace quadric::samples
