/** Places the blocks of a graph without cycles in columns: each after all that lead to it, beside what leads to it. */
export function layered(
  ids: readonly string[],
  edges: readonly (readonly [string, string])[],
  { dx = 380, dy = 120 } = {},
) {
  const into = (id: string) => edges.filter(([, to]) => to === id).map(([from]) => from)
  const depths = new Map<string, number>()
  const depth = (id: string, seen: readonly string[] = []): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    const found = seen.includes(id) ? 0 : Math.max(-1, ...into(id).map((from) => depth(from, [...seen, id]))) + 1
    depths.set(id, found)
    return found
  }
  const columns: string[][] = []
  for (const id of ids) {
    const column = depth(id)
    columns[column] = [...(columns[column] ?? []), id]
  }
  const places = new Map<string, { x: number; y: number }>()
  columns.forEach((column, at) => {
    const wish = (id: string) => {
      const from = into(id).map((each) => places.get(each)?.y ?? 0)
      return from.reduce((sum, y) => sum + y, 0) / (from.length || 1)
    }
    const sorted = [...column].sort((a, b) => wish(a) - wish(b))
    for (const [row, id] of sorted.entries()) places.set(id, { x: at * dx, y: (row - (sorted.length - 1) / 2) * dy })
  })
  return places
}
