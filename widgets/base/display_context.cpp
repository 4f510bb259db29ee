// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/display_context.h"

#include "core/model/select/recommended_models.h"
#include "core/optimize/answer/own_best.h"
#include "core/study/display_names.h"

namespace quadric::widgets {

ContextPointer withDisplayNames(ContextPointer context)
{
    study::Study shown = study::withDisplayNames(context->study);
    if (shown == context->study)
        return context;
    auto renamed = std::make_shared<StudyContext>(*context);
    renamed->study = std::move(shown);
    renamed->fits = optimize::fitForGoals(renamed->study);
    renamed->scales = model::recommendTogether(renamed->fits);
    return renamed;
}

} // namespace quadric::widgets
