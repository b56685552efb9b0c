/** The middle value, or the mean of the two middle ones; NaN without values, so that a missing sample is noticed. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  const above = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  return (below + above) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

export const round = (value: number, digits: number) => Number(value.toFixed(digits))
