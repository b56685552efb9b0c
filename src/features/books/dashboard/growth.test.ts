import { expect, test } from 'vitest'
import { growth, margin } from './growth.ts'

test.each([
  [0n, 0n, 0],
  [500n, 0n, 100],
  [-500n, 0n, 100],
  [0n, 500n, -100],
  [300n, 200n, 50],
  [100n, 300n, -66.67],
  [200n, 300n, -33.33],
  [100n, -100n, 200],
  [-300n, -100n, -200],
  [10n ** 17n + 1n, 10n ** 17n, 0],
])('%s after %s is a growth of %s percent', (now, before, percent) => {
  expect(growth(now, before)).toBe(percent)
})

test.each([
  [50n, 200n, 25],
  [-100n, 300n, -33.33],
  [-100n, 0n, 0],
  [10n, -100n, 0],
])('%s of %s is a margin of %s percent', (net, revenue, percent) => {
  expect(margin(net, revenue)).toBe(percent)
})
