package rl_test

import (
	"fmt"

	"github.com/gokernel/gokernel/mlstd/rl"
)

func ExampleQLearning() {
	world := rl.GridWorld{Map: []string{"..G", "S.."}, Goal: 100}
	env, err := world.Env()
	if err != nil {
		fmt.Println(err)
		return
	}
	agent := &rl.QLearning{Seed: 1}
	if err := agent.Learn(env); err != nil {
		fmt.Println(err)
		return
	}
	v := world.Values(agent.Values())
	fmt.Printf("%.0f %.0f\n", v[0][1], v[1][0])
	// Output:
	// 100 73
}
