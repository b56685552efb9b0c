import { expect, onTestFinished, test } from 'vitest'
import { dropDatabase, emptyDatabase, urlOf } from '../../test/database.ts'
import { kontor } from '../../test/processes/kontor.ts'

test('without tables or a database, an account is not created, and a sentence says why', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => dropDatabase(database))
  const create = (name: string) =>
    kontor(['account', 'create', 'amy@example.test'], { DATABASE_URL: urlOf({ ...database, database: name }) })
  const empty = await create(database.database)
  expect([empty.status, empty.stderr]).toEqual([
    1,
    'The database is empty. Start Kontor once, then try again. Nothing was changed.\n',
  ])
  const missing = await create('nowhere')
  expect([missing.status, missing.stdout]).toEqual([1, ''])
  expect(missing.stderr).toMatch(/^The server has no such database .*\n$/)
})
