import { expect, test } from 'vitest'
import { resourceNames } from '../../src/features/platform/changes/resources.ts'
import { operations } from '../src/contract.ts'

/** Imported by a name that the type check does not follow: the app has types of browsers, and tests have those of Node. */
const live = '../src/live-queries.ts'
const { affected }: { affected: Record<string, string[]> } = await import(live)

test('every resource that can change has queries that show it', () => {
  expect(Object.keys(affected).toSorted()).toEqual([...resourceNames].toSorted())
  const names = [...Object.keys(operations), 'session']
  const unknown = Object.values(affected)
    .flat()
    .filter((start) => !names.some((name) => name.startsWith(start)))
  expect(unknown).toEqual([])
})
