import '../../test/own-world.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { theApp } from '../../test/world.ts'

test('a number that JavaScript does not hold exactly fails its statement, and the connection goes on', async () => {
  await theApp().system.use(async (db) => {
    const read = (number: string) =>
      sql<{ n: number }>`select ${sql.raw(number)}::bigint as n from generate_series(1, 2)`.execute(db)
    expect((await read('9007199254740991')).rows).toHaveLength(2)
    await expect(read('9007199254740993')).rejects.toThrow(/larger than a number holds exactly/)
    expect((await read('1')).rows).toEqual([{ n: 1 }, { n: 1 }])
  })
})
