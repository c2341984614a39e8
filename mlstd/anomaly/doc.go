// Package anomaly finds rows that differ from the other rows in their density, their distance from
// a center, the number of random cuts that isolate them, or their neighbors.
//
// All detectors implement [model.Detector]: the larger the score, the more anomalous the row;
// Predict reports whether the score is above the threshold.
package anomaly
