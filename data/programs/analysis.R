# Accuracy with intervals, by group, of one run or two: `Rscript analysis.R` beside items.csv. Base R is enough; the
# mixed model is fitted where lme4 is installed.
#
# items.csv has a row per run and item. `correct` is 0 to 1 and empty where the item does not count (`excluded` says
# why); `stratum` names the paradigm whose means are averaged, `cluster` the critical contrast: items that share it
# are not independent. Columns that begin with `group:` say where an item belongs.

items <- read.csv("items.csv", check.names = FALSE, encoding = "UTF-8", colClasses = "character", na.strings = "")
for (name in c("correct", "margin_bits", "weight")) items[[name]] <- as.numeric(items[[name]])
for (name in c("cluster", "stratum")) items[[name]][is.na(items[[name]])] <- ""
group_columns <- grep("^group:", names(items), value = TRUE)
counted <- items[!is.na(items$correct), ]
counted$of_stratum <- ave(counted$weight, counted$run, counted$stratum, FUN = sum)
# StereoSet's number is the mean of its target terms' means, and the terms are its sample.
by_terms <- length(group_columns) > 0 && group_columns[1] == "group:target"

total <- function(values, by) as.vector(rowsum(values, by)) # `by` is numbered 1, 2, ...

# The score interval for a share (Wilson 1927), with Student's quantile where n comes from an estimated variance.
wilson <- function(share, n, freedom = Inf) {
  z <- qt(0.975, freedom)
  centre <- share + z^2 / (2 * n)
  reach <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  c(low = if (share == 0) 0 else (centre - reach) / (1 + z^2 / n),
    high = if (share == 1) 1 else (centre + reach) / (1 + z^2 / n))
}

# The same for a difference of two shares of the same items: one item that only the first run has right and one that
# only the second has are added (Bonett & Price 2012). `differing` is the share of items on which the runs differ.
bonett_price <- function(mean, differing, n, freedom) {
  centre <- mean * n / (n + 2)
  reach <- qt(0.975, freedom) * sqrt(((differing * n + 2) / (n + 2) - centre^2) / (n + 2))
  c(low = max(-1, centre - reach), high = min(1, centre + reach))
}

# The interval of a share strictly between 0 and 1 on the scale of its logit, as survey::svyciprop has it.
on_logits <- function(share, variance, freedom) {
  reach <- qt(0.975, freedom) * sqrt(variance) / (share * (1 - share))
  c(low = plogis(qlogis(share) - reach), high = plogis(qlogis(share) + reach))
}

# Degrees of freedom of a variance y'P'Py: trace(B)^2 / trace(B^2) with B = PVP' (Satterthwaite 1946; Bell & McCaffrey
# 2002), if items of a contrast correlate as `within` says (Imbens & Kolesar 2016). `reach` (how far a value moves the
# mean) and `counts` have a row per contrast and a column per paradigm. B has one per contrast and may be large: it is
# diagonal + sides middle sides'.
satterthwaite <- function(reach, counts, within) {
  sizes <- colSums(counts)
  moved <- reach * counts
  held <- sweep(counts, 2, sizes, "/")
  whole <- rowSums(moved)
  diagonal <- (1 - within) * rowSums(reach^2 * counts) + within * whole^2
  sides <- cbind(moved, whole * held)
  back <- diag(-within, length(sizes))
  shared <- within * crossprod(held) - diag((1 - within) / sizes, length(sizes))
  middle <- rbind(cbind(shared, back), cbind(back, 0 * back))
  folded <- middle %*% crossprod(sides)
  squared <- sum(diagonal^2) + 2 * sum(diag(middle %*% crossprod(sides, diagonal * sides))) + sum(folded * t(folded))
  (sum(diagonal) + sum(diag(folded)))^2 / squared
}

# The mean of the paradigms' means, of shares (0 to 1) or of differences (-1 to 1), with its 95 % interval. Paradigms
# are fixed, critical contrasts are the sample. Where each item is its own, the interval is Wilson's, for as many items
# as have the variance of the mean; over contrasts it is on the logit scale; of differences it is Bonett & Price's.
# `shares`: how much each value counts in the mean; `answers`: values are those of items, not means, which vary less.
interval <- function(values, strata, clusters, shares, differences = FALSE, answers = TRUE) {
  stratum <- match(strata, unique(strata))
  cluster <- match(clusters, unique(clusters))
  weights <- total(shares, stratum) / sum(shares) # of the paradigms
  sizes <- tabulate(stratum)
  means <- total(values, stratum) / sizes
  mean <- sum(weights * means)
  differing <- total(abs(values), stratum) / sizes
  counts <- unclass(table(cluster, stratum)) # a row per contrast, a column per paradigm
  contrasts <- colSums(counts > 0)
  centred <- tapply(values - means[stratum], list(cluster, stratum), sum, default = 0)
  centred[abs(centred) < 1e-12 * counts] <- 0

  # By how much does a contrast move the mean? One that is a large share of its paradigm draws the paradigm's mean to
  # itself. CR2 makes up for it (Bell & McCaffrey 2002); in several paradigms whole contrasts are left out, which is the
  # jackknife CR3 (MacKinnon, Nielsen & Webb 2023; by paradigm as in Rust & Rao 1996).
  held <- sweep(counts, 2, sizes, "/")
  rest <- ifelse(held < 1, 1 - held, Inf)
  several <- length(sizes) > 1
  scale <- if (several) sweep(1 / rest, 2, sqrt((contrasts - 1) / contrasts), "*") else 1 / sqrt(rest)
  reach <- sweep(scale, 2, weights / sizes, "*")
  variance <- sum(rowSums(reach * centred)^2)

  # Where all contrasts of a paradigm agree, two more with the overall mean are imagined (after Agresti & Coull 1998),
  # the more the paradigm matters: a large part of the variance would else be taken for none.
  apart <- abs(means - mean)
  agrees <- colSums(abs(centred)) == 0 & apart > 1e-12
  matters <- weights^2 / sizes
  imagined <- matters / sum(matters) * weights^2 * 2 * apart / (contrasts + 2) / contrasts
  variance <- variance + sum(imagined[agrees])

  # No interval without a sample: paradigms with one contrast count for more than a twentieth. Values that are all the
  # same are as many observations as there are contrasts.
  n_contrasts <- nrow(counts)
  result <- c(value = mean, low = NA, high = NA, clusters = n_contrasts)
  same <- max(values) == min(values)
  if (n_contrasts < 2 || (!same && sum(weights[contrasts == 1]) > 0.05)) return(result)

  # The variance is no less than that of as many independent items: a design effect below 1 is not believed.
  varies <- variance > 0
  freedom <- if (varies) satterthwaite(reach, counts, if (several) 0.1 else 0) else Inf
  of_items <- if (answers) sum(weights^2 * (differing - means^2) / sizes) else 0
  variance <- max(variance, of_items)
  n <- if (varies) (sum(weights * differing) - mean^2) / variance else 1 / sum(weights^2 / contrasts)
  bounds <- if (differences) {
    bonett_price(mean, sum(weights * differing), n, freedom)
  } else if (!varies || min(mean, 1 - mean) < 1e-12) {
    wilson(round(mean, 12), 1 / sum(weights^2 / contrasts))
  } else if (answers && n_contrasts == length(values)) {
    if (several) wilson(mean, n, freedom) else wilson(mean, length(values))
  } else {
    on_logits(mean, variance, freedom)
  }
  result[c("low", "high")] <- bounds
  result
}

# How much each item counts: its paradigm as in the run over all items, all paradigms alike within a group.
shares_of <- function(rows, alike) {
  (if (alike) 1 else rows$of_stratum) / ave(rows$correct, rows$stratum, FUN = length)
}

summarise <- function(rows, alike = TRUE) {
  found <- if (by_terms && length(unique(rows$stratum)) > 1) {
    means <- tapply(rows$correct, rows$stratum, mean)
    interval(as.vector(means), rep("", length(means)), names(means), rep(1, length(means)), answers = FALSE)
  } else {
    interval(rows$correct, rows$stratum, rows$cluster, shares_of(rows, alike))
  }
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
cat("low, high: 95 %, over contrasts with paradigms fixed (StereoSet: over terms)\n")
cat("wilson_low, wilson_high: Wilson's, as if all items were independent\n")
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
# would be a fair coin for each cluster which of them gave which answers (Fisher 1935). Tested is what is estimated:
# each item's difference times its share. Exact where shares are equal and credit comes in halves to sixths, so in
# sixtieths; otherwise sums are rounded to a fine grid. Normal where more than 1000 clusters differ (Yang, Sun & Hardin
# 2010).
exchanged <- function(differences, clusters, shares) {
  equal <- max(shares) - min(shares) <= 1e-12 * max(shares)
  sums <- total(differences * (if (equal) 1 else shares), match(clusters, unique(clusters)))
  sums <- sums[abs(sums) > 1e-9 * max(abs(sums))]
  if (length(sums) == 0) return(1)
  if (max(abs(sums)) - min(abs(sums)) <= 1e-9 * max(abs(sums))) {
    return(binom.test(sum(sums > 0), length(sums))$p.value) # McNemar's
  }
  if (sum(sums^2)^2 > 1000 * sum(sums^4)) return(2 * pnorm(-abs(sum(sums)) / sqrt(sum(sums^2))))
  half <- max(2^15, 4 * length(sums))
  parts <- round(sums * 60)
  whole <- equal && all(abs(sums * 60 - parts) < 1e-6)
  if (whole) parts <- parts / max(Filter(function(by) all(parts %% by == 0), seq_len(min(abs(parts)))))
  rounding <- 0
  if (!whole || sum(abs(parts)) >= half) {
    parts <- round(sums * (half - length(sums)) / sum(abs(sums)))
    rounding <- floor(sqrt(length(sums))) + 1 # by so much it may set equal sums apart
  }
  # The characteristic function of the sum is a product of cosines; its Fourier transform is the distribution.
  most <- sum(abs(parts))
  points <- nextn(2 * most + 1)
  angles <- (seq_len(points) - 1) * 2 * pi / points
  characteristic <- 1
  sizes <- table(abs(parts))
  for (size in names(sizes)) characteristic <- characteristic * cos(as.numeric(size) * angles)^sizes[[size]]
  chances <- Re(fft(characteristic)) / points # of the sums 0, 1, 2, ...
  least <- abs(sum(parts)) - rounding
  p <- if (least > 0) 2 * sum(chances[(least:most) + 1]) else 1
  min(1, max(p, 2^(1 - length(parts))))
}

# Student's interval over the target terms' differences, and these exchanged; as for items where they are all the same.
difference_of_terms <- function(rows) {
  terms <- as.vector(tapply(rows$correct - rows$correct_b, rows$stratum, mean))
  each <- seq_along(terms)
  alike <- rep(1, length(terms))
  found <- interval(terms, alike, each, alike, differences = TRUE)
  if (length(terms) > 1 && max(terms) - min(terms) >= 1e-9) {
    found[c("low", "high")] <- pmax(-1, pmin(1, t.test(terms)$conf.int))
  }
  c(found, p = exchanged(terms, each, alike))
}

difference_of_items <- function(rows, shares) {
  differences <- rows$correct - rows$correct_b
  found <- interval(differences, rows$stratum, rows$cluster, shares, differences = TRUE)
  c(found, p = exchanged(differences, rows$cluster, shares))
}

# Two runs: the items that count in both. `p` exchanges whole clusters; `p_mcnemar` is McNemar's exact test, which
# takes items as independent. Holm's correction of `p` is over the values of the first group.
difference <- function(rows, alike = TRUE) {
  found <- if (by_terms && !alike) difference_of_terms(rows) else difference_of_items(rows, shares_of(rows, alike))
  only_a <- sum(rows$correct == 1 & rows$correct_b == 0)
  only_b <- sum(rows$correct == 0 & rows$correct_b == 1)
  mcnemar <- if (only_a + only_b > 0) binom.test(only_a, only_a + only_b)$p.value else 1
  data.frame(
    items = nrow(rows), difference = found[["value"]], low = found[["low"]], high = found[["high"]],
    only_first = only_a, only_second = only_b, p = found[["p"]], p_mcnemar = mcnemar
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
