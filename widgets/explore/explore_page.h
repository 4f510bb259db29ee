// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <memory>

namespace quadric::widgets {

/// The step "Explore": the model of one response at a time, seen through views that the user arranges.
class ExplorePage : public Page {
    Q_OBJECT

public:
    explicit ExplorePage(QWidget* parent = nullptr);
    ~ExplorePage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Shows this response; nothing happens when the study has none of that name.
    void showResponse(const QString& response);
    /// Shows the view with this id: where it is, or in the last place of the grid.
    void showView(const std::string& view);
    /// Lights these runs in every plot.
    void pickRuns(const PickedRuns& runs);

private:
    void requestModel(int response, const QString& model);
    void requestTransform(int response, const study::Transform& transform);
    void requestFactors(const std::vector<study::Factor>& factors);
    void requestAutomaticModels();
    void requestArrangement();
    void requestSlice(const QString& factor, const study::Value& value);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
