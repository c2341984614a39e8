// Package latent implements models with hidden variables: expectation maximization, mixtures of
// normal, Bernoulli and multinomial distributions, and hidden Markov models.
package latent
