// Package recommend predicts how users will rate items. It learns from known ratings or from
// implicit feedback, such as purchases. The methods use similar users, similar items or latent
// factors.
package recommend
