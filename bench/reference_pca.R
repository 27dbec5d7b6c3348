# Reference values of classical and robust PCA from R's rrcov, for pca/reference_test.go.
#
#   INLIER_DATA=... Rscript bench/reference_pca.R
#
# Reads hbk (without its target) and octane (without its target) from the benchmark data
# folder and writes trials/of/pca/testdata/rrcov_pca.json. Needs the R package rrcov. JSON is
# written by hand, so no other package is needed.

suppressMessages(library(rrcov))
data <- Sys.getenv("INLIER_DATA")
if (data == "") stop("INLIER_DATA must name the folder of benchmark data")

numbers <- function(v) paste0("[", paste(formatC(as.numeric(v), digits = 15, format = "g"), collapse = ", "), "]")
flags <- function(v) paste0("[", paste(which(!v), collapse = ", "), "]")

describe <- function(x, k, alpha) {
  set.seed(1)
  classic <- PcaClassic(x, k = k)
  hubert <- if (is.na(alpha)) PcaHubert(x, k = k) else PcaHubert(x, k = k, alpha = alpha)
  one <- function(model) paste0(
    "{\"eigenvalues\": ", numbers(getEigenvalues(model)),
    ", \"center\": ", numbers(getCenter(model)),
    ", \"loadings_by_component\": [", paste(apply(getLoadings(model), 2, numbers), collapse = ", "), "]",
    ", \"flagged_rows\": ", flags(model@flag),
    ", \"score_cutoff\": ", formatC(model@cutoff.sd, digits = 15, format = "g"),
    ", \"orthogonal_cutoff\": ", formatC(model@cutoff.od, digits = 15, format = "g"), "}")
  paste0("{\"classic\": ", one(classic), ",\n  \"hubert\": ", one(hubert), "}")
}

table_of <- function(name) {
  t <- read.csv(file.path(data, "outliers", name))
  as.matrix(t[, setdiff(names(t), "target")])
}

hbk <- table_of("hbk.csv")
octane <- table_of("octane.csv")
out <- "trials/of/pca/testdata/rrcov_pca.json"
writeLines(paste0(
  "{\"made_by\": \"bench/reference_pca.R\", \"rrcov\": \"", packageVersion("rrcov"), "\",\n",
  "\"outliers/hbk.csv\": ", describe(hbk, 3, NA), ",\n",
  "\"outliers/hbk.csv alpha=0.5\": ", describe(hbk, 3, 0.5), ",\n",
  "\"outliers/octane.csv\": ", describe(octane, 2, NA), "}"), out)
