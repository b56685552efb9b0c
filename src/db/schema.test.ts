import pg from 'pg'
import { test } from 'vitest'
import { dropDatabase, newDatabase } from '../test/database.ts'
import { expectGenerated } from '../test/generate/generated-file.ts'
import { schemaSql } from '../test/generate/schema-sql.ts'

test('schema.sql is what the migrations make', async () => {
  const database = await newDatabase()
  const client = new pg.Client(database)
  await client.connect()
  try {
    expectGenerated('src/db/schema.sql', await schemaSql(client), 'npm run schema')
  } finally {
    await client.end()
    await dropDatabase(database)
  }
})
