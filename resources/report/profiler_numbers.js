// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers read: the rules of core/text/numbers.cpp, set as on a page.
(function () {
    "use strict";

    function exponentOf(value, digits) {
        return Number(Math.abs(value).toExponential(digits - 1).split("e")[1]);
    }

    function withSign(value, magnitude) {
        return value < 0 && /[1-9]/.test(magnitude) ? "\u2212" + magnitude : magnitude;
    }

    function withoutTrailingZeros(text) {
        return text.indexOf(".") < 0 ? text : text.replace(/\.?0+$/, "");
    }

    function fixed(value, decimals, keepsZeros) {
        var unit = decimals < 0 ? Math.pow(10, -decimals) : 1;
        var text = (Math.round(Math.abs(value) / unit) * unit).toFixed(0);
        if (decimals >= 0) text = Math.abs(value).toFixed(decimals);
        var parts = text.split(".");
        if (parts[0].length >= 5) parts[0] = parts[0].replace(/(\d)(?=(\d{3})+$)/g, "$1\u202F");
        text = parts.join(".");
        return withSign(value, keepsZeros ? text : withoutTrailingZeros(text));
    }

    function superscript(exponent) {
        return String(exponent).replace(/./g, function (c) {
            return c === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".charAt(c);
        });
    }

    function powerOfTen(value, digits, keepsZeros) {
        var parts = Math.abs(value).toExponential(digits - 1).split("e");
        var mantissa = keepsZeros ? parts[0] : withoutTrailingZeros(parts[0]);
        return withSign(value, mantissa + " \u00d7 10" + superscript(Number(parts[1])));
    }

    function needsPowerOfTen(value) {
        return value !== 0 && (Math.abs(value) >= 1e12 || Math.abs(value) < 1e-4);
    }

    /** So many significant digits at most, never fewer than the whole part. */
    function formatDigits(value, digits) {
        if (needsPowerOfTen(value)) return powerOfTen(value, digits, false);
        var exponent = value === 0 ? 0 : exponentOf(value, digits);
        return fixed(value, Math.max(digits - 1 - exponent, 0), false);
    }

    /** Two significant digits of the uncertainty decide. */
    function formatNumber(value, uncertainty) {
        if (!(uncertainty > 0)) return formatDigits(value, 4);
        var exponent = value === 0 ? 0 : exponentOf(value, 4), decimals = 1 - exponentOf(uncertainty, 2);
        if (needsPowerOfTen(value) && uncertainty < Math.abs(value))
            return powerOfTen(value, Math.min(Math.max(exponent + decimals + 1, 1), 15), true);
        return fixed(value, Math.min(decimals, 14 - Math.max(exponent, 0)), true);
    }

    quadric.formatDigits = formatDigits;
    quadric.formatNumber = formatNumber;
}());
