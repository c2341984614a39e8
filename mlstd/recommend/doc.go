// Package recommend predicts from known ratings how users rate items: by similar users or items, by
// latent factors, or from implicit feedback such as purchases.
package recommend
