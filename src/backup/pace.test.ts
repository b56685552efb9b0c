import { expect, test } from 'vitest'
import { pause } from './pace.ts'

async function* given(pieces: Buffer[]) {
  yield* pieces
}

test('a stream with pauses has the same bytes, in pieces that take a moment each', async () => {
  const pieces = [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(200_000, 'b'), Buffer.from('c')]
  const passed: Buffer[] = []
  for await (const piece of pause(given(pieces))) passed.push(piece)
  expect(Buffer.concat(passed).equals(Buffer.concat(pieces))).toBe(true)
  expect(Math.max(...passed.map(({ length }) => length))).toBeLessThanOrEqual(65_536)
})

test('the pauses are longer than the work between them', async () => {
  const began = performance.now()
  for await (const _ of pause(given([Buffer.alloc(3 * 65_536)]))) {
    const until = performance.now() + 5
    while (performance.now() < until);
  }
  expect(performance.now() - began).toBeGreaterThan(3 * 5 * 3) // 3 times 5 ms of work, and pauses of 15 ms
})
