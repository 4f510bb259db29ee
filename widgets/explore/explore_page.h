// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <memory>

namespace quadric::widgets {

class View;

/// The step "Explore": the model of one response at a time. One view is large and chosen by question; beside
/// it stand the Pareto chart and the main effects. What the model is and how far it may be relied upon opens
/// from one line.
class ExplorePage : public Page {
    Q_OBJECT

public:
    explicit ExplorePage(QWidget* parent = nullptr);
    ~ExplorePage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Shows this response; nothing happens when the study has none of that name.
    void showResponse(const QString& response);
    /// Shows the view with this id: where it is, or large.
    void showView(const std::string& view);
    /// Lights these runs in every plot.
    void pickRuns(const PickedRuns& runs);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void wire();
    void follow(const View& view);
    void requestModel(int response, const QString& model);
    void requestTransform(int response, const study::Transform& transform);
    void requestFactors(const std::vector<study::Factor>& factors);
    void requestAutomaticModels();
    void requestSlice(const QString& factor, const study::Value& value);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
