# R's lmrob on the data of `go test -bench Robust/100000x ./linear`.
#
#   Rscript bench/peer_lmrob.R
library(robustbase)
set.seed(1)
n <- 1e5
x <- matrix(rnorm(n * 20), n)
y <- 1 + rowSums(x) + rnorm(n)
y[1:(n / 10)] <- y[1:(n / 10)] + 50
for (i in 1:2) print(system.time(m <- lmrob(y ~ x)))
cat("robustbase", format(packageVersion("robustbase")), "scale", m$scale, "\n")
