// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/constraint_tree.h"

#include "core/study/space/constraint_node.h"

#include <stdexcept>

namespace quadric::exchange {

namespace {

using study::OrderedJson;
using Node = study::Constraint::Node;

const char* wordOf(Node::Kind kind)
{
    switch (kind) {
    case Node::Kind::Negate:
        return "negate";
    case Node::Kind::Add:
        return "+";
    case Node::Kind::Subtract:
        return "-";
    case Node::Kind::Multiply:
        return "*";
    case Node::Kind::Divide:
        return "/";
    case Node::Kind::Remainder:
        return "%";
    case Node::Kind::Less:
        return "<";
    case Node::Kind::LessEqual:
        return "<=";
    case Node::Kind::Greater:
        return ">";
    case Node::Kind::GreaterEqual:
        return ">=";
    case Node::Kind::Equal:
        return "==";
    case Node::Kind::NotEqual:
        return "!=";
    case Node::Kind::And:
        return "and";
    case Node::Kind::Or:
        return "or";
    default:
        return "not";
    }
}

OrderedJson valueJson(const study::Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return {{"text", *text}};
    return std::get<double>(value);
}

OrderedJson nameJson(const study::Study& study, const std::string& name)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        if (study.factors[i].name == name)
            return {{"factor", i}};
    }
    const auto fixed = study.fixed.find(name);
    if (fixed == study.fixed.end())
        throw std::invalid_argument(name + " has no value, expected a factor or a fixed setting");
    return valueJson(fixed->second);
}

OrderedJson nodeJson(const study::Study& study, const Node& node)
{
    if (node.kind == Node::Kind::Number)
        return node.number;
    if (node.kind == Node::Kind::Text)
        return {{"text", node.text}};
    if (node.kind == Node::Kind::Name)
        return nameJson(study, node.text);
    OrderedJson json = OrderedJson::array({wordOf(node.kind), nodeJson(study, *node.left)});
    if (node.right)
        json.push_back(nodeJson(study, *node.right));
    return json;
}

} // namespace

OrderedJson constraintTree(const study::Study& study, const std::string& constraint)
{
    std::vector<std::string> names;
    return nodeJson(study, *study::parseConstraint(constraint, names));
}

} // namespace quadric::exchange
