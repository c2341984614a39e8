// Package rl is reinforcement learning: Markov decision processes that are given
// as data and solved, and environments that are met step by step and learned
// from.
//
// An [MDP] holds what every action may lead to, for [ValueIteration], [PolicyIteration]
// and [EvaluatePolicy]. A [GridWorld] makes one of a few lines of text. An
// [Environment] hides all that: [QLearning], [SARSA] and [TD] use only states and
// rewards. Where the states are points of a space and not numbers, [LinearQ],
// [Reinforce] and [ActorCritic] learn on features of them, [DQN] by a neural network,
// and [Discretized] and [InterpolatedMDP] make numbers of them.
//
// Everything is seeded: the same Seed gives the same course of events.
package rl
