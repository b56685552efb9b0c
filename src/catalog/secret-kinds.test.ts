import { expect, test } from 'vitest'
import { theApp } from '../test/world.ts'
import { secretKinds } from './secret-kinds.ts'

test('every column of secrets is described in words, for the day when its key is lost', async () => {
  const { rows } = await theApp().system.raw.query('select table_name, column_name from secret_columns()')
  const described = secretKinds.map(({ table, column }) => ({ table_name: table, column_name: column }))
  expect(described).toEqual(rows)
})
