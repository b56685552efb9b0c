/** The texts inside a value, with their paths. */
export function* textsIn(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  else if (value !== null && typeof value === 'object')
    for (const [name, each] of Object.entries(value)) yield* textsIn(each, `${path}.${name}`)
}
