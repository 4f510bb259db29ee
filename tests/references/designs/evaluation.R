# Reference numbers for the evaluation of designs, with base R alone: Rscript evaluation.R > evaluation.json
# Power by pf() with the noncentrality, efficiencies and variances from the model matrix, alias matrix by solve().
num <- function(v) paste0("[", paste(sprintf("%.12g", v), collapse = ", "), "]")
str <- function(v) paste0("[", paste0('"', v, '"', collapse = ", "), "]")
mat <- function(m) paste0("[", paste(apply(m, 1, num), collapse = ", "), "]")

quadratic <- function(d) {
  k <- ncol(d); n <- colnames(d)
  x <- cbind("1" = 1, d)
  for (i in seq_len(k - 1)) for (j in (i + 1):k) { x <- cbind(x, d[, i] * d[, j]); colnames(x)[ncol(x)] <- paste0(n[i], "*", n[j]) }
  for (i in seq_len(k)) { x <- cbind(x, d[, i]^2); colnames(x)[ncol(x)] <- paste0(n[i], "^2") }
  x
}

judge <- function(name, d, block) {
  x <- quadratic(d)
  b <- if (max(block) > 1) sapply(seq_len(max(block) - 1), function(i) (block == i) - (block == max(block))) else NULL
  all <- cbind(x, b)
  p <- ncol(x); n <- nrow(x); df <- n - ncol(all)
  C <- solve(crossprod(all))[1:p, 1:p]
  dimnames(C) <- list(colnames(x), colnames(x))
  power <- function(sd) sapply(colnames(x)[-1], function(t) {
    beta <- if (grepl("\\^", t)) sd else sd / 2
    pf(qf(0.95, 1, df), 1, df, ncp = beta^2 / C[t, t], lower.tail = FALSE)
  })
  # moments of the cube by Gauss-Legendre with 3 nodes a factor: exact up to degree 5 in each
  g <- c(-sqrt(0.6), 0, sqrt(0.6)); w <- c(5, 8, 5) / 18
  grid <- as.matrix(expand.grid(rep(list(g), ncol(d)))); weight <- apply(as.matrix(expand.grid(rep(list(w), ncol(d)))), 1, prod)
  colnames(grid) <- colnames(d); xg <- quadratic(grid)
  average <- sum(weight * rowSums((xg %*% C) * xg))
  set.seed(20261121)
  u <- matrix(runif(1e6 * ncol(d), -1, 1), ncol = ncol(d)); colnames(u) <- colnames(d)
  xu <- quadratic(u); se <- sqrt(rowSums((xu %*% C) * xu))
  # cubic terms against the quadratic model
  cubic <- cbind(d[, 1]^3, d[, 1]^2 * d[, 2], d[, 1] * d[, 2]^2)
  alias <- solve(crossprod(all), crossprod(all, cubic))[1:p, ]
  H <- all %*% solve(crossprod(all), t(all))
  cat(sprintf('  "%s": {\n    "points": %s,\n    "block": %s,\n    "terms": %s,\n', name, mat(d), num(block), str(colnames(x))))
  cat(sprintf('    "d_efficiency": %.12g,\n', 100 * det(solve(C))^(1 / p) / n))
  cat(sprintf('    "a_efficiency": %.12g,\n', 100 * p / (n * sum(diag(C)))))
  cat(sprintf('    "i_value": %.12g,\n', average))
  cat(sprintf('    "leverage": %s,\n', num(diag(H))))
  cat(sprintf('    "power_1": %s,\n    "power_2": %s,\n', num(power(1)), num(power(2))))
  cat(sprintf('    "alias_terms": %s,\n    "alias": %s,\n', str(c("a^3", "a^2*b", "a*b^2")), mat(alias)))
  cat(sprintf('    "correlation": %s,\n', mat(cor(x[, -1]))))
  cat(sprintf('    "fds_fraction": %s,\n    "fds_se": %s\n  }', num(c(0.1, 0.25, 0.5, 0.75, 0.9)), num(quantile(se, c(0.1, 0.25, 0.5, 0.75, 0.9)))))
}

bb3 <- rbind(cbind(expand.grid(a = c(-1, 1), b = c(-1, 1)), c = 0),
             cbind(expand.grid(a = c(-1, 1), c = c(-1, 1)), b = 0)[, c("a", "b", "c")],
             cbind(expand.grid(b = c(-1, 1), c = c(-1, 1)), a = 0)[, c("a", "b", "c")],
             data.frame(a = rep(0, 3), b = 0, c = 0))
s <- sqrt(2)
ccd <- data.frame(a = c(-1, 1, -1, 1, 0, 0, -s, s, 0, 0, 0, 0), b = c(-1, -1, 1, 1, 0, 0, 0, 0, -s, s, 0, 0))
odd <- data.frame(a = c(-1, -0.4, 1, 0.9, -1, 0.1, 0.5, -0.7, 0, 1, 0.3, -0.2), b = c(-1, 0.8, -0.9, 1, 0.2, -1, 0.1, -0.3, 1, 0.4, -0.6, 0.5))
cat("{\n")
judge("box_behnken_3", as.matrix(bb3), rep(1, 15)); cat(",\n")
judge("central_composite_2_blocks", as.matrix(ccd), rep(1:2, each = 6)); cat(",\n")
judge("irregular_2", as.matrix(odd), rep(1:3, 4)); cat("\n}\n")
