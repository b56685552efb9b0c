import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFullDisks } from './full-disks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched({ space = true }: { space?: boolean } = {}) {
  const state = { hasSpace: false, changes: [] as string[] }
  const probe = async () => {
    if (!state.hasSpace) throw new Error('full')
  }
  const disks = watchFullDisks({
    probes: { database: probe, files: probe },
    hasTooLittleSpace: async () => !space,
    changed: (place, isFull) => state.changes.push(`${place} ${isFull}`),
  })
  return { disks, state }
}

test('an outage is reported once when it begins and once when something can be stored again', async () => {
  const { disks, state } = watched()
  for (let request = 0; request < 100; request++) disks.found('database')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.changes).toEqual(['database true'])
  expect([disks.isFull('database'), disks.isFull('files')]).toEqual([true, false])
  state.hasSpace = true
  await vi.advanceTimersByTimeAsync(2_000)
  expect(state.changes).toEqual(['database true', 'database false'])
  disks.found('database')
  expect(state.changes).toHaveLength(3)
})

test('a database that cannot be reached counts as full only if its disk has no space', async () => {
  const [roomy, full] = [watched(), watched({ space: false })]
  for (const { disks } of [roomy, full]) disks.suspect()
  await vi.advanceTimersByTimeAsync(1)
  expect([roomy, full].map(({ disks }) => disks.isFull('database'))).toEqual([false, true])
})
