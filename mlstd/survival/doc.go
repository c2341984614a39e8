// Package survival implements the analysis of times to an event. A time may be censored: the event
// had not happened when the observation ended. Kaplan-Meier curves, the log-rank test and Cox
// regression take a formula whose left side is Surv(time, event); event is 1 or true if the event
// happened.
package survival
