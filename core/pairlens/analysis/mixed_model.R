# @title@
@coding@
@packages@

data <- read.csv(@file@, sep = ",", na.strings = "", colClasses = "character", check.names = FALSE,
                 encoding = "UTF-8")
for (name in c(@numbers@)) data[[name]] <- as.numeric(data[[name]])
data <- data[!is.na(data$surp), ]

for (part in split(data, list(data$model, data$region), drop = TRUE)) {
  cat("\n", part$model[1], ", ", part$region[1], ": ", nrow(part), " sentences\n", sep = "")
  print(summary(@fit@(@formula@, data = part)))
}
@says@
