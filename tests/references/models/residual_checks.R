# Reference values for tests/core/model/residual_checks_test.cpp: Rscript residual_checks.R > residual_checks.json
# R 4.2: shapiro.test, lm with the run order as a further column, dffits; the Durbin-Watson p and
# that of the score test on the fitted values, two-sided, by pbeta with the exact mean and variance from the full
# matrices.
options(digits = 17)
list1 <- function(x) paste0("[", paste(format(x, digits = 17, trim = TRUE), collapse = ", "), "]")
num <- function(x) format(x, digits = 17)

ratio_p <- function(M, A, q, low, high, df) {
  P <- sum(diag(M %*% A)); Q <- sum(diag(M %*% A %*% M %*% A))
  m <- (P / df - low) / (high - low)
  v <- 2 / (df * (df + 2)) * (Q - P * P / df) / (high - low)^2
  size <- m * (1 - m) / v - 1
  lower <- pbeta((q - low) / (high - low), m * size, (1 - m) * size)
  2 * min(lower, 1 - lower)
}

sample_of <- function(n, kind) {
  # A multiplicative congruential generator, so that the values do not depend on the version of R.
  state <- 12345 + n
  u <- numeric(n)
  for (i in seq_len(n)) { state <- (16807 * state) %% 2147483647; u[i] <- state / 2147483647 }
  x <- switch(kind, normal = qnorm(u), exponential = -log(u), uniform = u)
  signif(x, 12)
}

cat("{\n \"source\": \"R", paste(R.version$major, R.version$minor, sep = "."), "residual_checks.R\",\n \"shapiro\": [\n")
cases <- expand.grid(n = c(3, 4, 5, 6, 7, 10, 11, 12, 20, 50, 300), kind = c("normal", "exponential", "uniform"),
                     stringsAsFactors = FALSE)
for (i in seq_len(nrow(cases))) {
  x <- sample_of(cases$n[i], cases$kind[i])
  t <- shapiro.test(x)
  cat("  {\"values\": ", list1(x), ", \"w\": ", num(unname(t$statistic)), ", \"p\": ", num(t$p.value), "}",
      if (i < nrow(cases)) "," else "", "\n", sep = "")
}
cat(" ],\n \"regressions\": [\n")
grid <- expand.grid(a = c(-1, 0, 1), b = c(-1, 0, 1))
grid <- rbind(grid, data.frame(a = 0, b = 0), data.frame(a = 0, b = 0), data.frame(a = 1, b = 1))
orders <- c(7, 3, 11, 1, 5, 12, 9, 2, 8, 6, 10, 4)
noise <- sample_of(12, "normal")
ys <- list(none = 5 + grid$a - 2 * grid$b + 0.5 * grid$a^2 + noise,
           drift = 5 + grid$a - 2 * grid$b + 0.3 * orders + 0.2 * noise,
           alternating = 5 + grid$a + (-1)^orders + 0.1 * noise)
for (k in seq_along(ys)) {
  y <- signif(ys[[k]], 12)
  d <- data.frame(grid, y = y, order = orders)
  fit <- lm(y ~ a * b + I(a^2) + I(b^2), d)
  drift <- summary(lm(y ~ a * b + I(a^2) + I(b^2) + order, d))$coefficients["order", ]
  o <- order(orders)
  e <- residuals(fit)[o]
  n <- length(e)
  A <- crossprod(diff(diag(n)))
  X <- model.matrix(fit)[o, ]
  M <- diag(n) - X %*% solve(crossprod(X), t(X))
  dw <- sum(diff(e)^2) / sum(e^2)
  df <- n - ncol(X)
  w <- fitted(fit)[o] - mean(fitted(fit))
  q <- sum(w * e^2) / sum(e^2)
  s <- shapiro.test(residuals(fit))
  cat("  {\"name\": \"", names(ys)[k], "\", \"a\": ", list1(grid$a), ", \"b\": ", list1(grid$b), ", \"order\": ", list1(orders),
      ", \"y\": ", list1(y), ",\n   \"durbin_watson\": ", num(dw), ", \"durbin_watson_p\": ",
      num(ratio_p(M, A, dw, 0, 4, df)), ", \"spread_p\": ",
      num(ratio_p(M, diag(w), q, min(w), max(w), df)), ", \"drift_slope\": ", num(drift[1]), ", \"drift_t\": ", num(drift[3]),
      ", \"drift_p\": ", num(drift[4]), ",\n   \"shapiro_w\": ", num(unname(s$statistic)), ", \"shapiro_p\": ", num(s$p.value),
      ", \"dffits\": ", list1(unname(dffits(fit))), "}", if (k < length(ys)) "," else "", "\n", sep = "")
}
cat(" ]\n}\n")
