# PcaHubert of R's rrcov on tables of numbers, for bench/measure_check.py.
#
#   Rscript bench/peer_check.R IN.csv OUT.csv [IN.csv OUT.csv]...
#
# Each IN holds numbers without missing values; OUT gets a score (the larger of score and orthogonal distance,
# each over its cut-off) and the flag of every row.

suppressMessages(library(rrcov))
args <- commandArgs(trailingOnly = TRUE)
for (k in seq(1, length(args), by = 2)) {
  x <- as.matrix(read.csv(args[k]))
  spread <- apply(x, 2, function(v) { s <- mad(v); if (s == 0) s <- sd(v); s })
  x <- x[, spread > 0, drop = FALSE]
  x <- sweep(x, 2, spread[spread > 0], "/")
  set.seed(1)
  out <- tryCatch({
    m <- PcaHubert(x, k = 0, kmax = min(10, ncol(x)))
    od <- if (length(m@od) == 0 || m@cutoff.od < 1e-8) rep(0, nrow(x)) else m@od / m@cutoff.od
    data.frame(score = pmax(m@sd / m@cutoff.sd, od), flag = as.integer(!m@flag))
  }, error = function(e) { message(args[k], ": ", conditionMessage(e)); data.frame(score = rep(0, nrow(x)), flag = 0) })
  write.csv(out, args[k + 1], row.names = FALSE)
}
