# The numbers of tests/core/plan/study_comparison_test.cpp, by R 4.2.2 without packages: Rscript compare.R
a <- list(c(100,104),220,390,c(700,690,710)); b <- list(109,c(231,229),c(415,405),735)
d <- sapply(b,function(y) mean(log(y)))-sapply(a,function(y) mean(log(y)))
t <- t.test(d); cat(sprintf("ratio %.12f  %.12f %.12f  p %.12f\n",exp(mean(d)),exp(t$conf.int[1]),exp(t$conf.int[2]),t$p.value))
cat(sprintf("smallest %.12f largest %.12f\n",exp(min(d)),exp(max(d))))
w <- t.test(log(c(735,742,728)),log(c(700,690,710))); cat(sprintf("welch %.12f %.12f p %.12f\n",exp(w$conf.int[1]),exp(w$conf.int[2]),w$p.value))
l <- t.test(c(-0.5,0.25,-0.125,0.0625)-c(-0.6,0.5,0.1,0.3)); cat(sprintf("plain %.12f %.12f %.12f p %.12f\n",l$estimate,l$conf.int[1],l$conf.int[2],l$p.value))
cat(sprintf("holm %.12f %.12f\n",p.adjust(c(t$p.value,l$p.value),"holm")[1],p.adjust(c(t$p.value,l$p.value),"holm")[2]))
