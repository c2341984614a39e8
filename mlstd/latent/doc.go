// Package latent has models with hidden variables: expectation maximization, mixtures
// of normal, Bernoulli and multinomial distributions, hidden Markov models.
package latent
