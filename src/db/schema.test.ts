import pg from 'pg'
import { expect, test } from 'vitest'
import { dropDatabase, newDatabase } from '../test/database.ts'
import { schemaSql } from '../test/generate/schema-sql.ts'

test('schema.sql is what the migrations make', async () => {
  const database = await newDatabase()
  const client = new pg.Client(database)
  await client.connect()
  try {
    await expect(
      await schemaSql(client),
      'The migrations make another schema. Run `npm run schema` and commit src/db/schema.sql.',
    ).toMatchFileSnapshot('./schema.sql')
  } finally {
    await client.end()
    await dropDatabase(database)
  }
})
