package linalg

func dots(dst, v, panel []float64) { dotsGo(dst, v, panel) }
