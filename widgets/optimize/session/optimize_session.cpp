// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/session/optimize_session.h"

#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/merit/evaluator.h"
#include "core/study/node_size.h"
#include "core/study/shown_study.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kGain = 1e-7; ///< a thorough search has to be better by this to move the answer

/// A setting from which to look around when no best one exists: the center, as it can be run.
study::Settings computeRunnableCenter(const study::Study& study)
{
    const study::Coding coding(study.factors);
    return coding.toLegalSettings(coding.center());
}

std::map<std::string, double> ownBests(const optimize::Optimum& best)
{
    std::map<std::string, double> bests;
    for (const optimize::ResponseAtOptimum& at : best.responses)
        bests[at.response] = at.bestAlone;
    return bests;
}

QString labelFor(const QString& what, const QString& name)
{
    if (what == QLatin1String("weight"))
        return OptimizeSession::tr("Weight of %1").arg(name);
    if (what == QLatin1String("limits"))
        return OptimizeSession::tr("Limits of %1").arg(name);
    if (what == QLatin1String("shape"))
        return OptimizeSession::tr("Exponent of %1").arg(name);
    return OptimizeSession::tr("Goal of %1").arg(name);
}

/// Whether the answer is the same for both: they differ in nothing but how other pages are looked at.
bool asksTheSame(const study::Study& a, const study::Study& b)
{
    const auto page = [](const study::Study& study) {
        const auto found = study.view.find("optimize");
        return found == study.view.end() ? study::PageView{} : found->second;
    };
    return study::differInViewOnly(a, b) && page(a) == page(b);
}

/// Padlocks of factors that the study no longer has in this form are dropped.
study::Settings lockedIn(const study::Study& study, const study::Settings& locked)
{
    study::Settings kept;
    for (const study::Factor& factor : study.factors) {
        const auto found = locked.find(factor.name);
        if (found != locked.end() && std::holds_alternative<double>(found->second) == factor.isNumeric())
            kept.insert(*found);
    }
    return kept;
}

} // namespace

const study::Study& Answer::study() const
{
    static const study::Study none;
    return held ? *held : none;
}

optimize::OptimizeOptions Answer::searchOptions() const
{
    optimize::OptimizeOptions options;
    options.fixed = locked;
    options.staysNearRuns = optimize::readNearRuns(study()) == optimize::NearRuns::On;
    options.leastRunsProbability = optimize::readLeastRunsProbability(study());
    return options;
}

OptimizeSession::OptimizeSession(QObject* parent)
    : QObject(parent)
{
}

void OptimizeSession::setContext(ContextPointer context)
{
    const bool isEcho = m_answer.context && asksTheSame(context->study, m_answer.study());
    m_answer.context = std::move(context);
    m_answer.held = {m_answer.context, &m_answer.context->study};
    if (isEcho) {
        emit changed(Change::Status);
        return;
    }
    m_answer.locked = lockedIn(m_answer.study(), m_answer.locked);
    m_thorough.cancel();
    m_answer.confirmations = optimize::confirmationVerdicts(m_answer.study(), m_answer.fits());
    if (hasModel()) {
        searchAnew();
        showBest();
    }
    emit changed(Change::Models);
}

optimize::OptimizeOptions OptimizeSession::optionsWith(const study::Settings& locked) const
{
    optimize::OptimizeOptions options = m_answer.searchOptions();
    options.fixed = locked;
    return options;
}

void OptimizeSession::searchAnew()
{
    m_answer.free = optimize::findOptimum(m_answer.study(), m_answer.fits(), optionsWith({}));
    m_answer.best = m_answer.locked.empty() ? m_answer.free
                                            : optimize::findOptimum(m_answer.study(), m_answer.fits(),
                                                                    optionsWith(m_answer.locked));
    findRegion();
}

void OptimizeSession::searchNear()
{
    const auto refined = [this](const optimize::Optimum& last, const study::Settings& locked) {
        optimize::OptimizeOptions options = optionsWith(locked);
        options.isLocal = true;
        return optimize::refineOptimum(m_answer.study(), m_answer.fits(), last, options);
    };
    m_answer.free = refined(m_answer.free, {});
    m_answer.best = m_answer.locked.empty() ? m_answer.free : refined(m_answer.best, m_answer.locked);
    searchThoroughly();
}

/// Own bests of responses depend on where factors are held, so that they are searched again.
void OptimizeSession::searchHeld()
{
    optimize::OptimizeOptions options = optionsWith(m_answer.locked);
    options.isLocal = true;
    study::Settings hint = m_answer.best.settings;
    for (const auto& [name, value] : m_answer.locked)
        hint[name] = value;
    options.hints = {hint};
    m_answer.best = optimize::findOptimum(m_answer.study(), m_answer.fits(), options);
    searchThoroughly();
}

void OptimizeSession::searchThoroughly()
{
    findRegion();
    if (m_answer.best.isProven) {
        m_thorough.cancel();
        return;
    }
    optimize::OptimizeOptions options = optionsWith(m_answer.locked);
    options.bestAlone = ownBests(m_answer.best);
    options.hints = {m_answer.best.settings};
    m_thorough.start(
        [context = m_answer.context, study = m_answer.held, options](const std::stop_token& stop) mutable {
            options.stop = stop;
            return optimize::findOptimum(*study, context->fits, options);
        },
        [this](const optimize::Optimum& found) { applyThoroughSearch(found); });
}

/// A setting that is no better than the one shown does not move anything; the list of good ones is the more
/// complete one either way.
void OptimizeSession::applyThoroughSearch(const optimize::Optimum& found)
{
    if (!found.isOk())
        return;
    const bool isBetter = !m_answer.best.isOk() || found.overall > m_answer.best.overall + kGain;
    const bool follows = isBetter && (m_answer.isAtBest() || !m_answer.best.isOk());
    if (isBetter)
        m_answer.best = found;
    if (isBetter)
        findRegion();
    m_answer.best.isProven = found.isProven;
    m_answer.best.solutions = found.solutions;
    m_answer.best.rounded = found.rounded;
    if (m_answer.locked.empty())
        m_answer.free = m_answer.best;
    if (follows)
        showBest();
    emit changed(isBetter ? Change::Goals : Change::Solutions);
}

void OptimizeSession::findRegion()
{
    m_answer.region.reset();
    m_place.cancel();
    if (!m_answer.best.isOk())
        return;
    m_place.start(
        [context = m_answer.context, study = m_answer.held, best = m_answer.best,
         options = m_answer.searchOptions()](const std::stop_token&) {
            return std::make_shared<const optimize::OptimumRegion>(
                optimize::findOptimumRegion(*study, context->fits, best, options));
        },
        [this](const std::shared_ptr<const optimize::OptimumRegion>& found) {
            m_answer.region = found;
            emit changed(Change::Solutions);
        });
}

void OptimizeSession::findRegionNow()
{
    m_place.cancel();
    if (m_answer.best.isOk())
        m_answer.region = std::make_shared<const optimize::OptimumRegion>(optimize::findOptimumRegion(
            m_answer.study(), m_answer.fits(), m_answer.best, m_answer.searchOptions()));
}

void OptimizeSession::setNearRuns(optimize::NearRuns nearRuns)
{
    if (optimize::readNearRuns(m_answer.study()) == nearRuns)
        return;
    const auto kept =
        std::make_shared<const study::Study>(optimize::withNearRuns(m_answer.study(), nearRuns));
    m_answer.held = kept;
    m_thorough.cancel();
    searchAnew();
    showBest();
    emit changed(Change::Goals);
    emit changeRequested(*kept, tr("Extrapolation"), {});
}

void OptimizeSession::setRunsLimit(double probability)
{
    if (optimize::readLeastRunsProbability(m_answer.study()) == probability)
        return;
    const auto kept = std::make_shared<const study::Study>(
        optimize::withLeastRunsProbability(m_answer.study(), probability));
    m_answer.held = kept;
    m_thorough.cancel();
    searchAnew();
    showBest();
    emit changed(Change::Goals);
    emit changeRequested(*kept, tr("Least P(runs)"), QStringLiteral("runs-limit"));
}

void OptimizeSession::setTried(const TriedRuns& tried)
{
    m_answer.tried = std::make_shared<const TriedRuns>(tried);
    if (m_answer.context)
        emit changed(Change::Status);
}

/// The best setting does not depend on it; only what is said of its robustness.
void OptimizeSession::setVariation(const QString& factor, double sd)
{
    const auto kept = std::make_shared<const study::Study>(
        optimize::withVariation(m_answer.study(), factor.toStdString(), sd));
    m_answer.held = kept;
    emit changed(Change::Goals);
    emit changeRequested(*kept, tr("Standard deviation of %1").arg(factor), {});
}

void OptimizeSession::showBest()
{
    m_answer.shown = m_answer.best;
    if (!m_answer.best.isOk() && m_answer.best.settings.empty())
        m_answer.shown =
            optimize::assess(m_answer.study(), m_answer.fits(), computeRunnableCenter(m_answer.study()));
}

void OptimizeSession::changeResponse(int response, const study::Response& after, const QString& what,
                                     int drag)
{
    study::Study moved = m_answer.study();
    moved.responses.at(static_cast<std::size_t>(response)) = after;
    const auto kept = std::make_shared<const study::Study>(std::move(moved));
    m_answer.held = kept; // who hears of the change may replace the answer's while it is told
    searchNear();
    showBest();
    emit changed(Change::Goals);
    const QString key = QStringLiteral("%1:%2:%3").arg(what, QString::fromStdString(after.name)).arg(drag);
    emit changeRequested(*kept, labelFor(what, nameText(after.name)), key);
}

void OptimizeSession::look(const study::Settings& settings)
{
    m_answer.shown =
        settings == m_answer.best.settings && m_answer.best.isOk()
            ? m_answer.best
            : optimize::assess(m_answer.study(), m_answer.fits(), settings, ownBests(m_answer.best));
    emit changed(Change::Look);
}

void OptimizeSession::returnToBest()
{
    showBest();
    emit changed(Change::Look);
}

/// A factor that is held moves with its padlock: the question is then what the new value costs.
void OptimizeSession::moveFactor(int factor, double actual)
{
    const auto index = static_cast<std::size_t>(factor);
    const std::string& name = m_answer.study().factors.at(index).name;
    const study::Settings moved =
        moveNearRuns(m_answer, index, withValue(m_answer.study(), m_answer.settings(), index, actual));
    const auto held = m_answer.locked.find(name);
    if (held == m_answer.locked.end()) {
        look(moved);
        return;
    }
    if (held->second == moved.at(name))
        return;
    held->second = moved.at(name);
    searchHeld();
    showBest();
    emit changed(Change::Goals);
}

void OptimizeSession::toggleLock(int factor)
{
    const std::string& name = m_answer.study().factors.at(static_cast<std::size_t>(factor)).name;
    if (m_answer.locked.erase(name) == 0)
        m_answer.locked[name] = m_answer.settings().at(name);
    m_thorough.cancel();
    searchAnew();
    showBest();
    emit changed(Change::Goals);
}

void OptimizeSession::addRuns(const std::vector<study::Settings>& settings)
{
    emit changeRequested(study::withRuns(m_answer.study(), settings, study::RunKind::Augment),
                         tr("Add %1").arg(formatCount(std::ssize(settings), "run")), {});
}

void OptimizeSession::fitConfirmation(const std::vector<int>& runs)
{
    study::Study after = m_answer.study();
    for (const int id : runs)
        if (study::Run* run = study::findRun(after, id))
            run->kind = study::RunKind::Augment;
    emit changeRequested(after, tr("Include confirmation runs in the model"), {});
}

study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual)
{
    const study::Factor& moved = study.factors[factor];
    if (moved.isNumeric()) {
        settings[moved.name] =
            study::snapToRecommended(study, moved, std::clamp(actual, moved.low, moved.high));
    } else if (!moved.categories.empty()) {
        const auto last = static_cast<double>(moved.categories.size() - 1);
        settings[moved.name] =
            moved.categories[static_cast<std::size_t>(std::lround(std::clamp(actual, 0.0, last)))];
    }
    return settings;
}

study::Settings withStep(const study::Study& study, study::Settings settings, std::size_t factor,
                         double share)
{
    const study::Factor& moved = study.factors[factor];
    if (share == 0.0 || !moved.isNumeric())
        return settings;
    const study::Coding coding(study.factors);
    const double from = study::numberOf(settings.at(moved.name));
    const double coded = std::clamp(coding.toCoded(factor, from) + 2.0 * share, -1.0, 1.0);
    settings = withValue(study, std::move(settings), factor, coding.toActual(factor, coded));
    const double to = study::numberOf(settings.at(moved.name));
    if (share > 0.0 ? to > from : to < from)
        return settings;
    std::vector<double> beyond = study::recommendedValues(study, moved);
    std::erase_if(beyond, [&](double value) { return share > 0.0 ? value <= from : value >= from; });
    if (!beyond.empty())
        settings[moved.name] = share > 0.0 ? beyond.front() : beyond.back();
    return settings;
}

QString describeHeldFactors(const Answer& answer, std::size_t x, std::size_t y)
{
    const study::Coding coding(answer.study().factors);
    return heldText(answer.study(), coding.toCoded(answer.settings()), {x, y});
}

QPointF projectSetting(const Answer& answer, std::size_t x, std::size_t y)
{
    const auto valueOf = [&answer](std::size_t factor) {
        return study::numberOf(answer.settings().at(answer.study().factors[factor].name));
    };
    return {valueOf(x), valueOf(y)};
}

study::Settings moveNearRuns(const Answer& answer, std::size_t factor, const study::Settings& moved)
{
    constexpr int kHalvings = 12;
    const study::Factor& along = answer.study().factors.at(factor);
    const study::Coding coding(answer.study().factors);
    const optimize::LeverageLimit limit(answer.fits());
    const auto isNear = [&](const study::Settings& settings) {
        return limit.margin(coding.toCoded(settings).x) >= 0.0;
    };
    if (optimize::readNearRuns(answer.study()) != optimize::NearRuns::On || isNear(moved))
        return moved;
    study::Settings inside = answer.settings();
    if (!isNear(inside))
        return moved;
    double from = along.isNumeric() ? study::numberOf(inside.at(along.name)) : 0.0;
    double to = along.isNumeric() ? study::numberOf(moved.at(along.name)) : 0.0;
    for (int i = 0; along.isNumeric() && i < kHalvings; ++i) {
        const double middle = (from + to) / 2.0;
        const study::Settings tried = withValue(answer.study(), inside, factor, middle);
        const bool isInside = isNear(tried);
        (isInside ? from : to) = middle;
        if (isInside)
            inside = tried;
    }
    return inside;
}

} // namespace quadric::widgets
