// Package recommend predicts how users will rate items. It learns from known ratings, by similar
// users, similar items or latent factors, or from implicit feedback such as purchases.
package recommend
