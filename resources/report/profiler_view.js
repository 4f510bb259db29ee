// SPDX-License-Identifier: GPL-3.0-or-later
// The profiler of the report: a column of curves per factor with a line that is dragged, stepped with the
// arrow keys or typed, and a table of what is predicted there. Takes the place of the picture in #profiler.
(function () {
    "use strict";

    var POINTS = 41, CELL = 92, TITLE = 16, FOOT = 18, LEFT = 40, RIGHT = 6;
    var figure = document.getElementById("profiler");
    var data = JSON.parse(document.getElementById("profiler-data").textContent);
    var model = data.model, words = data.words;
    var point = model.start.slice(), columns = [], isWaiting = false;

    function make(parent, name, attributes, text) {
        var isSvg = parent.namespaceURI === "http://www.w3.org/2000/svg" || name === "svg";
        var element = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
        for (var key in attributes) element.setAttribute(key, attributes[key]);
        if (text !== undefined) element.textContent = text;
        return parent.appendChild(element);
    }

    function withUnit(text, unit) {
        return unit ? text + " " + unit : text;
    }

    function withParentheses(name, unit) {
        return unit ? name + " (" + unit + ")" : name;
    }

    function settingText(factor, value) {
        return factor.levels ? factor.levels[value] : quadric.formatDigits(value, 6);
    }

    // What is predicted, in a table.

    function halfWidth(interval) {
        return interval ? (interval[1] - interval[0]) / 2 : undefined;
    }

    function rangeText(interval) {
        if (!interval) return "\u2013";
        return interval.map(function (end) { return quadric.formatNumber(end, halfWidth(interval)); }).join(" " + words.to + " ");
    }

    function fillTable(body, prediction) {
        body.textContent = "";
        model.responses.forEach(function (response, i) {
            var p = prediction.responses[i], row = make(body, "tr");
            make(row, "th", { scope: "row" }, response.name);
            make(row, "td", { "class": "n" }, withUnit(quadric.formatNumber(p.mean, halfWidth(p.newRun)), response.unit));
            make(row, "td", { "class": "n" }, rangeText(p.newRun));
            make(row, "td", { "class": "n" }, response.desirability.goal === "none" ? "\u2013" : p.desirability.toFixed(3));
        });
        var last = make(body, "tr", { "class": "all" });
        make(last, "th", { scope: "row", colspan: 3 }, words.overall);
        make(last, "td", { "class": "n" }, prediction.overall.toFixed(3));
    }

    // What has to be known of the setting.

    function violationText(constraint) {
        var tree = constraint.tree, parts = /^([^<>=!]*)(<=|>=|==|!=|<|>)([^<>=!]*)$/.exec(constraint.text);
        var opposites = { "<=": ">", "<": "\u2265", ">=": "<", ">": "\u2264", "==": "\u2260", "!=": "=" };
        var set = constraint.text.replace(/\*/g, "\u00d7");
        if (!parts || !opposites[tree[0]]) return set;
        var left = quadric.operandAt(model, tree[1], point), right = quadric.operandAt(model, tree[2], point);
        if (typeof left !== "number" || typeof right !== "number") return set;
        return parts[1].trim().replace(/\*/g, "\u00d7") + " = " + quadric.formatDigits(left, 6) + " " +
            opposites[tree[0]] + " " + quadric.formatDigits(right, 6);
    }

    function isAtStart() {
        return point.every(function (value, i) { return value === model.start[i]; });
    }

    function remarks(prediction) {
        var texts = [], violated = quadric.findViolation(model, point);
        if (violated) texts.push(words.infeasible + " " + violationText(violated) + ".");
        var far = model.responses.filter(function (response, i) { return prediction.responses[i].isExtrapolation; });
        if (far.length > 0)
            texts.push(words.extrapolation + " (" + far.map(function (response) { return response.name; }).join(", ") + ").");
        if (texts.length === 0) texts.push(isAtStart() ? words.recommended : words.feasible);
        return texts.join(" ");
    }

    // Curves.

    function positionsOf(factor) {
        var positions = [];
        if (factor.levels)
            return factor.levels.map(function (level, i) { return i; });
        for (var i = 0; i < POINTS; ++i)
            positions.push(quadric.actualValue(factor, -1 + 2 * i / (POINTS - 1)));
        return positions;
    }

    /** Share of the axis from the left at which a value of the factor stands. */
    function shareOf(factor, value) {
        if (factor.levels) return (value + 0.5) / factor.levels.length;
        return (quadric.codedValue(factor, value) + 1) / 2;
    }

    function valueAtShare(factor, share) {
        if (factor.levels) return quadric.snap(factor, share * factor.levels.length - 0.5);
        var value = quadric.actualValue(factor, Math.min(Math.max(share, 0), 1) * 2 - 1);
        return factor.legal || factor.step ? quadric.snap(factor, value) : quadric.snap(factor, Number(value.toPrecision(4)));
    }

    function tracesOf(index) {
        return positionsOf(model.factors[index]).map(function (value) {
            var at = point.slice();
            at[index] = value;
            return { share: shareOf(model.factors[index], value), at: at, isLegal: !quadric.findViolation(model, at),
                     prediction: quadric.predict(model, at) };
        });
    }

    /** Low and high end of each row's axis: what was observed and what all curves need. */
    function rangesOf(traces) {
        var ranges = model.responses.map(function (response, row) {
            var low = response.observed[0], high = response.observed[1];
            traces.forEach(function (column) {
                column.forEach(function (trace) {
                    low = Math.min(low, trace.prediction.responses[row].mean);
                    high = Math.max(high, trace.prediction.responses[row].mean);
                });
            });
            var room = (high - low || Math.abs(high) || 1) * 0.06;
            return [low - room, high + room];
        });
        ranges.push([-0.05, 1.05]);
        return ranges;
    }

    function ticksOf(range) {
        var step = Math.pow(10, Math.floor(Math.log(range[1] - range[0]) / Math.LN10)), ticks = [];
        [0.2, 0.5, 1, 2].some(function (times) {
            ticks = [];
            for (var k = Math.ceil(range[0] / (step * times)); k * step * times <= range[1]; ++k) ticks.push(k * step * times);
            return ticks.length <= 3;
        });
        return ticks;
    }

    /** Ticks in few characters: 45k, 1.2M. */
    function shortText(value) {
        var size = Math.abs(value);
        if (size >= 1e4 && size < 1e12) {
            var step = size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1e3;
            return quadric.formatDigits(value / step, 3) + { 1e3: "k", 1e6: "M", 1e9: "G" }[step];
        }
        return quadric.formatDigits(value, 3);
    }

    function pathOf(places) {
        return places.map(function (p, i) { return (i ? "L" : "M") + p[0].toFixed(1) + " " + p[1].toFixed(1); }).join("");
    }

    /** One path for each stretch that is an extrapolation, or none. */
    function drawCurve(svg, traces, frame, read) {
        var places = traces.map(function (trace) { return [frame.x(trace.share), frame.y(read(trace).mean)]; });
        var isGuess = function (i) { return read(traces[i]).isExtrapolation || read(traces[i - 1]).isExtrapolation; };
        for (var from = 0, to = 1; to < places.length; ++to) {
            if (to + 1 < places.length && isGuess(to) === isGuess(to + 1)) continue;
            make(svg, "path", { "class": isGuess(to) ? "curve guess" : "curve", d: pathOf(places.slice(from, to + 1)) });
            from = to;
        }
    }

    function drawLevels(svg, traces, frame, read) {
        traces.forEach(function (trace) {
            var p = read(trace), x = frame.x(trace.share);
            if (p.confidence)
                make(svg, "path", { "class": "whisker", d: pathOf([[x, frame.y(p.confidence[0])], [x, frame.y(p.confidence[1])]]) });
            make(svg, "circle", { "class": p.isExtrapolation ? "level guess" : "level", cx: x, cy: frame.y(p.mean), r: 3.5 });
        });
    }

    function drawBand(svg, traces, frame, read) {
        var inside = traces.filter(function (trace) { return read(trace).confidence; });
        var side = function (end) {
            return inside.map(function (trace) { return [frame.x(trace.share), frame.y(read(trace).confidence[end])]; });
        };
        if (inside.length > 1)
            make(svg, "path", { "class": "band", d: pathOf(side(0).concat(side(1).reverse())) + "Z" });
    }

    /** Stretches of the axis that cannot be run, from half way to the neighbors. */
    function drawForbidden(svg, traces, frame) {
        traces.forEach(function (trace, i) {
            if (trace.isLegal) return;
            var from = i > 0 ? (traces[i - 1].share + trace.share) / 2 : 0;
            var to = i + 1 < traces.length ? (traces[i + 1].share + trace.share) / 2 : 1;
            make(svg, "rect", { "class": "forbidden", x: frame.x(from), y: frame.top, width: frame.x(to) - frame.x(from), height: frame.height });
        });
    }

    function frameOf(row, width, range) {
        var top = row * CELL + TITLE, height = CELL - TITLE - 8, inner = width - LEFT - RIGHT;
        return {
            top: top, height: height, left: LEFT, width: inner,
            x: function (share) { return LEFT + share * inner; },
            y: function (value) {
                var y = top + height * (range[1] - value) / (range[1] - range[0]);
                return Math.min(Math.max(y, top), top + height);
            }
        };
    }

    /** As much of a text as there is room for. */
    function fitted(text, room) {
        var most = Math.max(Math.floor(room / 5.5), 4);
        return text.length > most ? text.slice(0, most - 1) + "\u2026" : text;
    }

    function drawCell(svg, traces, row, index, width, range) {
        var response = model.responses[row], frame = frameOf(row, width, range);
        var read = function (trace) {
            return response ? trace.prediction.responses[row] : { mean: trace.prediction.overall, confidence: null };
        };
        make(svg, "text", { "class": "title", x: LEFT, y: frame.top - 4 },
            response ? fitted(withParentheses(response.name, response.unit), width - LEFT + RIGHT) : "D");
        make(svg, "rect", { "class": "frame", x: frame.left, y: frame.top, width: frame.width, height: frame.height });
        drawForbidden(svg, traces, frame);
        (response ? ticksOf(range) : [0, 0.5, 1]).forEach(function (tick) {
            make(svg, "text", { "class": "tick", x: LEFT - 4, y: Math.max(frame.y(tick) + 3.5, frame.top + 8), "text-anchor": "end" }, shortText(tick));
        });
        var isCategorical = Boolean(model.factors[index].levels);
        if (!isCategorical) drawBand(svg, traces, frame, read);
        (isCategorical ? drawLevels : drawCurve)(svg, traces, frame, read);
        var now = frame.x(shareOf(model.factors[index], point[index]));
        make(svg, "path", { "class": "now", d: pathOf([[now, frame.top], [now, frame.top + frame.height]]) });
    }

    function drawFoot(svg, factor, width, y) {
        var last = factor.levels ? factor.levels.length - 1 : 0;
        var ends = factor.levels ? [0, last] : [factor.low, factor.high];
        ends.slice(0, last === 0 && factor.levels ? 1 : 2).forEach(function (value, i) {
            var text = factor.levels ? factor.levels[value] : shortText(value), inner = width - LEFT - RIGHT;
            make(svg, "text", { "class": "tick", y: y, x: LEFT + inner * (factor.levels ? shareOf(factor, value) : i),
                "text-anchor": factor.levels ? "middle" : i ? "end" : "start" }, fitted(text, inner / ends.length));
        });
    }

    function drawColumn(column, traces, ranges) {
        var svg = column.svg, factor = model.factors[column.index], width = column.box.clientWidth;
        var height = ranges.length * CELL + FOOT;
        svg.textContent = "";
        svg.setAttribute("viewBox", "0 0 " + width + " " + height);
        svg.setAttribute("height", height);
        ranges.forEach(function (range, row) { drawCell(svg, traces, row, column.index, width, range); });
        drawFoot(svg, factor, width, height - 5);
        svg.setAttribute("aria-valuenow", point[column.index]);
        svg.setAttribute("aria-valuetext", withUnit(settingText(factor, point[column.index]), factor.unit));
        if (document.activeElement !== column.input)
            column.input.value = factor.levels ? point[column.index] : Number(point[column.index].toPrecision(6));
    }

    function draw() {
        isWaiting = false;
        var traces = model.factors.map(function (factor, i) { return tracesOf(i); }), ranges = rangesOf(traces);
        var prediction = quadric.predict(model, point);
        fillTable(view.body, prediction);
        view.status.textContent = remarks(prediction);
        view.status.className = quadric.findViolation(model, point) ? "remark bad" : "remark";
        view.back.disabled = isAtStart();
        columns.forEach(function (column, i) { drawColumn(column, traces[i], ranges); });
    }

    function redraw() {
        if (!isWaiting) window.requestAnimationFrame(draw);
        isWaiting = true;
    }

    // Hands.

    function moveTo(index, value) {
        point[index] = value;
        redraw();
    }

    function stepped(factor, value, steps) {
        if (factor.levels) return quadric.snap(factor, value + steps);
        if (factor.step) return quadric.snap(factor, value + steps * factor.step);
        if (!factor.legal) return valueAtShare(factor, shareOf(factor, value) + steps / 50);
        var place = factor.legal.indexOf(quadric.snap(factor, value)) + steps;
        return factor.legal[Math.min(Math.max(place, 0), factor.legal.length - 1)];
    }

    function onKey(event, index) {
        var steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10,
                      Home: -1e6, End: 1e6 }[event.key];
        if (!steps || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        moveTo(index, stepped(model.factors[index], point[index], steps));
    }

    function onPointer(event, column) {
        var area = column.svg.getBoundingClientRect();
        var share = (event.clientX - area.left - LEFT) / (area.width - LEFT - RIGHT);
        moveTo(column.index, valueAtShare(model.factors[column.index], share));
    }

    function listen(column) {
        var svg = column.svg;
        svg.addEventListener("keydown", function (event) { onKey(event, column.index); });
        svg.addEventListener("pointerdown", function (event) {
            if (event.button !== 0) return;
            column.isHeld = true;
            svg.setPointerCapture(event.pointerId);
            onPointer(event, column);
        });
        svg.addEventListener("pointermove", function (event) { if (column.isHeld) onPointer(event, column); });
        ["pointerup", "pointercancel"].forEach(function (name) {
            svg.addEventListener(name, function () { column.isHeld = false; });
        });
        column.input.addEventListener("change", function () {
            var typed = Number(String(column.input.value).replace(/[\s\u202F]/g, "").replace(",", "."));
            column.input.value = "";
            moveTo(column.index, isFinite(typed) ? quadric.snap(model.factors[column.index], typed) : point[column.index]);
            column.input.blur();
        });
    }

    function makeInput(box, factor, name) {
        if (!factor.levels)
            return make(box, "input", { type: "text", inputmode: "decimal", "aria-label": name, autocomplete: "off" });
        var choice = make(box, "select", { "aria-label": name });
        factor.levels.forEach(function (level, i) { make(choice, "option", { value: i }, level); });
        return choice;
    }

    function makeColumn(parent, factor, index) {
        var name = withParentheses(factor.name, factor.unit), box = make(parent, "div", { "class": "column" });
        make(box, "div", { "class": "name" }, name.replace(/_/g, "_\u200b"));
        var svg = make(box, "svg", { role: "slider", tabindex: 0, "aria-label": name, width: "100%",
            "aria-valuemin": factor.levels ? 0 : factor.low, "aria-valuemax": factor.levels ? factor.levels.length - 1 : factor.high });
        var column = { box: box, svg: svg, index: index, input: makeInput(box, factor, name) };
        listen(column);
        return column;
    }

    /** What the style rule of .forbidden fills with. */
    function makeHatching(parent) {
        var defs = make(make(parent, "svg", { width: 0, height: 0, "aria-hidden": true }), "defs");
        var pattern = make(defs, "pattern", { id: "forbidden", width: 6, height: 6, patternUnits: "userSpaceOnUse",
            patternTransform: "rotate(45)" });
        make(pattern, "path", { "class": "hatch", d: "M0 0V6" });
    }

    function makeView() {
        var live = make(figure, "div", { "class": "live" }), isLong = model.responses.length > 6;
        var now = make(live, "div", { "class": isLong ? "now-at long" : "now-at" });
        make(live, "p", { "class": "small" }, words.hint);
        var table = make(now, "table"), head = make(make(table, "thead"), "tr");
        [words.response, words.prediction, words.interval, words.desirability].forEach(function (title, i) {
            make(head, "th", i ? { "class": "n", scope: "col" } : { scope: "col" }, title);
        });
        var body = make(table, "tbody"), status = make(now, "p", { "class": "remark", role: "status" });
        var back = make(now, "button", { type: "button" }, words.back);
        back.addEventListener("click", function () { point = model.start.slice(); redraw(); });
        var grid = make(live, "div", { "class": "columns" });
        makeHatching(live);
        columns = model.factors.map(function (factor, i) { return makeColumn(grid, factor, i); });
        return { body: body, status: status, back: back };
    }

    var view = makeView();
    figure.className = "is-live";
    try {
        draw();
    } catch (problem) { // a browser that lacks something: the picture stays
        figure.className = "";
        throw problem;
    }
    window.addEventListener("resize", redraw);
}());
