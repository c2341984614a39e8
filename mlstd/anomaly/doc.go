// Package anomaly finds rows that are unlike the others: by their density, their
// distance, how soon random cuts part them from the rest, or their neighbors.
//
// All detectors keep the contract of [model.Detector]: the larger the score, the
// stranger the row; Predict reports whether the score is above the threshold.
package anomaly
