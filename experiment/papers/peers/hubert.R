# Loadings of rrcov's PcaHubert (ROBPCA, alpha = 0.5), one component per line.
# Reads a CSV of numbers without header from standard input. Usage: hubert.R COMPONENTS SEED
suppressMessages(library(rrcov))
args <- commandArgs(trailingOnly = TRUE)
k <- as.integer(args[1])
set.seed(as.integer(as.numeric(args[2]) %% 2147483647))
x <- as.matrix(read.csv(file("stdin"), header = FALSE))
v <- getLoadings(PcaHubert(x, k = k, kmax = k, alpha = 0.5))
for (j in seq_len(k)) cat(paste(sprintf("%.17g", v[, j]), collapse = ","), "\n", sep = "")
