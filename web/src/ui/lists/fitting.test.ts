import { expect, test } from 'vitest'
import { fitting } from './fitting.ts'
import type { Column } from './table.tsx'

const column = (key: string, width: string, leaves?: number): Column<object> => ({
  key,
  head: key,
  width,
  cell: () => null,
  ...(leaves !== undefined && { leaves }),
})
const columns = [
  column('number', '5rem', 3),
  column('name', 'minmax(10rem, 1fr)'),
  column('issued', '7rem', 1),
  column('kind', '6rem', 1),
  column('due', '8rem', 2),
  column('amount', '11rem'),
]
const keys = (room: number, chosen?: Record<string, number>) => fitting(columns, room, chosen)?.map(({ key }) => key)

test.each([
  [752, 'number name issued kind due amount'],
  [751, 'number name issued due amount'],
  [655, 'number name due amount'],
  [543, 'number name amount'],
  [416, 'number name amount'],
])('in %i pixels the columns are: %s', (room, shown) => expect(keys(room)?.join(' ')).toBe(shown))

test('where name and amount have too little room, a row has two lines', () => {
  expect(keys(415)).toBeUndefined()
  expect(fitting([column('name', '20rem'), column('amount', '20rem')], 600)).toBeUndefined()
})

test('a column that a reader made smaller leaves room for another', () => {
  expect(keys(640, { due: 48, kind: 40, issued: 60 })?.join(' ')).toBe('number name issued kind due amount')
  expect(keys(752, { due: 900 })?.join(' ')).toBe('number name issued kind due amount')
})
