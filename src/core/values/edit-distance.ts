/** How many characters have to be inserted, removed or replaced to get from one text to the other; more than `most` counts as `most + 1`. */
export function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1
  if (most === 0) return from === to ? 0 : 1
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const value = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(value)
      if (value < least) least = value
    }
    if (least > most) return most + 1
    row = next
  }
  return row[to.length] ?? most + 1
}
