// SPDX-License-Identifier: GPL-3.0-or-later
// What the models of a report say of a setting: the numbers of core/model/predict and core/optimize/merit,
// from the data that core/exchange/export/profiler_model.cpp writes. ECMAScript 5, for any browser.
// A point has one value per factor: the actual value, of a categorical factor the index of its level.
var quadric = (function () {
    "use strict";

    function codedValue(factor, value) {
        if (factor.levels) return value;
        var place = factor.log2 ? Math.log(value) / Math.LN2 : value;
        return (place - factor.center) / factor.halfRange;
    }

    function actualValue(factor, coded) {
        if (factor.levels) return coded;
        if (coded === -1 || coded === 1) return coded < 0 ? factor.low : factor.high;
        var place = factor.center + coded * factor.halfRange;
        return factor.log2 ? Math.pow(2, place) : place;
    }

    function codedPoint(model, point) {
        return point.map(function (value, i) { return codedValue(model.factors[i], value); });
    }

    /** Sum-to-zero contrast: 1 at its level, −1 at the last, else 0. */
    function contrastAt(factor, contrast, level) {
        return level === contrast ? 1 : level === factor.levels.length - 1 ? -1 : 0;
    }

    function columnAt(model, column, coded) {
        var value = 1;
        for (var i = 0; i < column.length; i += 2) {
            var factor = model.factors[column[i]], x = coded[column[i]];
            if (factor.levels) value *= contrastAt(factor, column[i + 1], x);
            else for (var k = 0; k < column[i + 1]; ++k) value *= x;
        }
        return value;
    }

    function rowAt(model, columns, coded) {
        return columns.map(function (column) { return columnAt(model, column, coded); });
    }

    /** x'Cx with the lower triangle of C. */
    function quadraticForm(rows, x) {
        var sum = 0;
        for (var i = 0; i < x.length; ++i) {
            if (x[i] === 0) continue;
            var inner = rows[i][i] * x[i] / 2;
            for (var j = 0; j < i; ++j) inner += rows[i][j] * x[j];
            sum += 2 * x[i] * inner;
        }
        return Math.max(sum, 0);
    }

    /** Chebyshev polynomials with these coefficients at s in 0 … 1 (Clenshaw). */
    function seriesAt(series, s) {
        var x = 2 * s - 1, b = 0, before = 0;
        for (var k = series.length - 1; k > 0; --k) {
            var next = 2 * x * b - before + series[k];
            before = b;
            b = next;
        }
        return x * b - before + series[0];
    }

    var LARGEST = 1e300;

    function isInvertible(transform, z) {
        if (transform.kind === "log") return z < 690;
        if (transform.kind === "inverse") return z > 1 / LARGEST;
        return !(transform.kind === "power" && transform.lambda < 0) || transform.lambda * z + 1 > 0;
    }

    function invertLogit(transform, z) {
        var small = Math.exp(-Math.abs(z)), nearer = (transform.high - transform.low) * small / (1 + small);
        return z < 0 ? transform.low + nearer : transform.high - nearer;
    }

    function invert(transform, z) {
        if (transform.kind === "log") return Math.exp(z);
        if (transform.kind === "sqrt") return z > 0 ? Math.min(z * z, LARGEST) : 0;
        if (transform.kind === "inverse") return 1 / z;
        if (transform.kind === "logit") return invertLogit(transform, z);
        if (transform.kind !== "power") return z;
        var base = transform.lambda * z + 1;
        return base > 0 ? Math.min(Math.pow(base, 1 / transform.lambda), LARGEST) : 0;
    }

    /** Nothing that a model says leaves the values that the response can have. */
    function valueAt(response, z) {
        var y = invert(response.transform, z), bounds = response.bounds;
        if (bounds === null) return y;
        return Math.max(bounds[0], bounds[1] === null ? y : Math.min(y, bounds[1]));
    }

    function meanOf(response, z) {
        if (!isInvertible(response.transform, z)) return response.largest;
        var y = valueAt(response, z);
        return response.transform.kind === "none" ? y : Math.min(y, response.largest);
    }

    /** The interval z ± half in the response's unit; null where it has no bound. */
    function intervalOf(response, z, half) {
        if (!isInvertible(response.transform, z - half) || !isInvertible(response.transform, z + half))
            return null;
        var a = valueAt(response, z - half), b = valueAt(response, z + half);
        return [Math.min(a, b), Math.max(a, b)];
    }

    function isSeen(response, coded) {
        return response.seen.every(function (levels, i) { return levels === null || levels[coded[i]]; });
    }

    function rising(y, low, high) {
        if (y >= high) return 1;
        var share = low < high ? (y - low) / (high - low) : 0;
        return share <= 1e-12 ? 0 : share;
    }

    function desirability(d, y) {
        if (!isFinite(y)) return 0;
        if (d.goal === "maximize") return Math.pow(rising(y, d.low, d.high), d.shapeBelow);
        if (d.goal === "minimize") return Math.pow(rising(-y, -d.high, -d.low), d.shapeAbove);
        if (d.goal !== "target") return 1;
        return y <= d.target ? Math.pow(rising(y, d.low, d.target), d.shapeBelow)
                             : Math.pow(rising(-y, -d.high, -d.target), d.shapeAbove);
    }

    /** Weighted geometric mean of the desirabilities of the responses that have a goal. */
    function overall(model, predictions) {
        var logarithms = 0, weights = 0, isZero = false;
        model.responses.forEach(function (response, i) {
            var weight = response.desirability.weight;
            if (response.desirability.goal === "none" || !(weight > 0)) return;
            isZero = isZero || predictions[i].desirability <= 0;
            logarithms += weight * Math.log(predictions[i].desirability);
            weights += weight;
        });
        return isZero ? 0 : weights > 0 ? Math.exp(logarithms / weights) : 1;
    }

    function dot(a, b) {
        return a.reduce(function (sum, value, i) { return sum + value * b[i]; }, 0);
    }

    /** What bends that the runs cannot show add to the variance factor. */
    function unseenAt(bends, coded) {
        return bends.reduce(function (sum, bend) {
            var deviation = bend.levels.reduce(function (product, level) {
                return product * (coded[bend.factor] - level);
            }, bend.share);
            return sum + deviation * deviation;
        }, 0);
    }

    function isEstimable(model, response, coded) {
        var known = response.estimable, row = rowAt(model, known.columns, coded);
        return isSeen(response, coded) && known.limits.every(function (limit, i) {
            return limit === null || (coded[i] >= limit[0] - 1e-6 && coded[i] <= limit[1] + 1e-6);
        }) && known.weights.every(function (weights) {
            var size = weights.reduce(function (sum, weight, i) { return sum + Math.abs(weight * row[i]); }, 0);
            return Math.abs(dot(weights, row)) <= 1e-6 * Math.max(size, 1);
        });
    }

    /** Mean, 95 % interval of it and of a new run (null where there is none), extrapolation, desirability. */
    function predictResponse(model, response, coded) {
        var row = rowAt(model, response.columns, coded), z = dot(row, response.beta);
        var leverage = quadraticForm(model.matrices[response.matrix], row);
        var mean = meanOf(response, z), error = response.error, isKnown = isEstimable(model, response, coded);
        var result = {
            mean: mean, confidence: null, newRun: null, desirability: desirability(response.desirability, mean),
            isExtrapolation: !isKnown || leverage > response.leverageLimit || !isInvertible(response.transform, z)
        };
        if (!isKnown || !error) return result;
        var h = quadraticForm(model.matrices[error.matrix], rowAt(model, error.columns, coded));
        h += unseenAt(error.bends, coded);
        var ofMean = error.sigma * error.sigma * h;
        result.confidence = intervalOf(response, z, error.quantile * Math.sqrt(ofMean));
        result.newRun = intervalOf(response, z, seriesAt(error.series, Math.log(1 + h) / error.reach) *
            Math.sqrt(error.fixed + ofMean)) || intervalOf(response, z, error.quantile * Math.sqrt(error.ofRun + ofMean));
        return result;
    }

    function predict(model, point) {
        var coded = codedPoint(model, point);
        var responses = model.responses.map(function (response) {
            return predictResponse(model, response, coded);
        });
        return { responses: responses, overall: overall(model, responses) };
    }

    // Constraints: a number or text, or null for what is undefined; a condition is true, false, or null where
    // the answer hangs on something undefined (Kleene).

    function arithmetic(operation, a, b) {
        if (operation === "+") return a + b;
        if (operation === "-") return a - b;
        if (operation === "*") return a * b;
        if (b === 0) return NaN;
        return operation === "/" ? a / b : a % b;
    }

    /** Number or text of a node at a point; null for an undefined number. */
    function operandAt(model, node, point) {
        if (typeof node === "number") return node;
        if (node.text !== undefined) return node.text;
        if (node.factor !== undefined) {
            var levels = model.factors[node.factor].levels;
            return levels ? levels[point[node.factor]] : point[node.factor];
        }
        var a = operandAt(model, node[1], point);
        var b = node.length > 2 ? operandAt(model, node[2], point) : 0;
        if (typeof a !== "number" || typeof b !== "number") return null;
        var value = node[0] === "negate" ? -a : arithmetic(node[0], a, b);
        return isFinite(value) ? value : null;
    }

    function compare(operation, a, b) {
        var isText = typeof a === "string" && typeof b === "string";
        if (a === null || b === null || (!isText && typeof a !== typeof b)) return null;
        if (operation === "==") return a === b;
        if (operation === "!=") return a !== b;
        if (operation === "<") return a < b;
        if (operation === "<=") return a <= b;
        return operation === ">" ? a > b : a >= b;
    }

    function conditionAt(model, node, point) {
        if (node[0] !== "and" && node[0] !== "or" && node[0] !== "not")
            return compare(node[0], operandAt(model, node[1], point), operandAt(model, node[2], point));
        var a = conditionAt(model, node[1], point);
        if (node[0] === "not") return a === null ? null : !a;
        if (a === (node[0] === "or")) return a;
        var b = conditionAt(model, node[2], point);
        if (b === (node[0] === "or")) return b;
        return a === null || b === null ? null : b;
    }

    /** The first constraint that does not hold at a point; null where the setting can be run. */
    function findViolation(model, point) {
        for (var i = 0; i < model.constraints.length; ++i)
            if (conditionAt(model, model.constraints[i].tree, point) !== true) return model.constraints[i];
        return null;
    }

    /** The nearest value that can be run, on the factor's scale. */
    function snap(factor, value) {
        if (factor.levels) return Math.min(Math.max(Math.round(value), 0), factor.levels.length - 1);
        var inside = Math.min(Math.max(value, factor.low), factor.high);
        if (factor.step) return Math.round(inside / factor.step) * factor.step;
        if (!factor.legal) return inside;
        var wanted = codedValue(factor, inside);
        return factor.legal.reduce(function (best, each) {
            return Math.abs(codedValue(factor, each) - wanted) < Math.abs(codedValue(factor, best) - wanted) ? each : best;
        });
    }

    return {
        codedValue: codedValue, actualValue: actualValue, predict: predict, findViolation: findViolation,
        operandAt: operandAt, snap: snap
    };
}());
