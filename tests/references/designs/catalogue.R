# Word length patterns of minimum aberration fractions and block divisions of full factorials, out of the catalogues
# of the R package FrF2 (2.3): Chen, Sun & Wu 1993; Block & Mee 2005; Xu 2009; Sun, Wu & Chen 1997.
# Rscript catalogue.R SYSDATA.RDA > catalogue.json
# SYSDATA.RDA: R/sysdata.rda of the package's source. Only its first entry of every size counts.
catalogues <- new.env()
load(commandArgs(TRUE)[1], catalogues)

pattern <- function(words) {
  used <- which(words > 0)
  paste0("{", paste(sprintf('"%d": %d', used, words[used]), collapse = ", "), "}")
}

# The catalogue's own pattern stops early for long words: count all of them from the generators.
words <- function(factors, basic, columns) {
  masks <- bitwOr(columns, 2^(basic + seq_along(columns) - 1))
  products <- 0
  for (mask in masks) products <- c(products, bitwXor(products, mask))
  lengths <- sapply(products[-1], function(w) sum(as.integer(intToBits(w))))
  tabulate(lengths, factors)
}

fractions <- character()
seen <- character()
for (entry in catalogues$catlg) {
  basic <- log2(entry$nruns)
  key <- paste(entry$nfac, entry$nruns)
  if (entry$nfac > 15 || key %in% seen) next
  seen <- c(seen, key)
  fractions <- c(fractions, sprintf('    {"factors": %d, "runs": %d, "resolution": %d, "words": %s}', entry$nfac,
                                    entry$nruns, entry$res, pattern(words(entry$nfac, basic, entry$gen))))
}
blocks <- character()
table <- catalogues$block.catlg
for (row in seq_len(nrow(table))) {
  count <- table$k.block[row]
  blocks <- c(blocks, sprintf('    {"factors": %d, "blocks": %d, "columns": [%s]}', table$k[row], 2^count,
                              paste(table[row, 2 + seq_len(count)], collapse = ", ")))
}
cat('{\n  "fractions": [\n', paste(fractions, collapse = ",\n"), '\n  ],\n  "blocks": [\n',
    paste(blocks, collapse = ",\n"), "\n  ]\n}\n", sep = "")
