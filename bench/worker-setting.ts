/** Jobs at a time, of our worker and of the bare one. */
export const concurrency = 8
