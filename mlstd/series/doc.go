// Package series implements time series analysis: correlograms, tests of stationarity,
// decomposition into trend and season, exponential smoothing, and ARIMA models with forecasts.
//
// A series is a slice of numbers at equal distances in time, without gaps, such as
// f["sales"].Floats() of a frame that is sorted by time.
package series
