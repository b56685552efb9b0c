import { expect, test } from 'vitest'
import { resourceNames } from '../../src/features/changes/resources.ts'
import { operations } from '../src/contract.ts'
import { affected } from '../src/live-queries.ts'

test('every resource that can change has queries that show it', () => {
  expect(Object.keys(affected).toSorted()).toEqual([...resourceNames].toSorted())
  const names = [...Object.keys(operations), 'session']
  const unknown = Object.values(affected)
    .flat()
    .filter((start) => !names.some((name) => name.startsWith(start)))
  expect(unknown).toEqual([])
})
