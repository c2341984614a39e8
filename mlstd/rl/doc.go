// Package rl implements reinforcement learning. It solves known Markov decision processes, and has
// agents that learn from environments by interaction.
//
// An [MDP] holds the possible outcomes of every action; [ValueIteration], [PolicyIteration] and
// [EvaluatePolicy] use them. A [GridWorld] makes an MDP from a few lines of text. An [Environment]
// hides the outcomes: [QLearning], [SARSA] and [TD] use only states and rewards. If the states are
// points in a space instead of indices, [LinearQ], [Reinforce] and [ActorCritic] learn from
// features of the states, and [DQN] uses a neural network. [Discretized] and [InterpolatedMDP]
// replace such a space by a finite number of states.
//
// Everything is seeded: the same Seed leads to the same results.
package rl
