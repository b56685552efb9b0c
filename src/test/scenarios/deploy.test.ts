import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { migrate, migrationFiles } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { ask, startApi } from '../processes/api-process.ts'
import { member, theDatabase, withKey } from '../world.ts'

const clients = 8

/** The migrations of the next version, which only adds: expand first, contract a version later. */
function nextVersion(): URL {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-next-'))
  for (const { name, text } of migrationFiles()) writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, '9001_next.sql'),
    `alter table customers add column loyalty integer not null default 0;
     alter table bank_accounts add column nickname text;
     create table loyalty_cards (organization_id uuid not null default current_organization() references organizations on delete cascade,
       id uuid not null, customer_id uuid not null, primary key (organization_id, id),
       foreign key (organization_id, customer_id) references customers on delete cascade);
     select organization_table('loyalty_cards');`,
  )
  return pathToFileURL(`${folder}/`)
}

test('FLT-16: the old version serves every request during and after the migration of the next one', async () => {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const organizationId = amy.organizationId ?? ''
  const old = await startApi(theDatabase(), { RATE_LIMIT_SCALE: '1000' })
  onTestFinished(() => void old.kill('SIGKILL'))
  const statuses: number[] = []
  let serving = true
  const send = async (
    path: string,
    more: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const answer = await ask(`${old.url}${path}`, { ...more, headers: { authorization, ...more.headers } })
    statuses.push(answer.status)
    return answer.body
  }
  /** Creates, reads, changes and lists customers, with statements that the connections have prepared. */
  const work = async () => {
    while (serving) {
      const body = { organizationId, name: newId(), country: 'SG' }
      const { id } = await send('/api/customers', { method: 'POST', body, headers: { 'idempotency-key': newId() } })
      await send(`/api/customers/${id}`)
      await send(`/api/customers/${id}`, { method: 'PATCH', body: { notes: 'seen' } })
      await send(`/api/customers?organizationId=${organizationId}&limit=5`)
      await send(`/api/bank-accounts?organizationId=${organizationId}`)
    }
  }
  const burst = Promise.all(Array.from({ length: clients }, work))
  const more = async (count: number) => {
    const enough = statuses.length + count
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(enough), { timeout: 30_000, interval: 20 })
  }
  await more(clients * 10)
  const pool = resilientPool({ ...theDatabase(), max: 3 })
  await migrate(pool, () => {}, { folder: nextVersion() })
  await more(clients * 20)
  serving = false
  await burst
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  const { rows } = await pool.query(
    "select count(*)::int as there from information_schema.columns where column_name = 'loyalty' or table_name = 'loyalty_cards'",
  )
  expect(rows[0].there).toBe(4)
  await pool.end()
  expect(await old.kill('SIGTERM')).toBe(0)
  // The old version does not start again on a schema that it does not know.
  await expect(startApi(theDatabase())).rejects.toThrow('migrated by a newer Kontor (9001_next.sql)')
})
