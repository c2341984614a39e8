"""Dynamics of Gymnasium 1.4.0: tables of the worlds with numbered states, courses of the others.

Writes rl.json beside this file. Courses begin in states that are set, and take
actions from a fixed sequence, so that no generator of random numbers matters.
"""
import json, os
import numpy as np
import gymnasium as gym
from gymnasium.envs.toy_text import blackjack

assert gym.__version__ == "1.4.0"


def table(env):
    """[state, action, probability, next, reward, terminated] of every outcome."""
    e = env.unwrapped
    return [[int(s), int(a), float(p), int(n), float(r), bool(t)]
            for s in e.P for a in e.P[s] for (p, n, r, t) in e.P[s][a]]


def course(env, start, steps):
    """The states in double precision, as the environment keeps them."""
    e = env.unwrapped
    e.reset(seed=0)
    e.state = np.array(start, dtype=np.float64)
    out = []
    for i in range(steps):
        a = (i * i + i // 3) % env.action_space.n
        _, r, done, _, _ = e.step(int(a))
        out.append({"action": int(a), "state": [float(v) for v in e.state], "reward": float(r), "ended": bool(done)})
        if done:
            break
    return {"start": start, "steps": out}


def hands(n):
    """Games of blackjack with the cards that were drawn."""
    env = gym.make("Blackjack-v1", sab=True).unwrapped
    real, games = blackjack.draw_card, []
    rng = np.random.default_rng(1)
    for g in range(n):
        cards = []

        def draw(np_random):
            cards.append(int(real(np_random)))
            return cards[-1]

        blackjack.draw_card = draw
        obs, _ = env.reset(seed=g)
        steps, done = [], False
        while not done:
            a = int(rng.integers(2)) if obs[0] < 19 else 0
            obs, r, done, _, _ = env.step(a)
            steps.append({"action": a, "sum": int(obs[0]), "dealer": int(obs[1]), "ace": int(obs[2]), "reward": float(r), "ended": bool(done)})
        games.append({"cards": cards, "steps": steps})
    blackjack.draw_card = real
    return games


out = {
    "cliff": table(gym.make("CliffWalking-v1")),
    "lake4": table(gym.make("FrozenLake-v1", is_slippery=True)),
    "lake4dry": table(gym.make("FrozenLake-v1", is_slippery=False)),
    "lake8": table(gym.make("FrozenLake-v1", map_name="8x8", is_slippery=True)),
    "taxi": table(gym.make("Taxi-v4")),
    "car": [course(gym.make("MountainCar-v0"), s, 60) for s in ([-0.5, 0.0], [-1.19, -0.06], [0.45, 0.05], [0.3, -0.02])],
    "cart": [course(gym.make("CartPole-v1"), s, 60) for s in ([0.01, -0.02, 0.03, 0.04], [2.3, 1.0, -0.1, 0.2], [0.0, 0.0, 0.2, 0.5])],
    "blackjack": hands(200),
}
with open(os.path.join(os.path.dirname(__file__), "rl.json"), "w") as f:
    json.dump(out, f, separators=(",", ":"))
