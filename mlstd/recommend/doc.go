// Package recommend predicts how users rate items from known ratings: by similar users or items, by
// latent factors, or from implicit feedback such as purchases.
package recommend
