/** Computes a value once for each object and keeps it as long as the object exists. */
export const memoize = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => kept(new WeakMap<K, V>(), make)

/** The same for texts of a fixed set, such as the names of operations: what is computed is kept. */
export const memoizeText = <V>(make: (key: string) => V): ((key: string) => V) => kept(new Map<string, V>(), make)

type Known<K, V> = { get(key: K): V | undefined; set(key: K, value: V): unknown }

const kept =
  <K, V>(known: Known<K, V>, make: (key: K) => V) =>
  (key: K): V => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key)
    known.set(key, made)
    return made
  }
