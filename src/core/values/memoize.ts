/** Computes a value once for each object and keeps it as long as the object exists. */
export function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}

/** The same for texts of a fixed set, such as the names of operations: what is computed is kept. */
export function memoizeText<V>(make: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
}
