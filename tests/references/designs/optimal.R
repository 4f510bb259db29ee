# Best quadratic designs that many starts of an independent exchange in base R find, on the levels named in
# "levels" of every factor: Rscript optimal.R > optimal.json. D: efficiency in percent; I: average variance over
# the cube. Every exchange looks at the whole criterion again: no update formula is shared with the program.
quadratic <- function(d) {
  k <- ncol(d); x <- cbind(1, d)
  for (i in seq_len(k - 1)) for (j in (i + 1):k) x <- cbind(x, d[, i] * d[, j])
  cbind(x, d^2)
}
moments <- function(k) {
  g <- c(-sqrt(0.6), 0, sqrt(0.6)); w <- c(5, 8, 5) / 18
  grid <- as.matrix(expand.grid(rep(list(g), k))); weight <- apply(as.matrix(expand.grid(rep(list(w), k))), 1, prod)
  x <- quadratic(grid); t(x) %*% (weight * x)
}
search <- function(k, n, levels, criterion, starts) {
  f <- quadratic(as.matrix(expand.grid(rep(list(levels), k)))); p <- ncol(f); W <- moments(k)
  best <- -Inf
  value <- function(M) { if (rcond(M) < 1e-10) return(-Inf); d <- determinant(M)
    if (criterion == "D") as.numeric(d$modulus) else -sum(diag(solve(M, W))) }
  for (s in seq_len(starts)) {
    rows <- sample(nrow(f), n, replace = TRUE); M <- crossprod(f[rows, ]) 
    v <- value(M); again <- TRUE
    while (again) {
      again <- FALSE
      for (i in seq_len(n)) {
        without <- M - tcrossprod(f[rows[i], ])
        R <- without + diag(1e-9, p); inv <- solve(R)
        V <- f %*% inv; d <- rowSums(V * f)
        score <- if (criterion == "D") d else { B <- inv %*% W %*% inv; rowSums((f %*% B) * f) / (1 + d) }
        for (c in order(-score)[1:2]) {
          new <- value(without + tcrossprod(f[c, ]))
          if (new > v + 1e-9) { rows[i] <- c; M <- crossprod(f[rows, ]); v <- new; again <- TRUE; break }
        }
      }
    }
    best <- max(best, v)
  }
  if (criterion == "D") 100 * exp(best / p) / n else -best
}
set.seed(7)
cases <- list(c(2, 7), c(2, 8), c(2, 10), c(2, 12), c(3, 10), c(3, 12), c(3, 14), c(3, 16), c(3, 20), c(4, 15), c(4, 18), c(4, 24), c(5, 26))
cat("[\n"); first <- TRUE
for (case in cases) for (criterion in c("D", "I")) {
  k <- case[1]; n <- case[2]
  starts <- c(0, 60, 40, 20, 6)[k]
  if (!first) cat(",\n"); first <- FALSE
  cat(sprintf('  {"factors": %d, "runs": %d, "criterion": "%s", "levels": [-1, 0, 1], "best": %.10g}', k, n, criterion, search(k, n, c(-1, 0, 1), criterion, starts)))
}
cat("\n]\n")
