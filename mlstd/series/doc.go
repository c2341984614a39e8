// Package series implements time series analysis: correlograms, tests of stationarity,
// decomposition into trend and season, exponential smoothing, and ARIMA models with forecasts.
//
// A series is a slice of numbers at equal distances in time, without gaps: f["sales"].Floats()
// after a Sort by time.
package series
