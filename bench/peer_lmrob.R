# R's lmrob and linear-robust in turn on 1e5 x 20 numbers with a tenth of the targets shifted.
#
#   go test -c -o /tmp/linear.test ./linear && Rscript bench/peer_lmrob.R /tmp/linear.test
suppressMessages(library(robustbase))
ours <- commandArgs(trailingOnly = TRUE)
set.seed(1)
n <- 1e5
x <- matrix(rnorm(n * 20), n)
y <- 1 + rowSums(x) + rnorm(n)
y[1:(n / 10)] <- y[1:(n / 10)] + 50
best <- c(lmrob = Inf, ours = Inf)
for (i in 1:3) {
  best["lmrob"] <- min(best["lmrob"], system.time(m <- lmrob(y ~ x))[["elapsed"]])
  if (length(ours) == 1) {
    out <- system2(ours, c("-test.run", "XXX", "-test.bench", "Robust/100000x", "-test.benchtime", "10x"), stdout = TRUE)
    line <- strsplit(grep("ns/op", out, value = TRUE), "[[:space:]]+")[[1]]
    best["ours"] <- min(best["ours"], as.numeric(line[3]) / 1e9)
  }
  cat("round", i, "best seconds", format(best, digits = 3), "\n")
}
cat("robustbase", format(packageVersion("robustbase")), "scale", m$scale, "\n")
cat("lmrob / linear-robust:", format(best[["lmrob"]] / best[["ours"]], digits = 3), "\n")
