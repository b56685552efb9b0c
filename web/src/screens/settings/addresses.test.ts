import { expect, test } from 'vitest'
import { addressesIn } from './addresses.ts'

test.each([
  ['dana@example.test', ['dana@example.test']],
  ['dana@example.test, omer@example.test;noa@example.test', ['dana@example.test', 'omer@example.test', 'noa@example.test']],
  ['dana@example.test\n omer@example.test \n\n', ['dana@example.test', 'omer@example.test']],
  ['dana@example.test omer@example.test', ['dana@example.test', 'omer@example.test']],
  ['"Levi, Dana" <dana@example.test>', ['dana@example.test']],
  ['Dana Levi <dana@example.test>, DANA@example.test', ['DANA@example.test']],
  ['dana', ['dana']],
  [' , ', []],
])('%j', (text, addresses) => expect(addressesIn(text)).toEqual(addresses)) // biome-ignore format: a table
