package doctor

// FreeMemory returns how many bytes are free for another process. It returns false if the number is
// unknown on this system.
func FreeMemory() (free uint64, known bool) {
	free, _ = memory()
	return free, free > 0
}
