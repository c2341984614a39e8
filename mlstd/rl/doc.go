// Package rl is reinforcement learning: Markov decision processes that are given as data and
// solved, and environments from which agents learn by interaction.
//
// An [MDP] holds the possible outcomes of every action, for [ValueIteration], [PolicyIteration] and
// [EvaluatePolicy]. A [GridWorld] makes an MDP from a few lines of text. An [Environment] hides all
// that: [QLearning], [SARSA] and [TD] use only states and rewards. If the states are points of a
// space and not numbers, [LinearQ], [Reinforce] and [ActorCritic] learn on features of them, [DQN]
// by a neural network, and [Discretized] and [InterpolatedMDP] convert them to numbers.
//
// Everything is seeded: the same Seed leads to the same results.
package rl
