import '../test/own-world.ts'
import { expect, test } from 'vitest'
import { theApp } from '../test/world.ts'
import { pipeline } from './pipeline.ts'

test('a pipeline sends its statements in one flush, in the order of its properties, and names their results', async () => {
  const { system } = theApp()
  await system.use(async (_, connection) => {
    const before = { ...connection.sent }
    const { created, inserted, counted, skipped } = await pipeline({
      created: connection.query('create temporary table pipelined (n integer) on commit preserve rows'),
      inserted: connection.query('insert into pipelined select generate_series(1, 3)'),
      counted: connection.query('select count(*) as n from pipelined'),
      skipped: false,
    })
    expect([created.command, inserted.affected, counted.rows, skipped]).toEqual(['CREATE', 3, [{ n: 3 }], false])
    expect(connection.sent).toEqual({ flushes: before.flushes + 1, statements: before.statements + 3 })
    await connection.query('drop table pipelined')
  })
})

test('a pipeline fails with the first statement that fails', async () => {
  const { system } = theApp()
  const failing = system.use((_, connection) =>
    pipeline({ fine: connection.query('select 1'), failed: connection.query('select 1 / 0') }),
  )
  await expect(failing).rejects.toMatchObject({ code: '22012' })
})
