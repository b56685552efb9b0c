import type { Operation } from '../../core/define/operation.ts'

/** What is made once for each operation, when a test first asks for it. */
export function remembered<T>(make: (operation: Operation) => Promise<T>) {
  const made = new Map<string, Promise<T>>()
  return (operation: Operation): Promise<T> => {
    const found = made.get(operation.name) ?? make(operation)
    made.set(operation.name, found)
    return found
  }
}
