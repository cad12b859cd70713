# Accuracy with intervals, by group, of one run or two: `Rscript analysis.R` beside items.csv. Base R is enough; the
# mixed model is fitted where lme4 is installed.
#
# items.csv has a row per run and item. `correct` is 0 to 1 and empty where the item does not count (`excluded` says
# why); `stratum` names the paradigm whose means are averaged, `cluster` the critical contrast: items that share it
# are not independent. Columns that begin with `group:` say where an item belongs.

DRAWS <- 2000
set.seed(20201104)

items <- read.csv("items.csv", check.names = FALSE, encoding = "UTF-8", colClasses = "character", na.strings = "")
for (name in c("correct", "margin_bits", "weight")) items[[name]] <- as.numeric(items[[name]])
items$cluster[is.na(items$cluster)] <- ""
group_columns <- grep("^group:", names(items), value = TRUE)
counted <- items[!is.na(items$correct), ]

# The score interval for a share (Wilson 1927).
wilson <- function(share, n, level = 0.95) {
  z <- qnorm((1 + level) / 2)
  centre <- share + z^2 / (2 * n)
  reach <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  c(low = (centre - reach) / (1 + z^2 / n), high = (centre + reach) / (1 + z^2 / n))
}

# How much each paradigm counts: as in the run over all items, all alike within a group.
paradigm_weights <- function(rows, alike) {
  strata <- unique(rows$stratum)
  if (alike) return(setNames(rep(1 / length(strata), length(strata)), strata))
  totals <- tapply(rows$weight, rows$stratum, sum)[strata]
  totals / sum(totals)
}

# The mean of the paradigms' means, and its percentile interval: critical contrasts are drawn anew in each paradigm
# (Efron & Tibshirani 1993, chapter 13). None where nothing can vary: where paradigms with one contrast count for
# more than a twentieth, or all values are equal; but a share that is the same in every contrast, such as 100 %, has
# Wilson's for as many observations as there are contrasts.
mean_of_paradigms <- function(rows, values, alike = TRUE, share = FALSE) {
  weights <- paradigm_weights(rows, alike)
  means <- tapply(values, rows$stratum, mean)[names(weights)]
  clusters <- length(unique(rows$cluster))
  of_contrasts <- tapply(values, list(rows$stratum, rows$cluster), mean)
  if (share && isTRUE(all.equal(min(of_contrasts, na.rm = TRUE), max(of_contrasts, na.rm = TRUE)))
      && (clusters > 1 || length(unique(values)) == 1)) {
    return(c(value = mean(values), wilson(mean(values), clusters), clusters = clusters))
  }
  draws <- numeric(DRAWS)
  alone <- 0
  for (name in names(weights)) {
    inside <- rows$stratum == name
    sums <- tapply(values[inside], rows$cluster[inside], sum)
    sizes <- tapply(values[inside], rows$cluster[inside], length)
    if (length(sums) == 1) alone <- alone + weights[[name]]
    drawn <- rmultinom(DRAWS, length(sums), rep(1, length(sums)))
    draws <- draws + weights[[name]] * as.vector(sums %*% drawn) / as.vector(sizes %*% drawn)
  }
  varies <- alone <= 0.05 && length(unique(values)) > 1
  bounds <- if (varies) quantile(draws, c(0.025, 0.975), names = FALSE) else c(NA, NA)
  c(value = sum(weights * means), low = bounds[1], high = bounds[2], clusters = clusters)
}

summarise <- function(rows, alike = TRUE) {
  found <- mean_of_paradigms(rows, rows$correct, alike, share = TRUE)
  by_wilson <- wilson(mean(rows$correct), nrow(rows))
  data.frame(
    items = nrow(rows), ties = sum(rows$tie == "True"), accuracy = found[["value"]],
    low = found[["low"]], high = found[["high"]], contrasts = found[["clusters"]],
    wilson_low = by_wilson[["low"]], wilson_high = by_wilson[["high"]]
  )
}

by_group <- function(rows, column) {
  known <- rows[!is.na(rows[[column]]), ]
  values <- unique(known[[column]])
  cbind(group = values, do.call(rbind, lapply(values, function(one) summarise(known[known[[column]] == one, ]))))
}

show <- function(title, table) {
  cat("\n", title, "\n", sep = "")
  print(table, digits = 4, row.names = FALSE)
}

cat(nrow(items), "rows,", nrow(counted), "count; left out:", nrow(items) - nrow(counted), "\n")
cat("low, high: over contrasts, paradigms fixed; wilson_low, wilson_high: Wilson's, as if all items were independent\n")
runs <- unique(items$run)
names_of_runs <- items$model[match(runs, items$run)]
for (place in seq_along(runs)) {
  rows <- counted[counted$run == runs[place], ]
  if (nrow(rows) == 0) next
  show(paste0(names_of_runs[place], " (", runs[place], ")"), summarise(rows, alike = FALSE))
  for (column in group_columns) {
    if (length(unique(rows[[column]])) <= nrow(rows) / 10) show(sub("^group:", "by ", column), by_group(rows, column))
  }
}

# The p-value of exchanging the two runs' answers, those to all items of a cluster together: were the runs alike, it
# would be a fair coin for each cluster which of them gave which answers (Fisher 1935). Exact; normal where clusters of
# several sizes hold thousands of differences (Yang, Sun & Hardin 2010). Credit comes in halves to sixths, so in
# sixtieths; where it comes in other parts the p-value is the normal one.
exchanged <- function(differences, clusters) {
  sums <- as.vector(tapply(differences, clusters, sum)) * 60
  parts <- round(sums[abs(sums) > 1e-6])
  whole <- all(abs(sums - round(sums)) < 1e-6)
  if (length(parts) == 0) return(1)
  divides <- function(by) all(parts %% by == 0)
  sizes <- abs(parts) / max(Filter(divides, seq_len(min(abs(parts)))), 1)
  if (whole && length(unique(sizes)) == 1) return(binom.test(sum(parts > 0), length(parts))$p.value)
  if (!whole || sum(sizes) > 10000) return(2 * pnorm(-abs(sum(sums)) / sqrt(sum(sums^2))))
  heads <- 1 # by the sum of the sizes that fall on heads, how likely it is
  for (size in unique(sizes)) {
    count <- sum(sizes == size)
    of_size <- numeric(size * count + 1)
    of_size[seq(1, size * count + 1, by = size)] <- dbinom(0:count, count, 0.5)
    together <- numeric(length(heads) + size * count)
    for (place in which(of_size > 0)) {
      reached <- seq_along(heads) + place - 1
      together[reached] <- together[reached] + of_size[place] * heads
    }
    heads <- together
  }
  far <- abs(2 * (seq_along(heads) - 1) - sum(sizes)) >= abs(sum(sizes * sign(parts)))
  min(1, sum(heads[far]))
}

# Two runs: the items that count in both. `p` exchanges whole clusters; `p_mcnemar` is McNemar's exact test, which
# takes items as independent. Holm's correction of `p` is over the values of the first group.
difference <- function(rows, alike = TRUE) {
  found <- mean_of_paradigms(rows, rows$correct - rows$correct_b, alike)
  only_a <- sum(rows$correct == 1 & rows$correct_b == 0)
  only_b <- sum(rows$correct == 0 & rows$correct_b == 1)
  mcnemar <- if (only_a + only_b > 0) binom.test(only_a, only_a + only_b)$p.value else 1
  data.frame(
    items = nrow(rows), difference = found[["value"]], low = found[["low"]], high = found[["high"]],
    only_first = only_a, only_second = only_b,
    p = exchanged(rows$correct - rows$correct_b, rows$cluster), p_mcnemar = mcnemar
  )
}

if (length(runs) == 2) {
  first <- counted[counted$run == runs[1], ]
  second <- counted[counted$run == runs[2], c("item", "correct")]
  names(second)[2] <- "correct_b"
  both <- merge(first, second, by = "item", sort = FALSE)
  if (nrow(both) > 0) {
    show(paste(names_of_runs[1], "minus", names_of_runs[2]), difference(both, alike = FALSE))
    if (length(group_columns) > 0) {
      column <- group_columns[1]
      values <- unique(both[[column]][!is.na(both[[column]])])
      tests <- lapply(values, function(one) difference(both[which(both[[column]] == one), ]))
      table <- cbind(group = values, do.call(rbind, tests))
      table$p_holm <- p.adjust(table$p, "holm")
      show(sub("^group:", "difference by ", column), table)
    }
  } else cat("\nThe two runs have no item in common.\n")
}

# Which items are right, as a mixed logistic regression: items and paradigms vary at random (ties are left out).
if (requireNamespace("lme4", quietly = TRUE)) {
  rows <- counted[counted$correct %in% c(0, 1), ]
  terms <- if (length(unique(rows$run)) > 1) c("run", "(1 | item)") else "1"
  if (length(unique(rows$stratum)) > 1) terms <- c(terms, "(1 | stratum)")
  if (length(unique(rows$cluster)) < nrow(rows) / 2) terms <- c(terms, "(1 | cluster)")
  if (any(grepl("|", terms, fixed = TRUE)) && length(unique(rows$correct)) > 1) {
    print(summary(lme4::glmer(reformulate(terms, "correct"), data = rows, family = binomial)))
  }
} else cat("\nlme4 is not installed: no mixed model. install.packages(\"lme4\") adds it.\n")
