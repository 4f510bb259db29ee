// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/design_options.h"

#include "core/design/base/design_type.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace quadric::widgets {

namespace {

constexpr int kColumns = 4;
constexpr int kLargestSeed = std::numeric_limits<int>::max();

QStringList splitListText(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
    return text.split(separators, Qt::SkipEmptyParts);
}

std::vector<std::string> generatorsFrom(const QString& text)
{
    std::vector<std::string> generators;
    for (const QString& part : splitListText(text))
        generators.push_back(part.toUpper().toStdString());
    return generators;
}

void showText(QLineEdit& line, const QString& text)
{
    if (line.text() != text)
        line.setText(text);
}

std::optional<std::map<std::string, int, std::less<>>> levelsFrom(const study::Study& study,
                                                                  const QString& text)
{
    std::map<std::string, int, std::less<>> levels;
    const QStringList parts = splitListText(text);
    if (parts.size() > qsizetype(study.factors.size()))
        return std::nullopt;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        bool isNumber = false;
        const int count = parts[i].toInt(&isNumber);
        if (!isNumber || count < 2 || count > 1000)
            return std::nullopt;
        const study::Factor& factor = study.factors[size_t(i)];
        if (factor.isNumeric() && factor.type != study::FactorType::Discrete)
            levels[factor.name] = count;
    }
    return levels;
}

} // namespace

QString levelsText(const study::Study& study)
{
    if (study.design.levels.empty())
        return {};
    QStringList counts;
    for (const study::Factor& factor : study.factors) {
        const auto found = study.design.levels.find(factor.name);
        counts << (found == study.design.levels.end() ? QStringLiteral("2") : QString::number(found->second));
    }
    return counts.join(QStringLiteral(", "));
}

DesignOptions::DesignOptions(QWidget* parent)
    : QWidget(parent)
    , m_grid(marginlessGrid(this, kGroupGap, kGap))
{
    for (int column = 0; column < kColumns; ++column)
        m_grid->setColumnStretch(column, 1);
    buildCommon();
    buildSpecial();
}

void DesignOptions::buildCommon()
{
    m_centerRuns = addNumber(tr("&Center points"), "centerRuns", 0, 50,
                             tr("Repeated runs in the middle: they measure the noise and show curvature."));
    m_replicates =
        addNumber(tr("Re&plicates"), "replicates", 1, 20, tr("How often the whole design is run."));
    m_blocks =
        addNumber(tr("B&locks"), "blocks", 1, 16,
                  tr("Groups of runs measured together, one day each for example; a shift between them is "
                     "not taken for an effect."));
    m_seed = addNumber(tr("Random &seed"), "seed", 0, kLargestSeed,
                       tr("The same seed gives the same run order and the same search again."));
    m_randomize = new QCheckBox(tr("&Randomize run order"), this);
    m_randomize->setToolTip(tr("Keeps drifts of the machine from looking like effects."));
    nameWidget(m_randomize, "randomize", tr("Randomize run order"));
    connect(m_randomize, &QCheckBox::toggled, this, &DesignOptions::commitDesignOptions);
}

void DesignOptions::buildSpecial()
{
    m_alpha = addChoice(tr("&Alpha"), "alpha",
                        tr("How far the star points are from the center, in units of the factors' ranges."));
    m_alpha->setEditable(true);
    m_alpha->setInsertPolicy(QComboBox::NoInsert);
    for (const char* alpha : {"rotatable", "face", "orthogonal", "practical"})
        m_alpha->addItem(QLatin1String(alpha));
    m_resolution = addChoice(
        tr("Resolut&ion at least"), "resolution",
        tr("III: main effects may hide behind interactions; IV: they do not; V: nor do interactions behind "
           "each other."));
    m_resolution->addItem(tr("automatic"), 0);
    for (const auto& [name, value] : {std::pair{"III", 3}, {"IV", 4}, {"V", 5}, {"VI", 6}})
        m_resolution->addItem(QLatin1String(name), value);
    m_generators =
        addText(tr("&Generators"), "generators",
                tr("Which products the added factors follow, such as D=AB, E=AC; factors are A, B, C "
                   "… without I, in the order of the table."));
    m_generators->setPlaceholderText(tr("automatic"));
    m_levels = addText(tr("Le&vels of each factor"), "levels",
                       tr("How many levels each factor takes, in the order of the table, such as 3, 2, 4."));
    m_levels->setPlaceholderText(tr("automatic"));
    m_runs = addNumber(tr("R&uns"), "designRuns", 0, 2000,
                       tr("Runs of the design itself, before replicates and without center runs."));
    m_runs->setSpecialValueText(tr("automatic"));
    m_model = addChoice(tr("For the &model"), "designModel",
                        tr("The polynomial whose coefficients the design is to pin down."));
    for (const char* model : {"linear", "interactions", "quadratic"})
        m_model->addItem(QLatin1String(model));
    m_digits =
        addChoice(tr("&Digits of levels"), "digits",
                  tr("Significant digits of the levels of continuous factors. Automatic: the fewest that "
                     "cost less than 1 % of the efficiency."));
    m_digits->addItem(tr("automatic"));
    for (int digits = 1; digits <= study::kMostDigits; ++digits)
        m_digits->addItem(QString::number(digits), digits);
    m_digits->addItem(tr("as found"), 0);
    m_boxes.emplace_back(m_randomize, m_randomize);
}

void DesignOptions::addBox(const QString& name, QWidget* editor, const QString& explanation)
{
    auto* box = new QWidget(this);
    auto* caption = new QLabel(name);
    caption->setBuddy(editor);
    caption->setForegroundRole(QPalette::PlaceholderText);
    editor->setToolTip(explanation);
    auto* layout = marginless<QVBoxLayout>(box);
    layout->setSpacing(kGap / 4);
    layout->addWidget(caption);
    layout->addWidget(editor);
    m_boxes.emplace_back(editor, box);
}

QSpinBox* DesignOptions::addNumber(const QString& name, const char* objectName, int least, int most,
                                   const QString& explanation)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    nameWidget(box, objectName, QString(name).remove(QLatin1Char('&')));
    connect(box, &QSpinBox::valueChanged, this, &DesignOptions::commitDesignOptions);
    addBox(name, box, explanation);
    return box;
}

QLineEdit* DesignOptions::addText(const QString& name, const char* objectName, const QString& explanation)
{
    auto* line = new QLineEdit;
    nameWidget(line, objectName, QString(name).remove(QLatin1Char('&')));
    connect(line, &QLineEdit::textEdited, this, &DesignOptions::commitDesignOptions);
    addBox(name, line, explanation);
    return line;
}

QComboBox* DesignOptions::addChoice(const QString& name, const char* objectName, const QString& explanation)
{
    auto* box = new QComboBox;
    nameWidget(box, objectName, QString(name).remove(QLatin1Char('&')));
    connect(box, &QComboBox::currentTextChanged, this, &DesignOptions::commitDesignOptions);
    addBox(name, box, explanation);
    return box;
}

void DesignOptions::setStudy(const study::Study& study)
{
    m_isShowing = true;
    m_study = study;
    const study::DesignSpec& spec = study.design;
    m_centerRuns->setValue(spec.centerRuns);
    m_replicates->setValue(spec.replicates);
    m_blocks->setValue(spec.blocks);
    m_seed->setValue(int(std::min<std::uint64_t>(spec.seed, kLargestSeed)));
    m_randomize->setChecked(spec.randomize);
    m_runs->setValue(spec.runs);
    const QString alpha = spec.alpha.empty() ? m_alpha->itemText(0) : QString::fromStdString(spec.alpha);
    if (m_alpha->currentText() != alpha)
        m_alpha->setCurrentText(alpha);
    m_resolution->setCurrentIndex(std::max(0, m_resolution->findData(spec.resolution)));
    m_model->setCurrentText(spec.model.empty() ? QStringLiteral("quadratic")
                                               : QString::fromStdString(spec.model));
    m_digits->setCurrentIndex(
        std::max(0, m_digits->findData(spec.digits ? QVariant(*spec.digits) : QVariant())));
    if (generatorsFrom(m_generators->text()) != spec.generators)
        showText(*m_generators, QString::fromStdString(text::joinWords(spec.generators)));
    if (levelsFrom(study, m_levels->text()) != spec.levels)
        showText(*m_levels, levelsText(study));
    layOutBoxes(study.design.type);
    m_isShowing = false;
}

/// Only what the type can be asked for, without holes.
void DesignOptions::layOutBoxes(const std::string& type)
{
    const std::map<QWidget*, std::string_view> keys = {
        {m_alpha, "alpha"}, {m_resolution, "resolution"}, {m_levels, "levels"}, {m_generators, "generators"},
        {m_runs, "runs"},   {m_model, "model"},           {m_digits, "digits"}};
    int place = 0;
    for (const auto& [editor, box] : m_boxes) {
        const auto key = keys.find(editor);
        const auto types =
            key == keys.end() ? std::vector<std::string_view>() : design::typesWithKey(key->second);
        const bool isShown = types.empty() || std::ranges::count(types, type) > 0;
        m_grid->removeWidget(box);
        box->setVisible(isShown);
        if (isShown) {
            m_grid->addWidget(box, place / kColumns, place % kColumns, Qt::AlignBottom);
            ++place;
        }
    }
}

void DesignOptions::commitDesignOptions()
{
    if (m_isShowing)
        return;
    study::DesignSpec spec = m_study.design;
    spec.centerRuns = m_centerRuns->value();
    spec.replicates = m_replicates->value();
    spec.blocks = m_blocks->value();
    if (spec.seed <= std::uint64_t(kLargestSeed) || m_seed->value() != kLargestSeed)
        spec.seed = std::uint64_t(m_seed->value());
    spec.randomize = m_randomize->isChecked();
    spec.runs = m_runs->value();
    if (m_alpha->currentText() != m_alpha->itemText(0) || !spec.alpha.empty())
        spec.alpha = m_alpha->currentText().trimmed().toStdString();
    spec.resolution = m_resolution->currentData().toInt();
    spec.generators = generatorsFrom(m_generators->text());
    spec.levels = levelsFrom(m_study, m_levels->text()).value_or(spec.levels);
    if (m_model->currentText() != QLatin1String("quadratic") || !spec.model.empty())
        spec.model = m_model->currentText().toStdString();
    const QVariant digits = m_digits->currentData();
    spec.digits = digits.isValid() ? std::optional(digits.toInt()) : std::nullopt;
    if (spec != m_study.design)
        emit specEdited(spec);
}

} // namespace quadric::widgets
