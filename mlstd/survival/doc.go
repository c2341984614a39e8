// Package survival has the analysis of times to an event, some of which are censored: the event had
// not happened when the observation ended. Kaplan-Meier curves, the log-rank test and Cox's
// regression take a formula whose left side is Surv(time, event); event is 1 or true where it
// happened.
package survival
