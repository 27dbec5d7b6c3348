# The breakdown table with R's robust PCA: PcaHubert(alpha = 0.5) of rrcov on the files
# that Inlier's generator writes.
#
#   go build -o inlier ./cmd/inlier
#   Rscript bench/breakdown.R ./inlier [seeds] [methods]
#
# For every kind of outlier and every fraction it prints the mean, over the seeds, of the
# largest angle in degrees between the true subspace and the one found by rrcov's
# PcaHubert and PcaClassic, and by the methods of Inlier that are named (a list with
# commas; default hq-pca). The true subspace comes from the same generator and seed
# without noise and outliers; Inlier's from the span of its reconstructions.

suppressMessages(library(rrcov))
args <- commandArgs(trailingOnly = TRUE)
inlier <- if (length(args) >= 1) args[1] else "./inlier"
seeds <- if (length(args) >= 2) as.integer(args[2]) else 10
methods <- if (length(args) >= 3) strsplit(args[3], ",")[[1]] else "hq-pca"
methods <- methods[methods != "none"]
folder <- tempfile("breakdown")
dir.create(folder)

run <- function(...) {
  status <- system2(inlier, c(..., "--quiet"), stdout = FALSE)
  if (status != 0) stop(paste(c(inlier, ...), collapse = " "))
}

generate <- function(seed, ...) {
  file <- file.path(folder, "table.csv")
  unlink(file)
  run("data", "generate", "low-rank", paste("--set", c(...)), "--seed", seed, "--out", file)
  t <- read.csv(file)
  as.matrix(t[, setdiff(names(t), c("target", "outlier"))])
}

span <- function(x, k) svd(sweep(x, 2, colMeans(x)))$v[, 1:k, drop = FALSE]

# Largest principal angle by the sine of what b has outside the space of a.
angle <- function(a, b) asin(min(1, svd(b - a %*% (t(a) %*% b))$d[1])) * 180 / pi

found <- function(method, k, seed) {
  data <- file.path(folder, "table.csv")
  model <- file.path(folder, "model.npz")
  back <- file.path(folder, "back.csv")
  unlink(c(model, back))
  run("fit", method, data, "--set", paste0("components=", k), "--seed", seed, "--out", model)
  run("reconstruct", model, data, "--out", back)
  span(as.matrix(read.csv(back)), k)
}

k <- 3
cat(sprintf("%-13s %8s %10s %10s", "outliers", "fraction", "PcaHubert", "PcaClassic"), sprintf("%12s", methods), "\n")
for (kind in c("scattered", "clustered", "own-subspace")) {
  for (fraction in c(0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49)) {
    angles <- sapply(seq_len(seeds), function(seed) {
      truth <- span(generate(seed, "outliers=none", "noise=0"), k)
      x <- generate(seed, paste0("outliers=", kind), paste0("fraction=", fraction))
      set.seed(seed)
      hubert <- getLoadings(PcaHubert(x, k = k, kmax = k, alpha = 0.5))
      classic <- getLoadings(PcaClassic(x, k = k))
      c(angle(truth, hubert), angle(truth, classic), vapply(methods, function(m) angle(truth, found(m, k, seed)), 0))
    })
    means <- rowMeans(rbind(angles))
    cat(sprintf("%-13s %8.2f %10.2f %10.2f", kind, fraction, means[1], means[2]), sprintf("%12.2f", means[-(1:2)]), "\n")
  }
}
unlink(folder, recursive = TRUE)
