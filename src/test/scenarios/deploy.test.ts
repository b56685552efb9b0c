import '../own-world.ts'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { functionSet } from '../../db/functions.ts'
import { migrate, migrationFiles } from '../../db/migrate.ts'
import { resilientPool } from '../../db/pool.ts'
import { queryOn } from '../database.ts'
import { startApiHere } from '../processes/api-here.ts'
import { type ApiProcess, ask, freePort, startApi } from '../processes/api-process.ts'
import { exampleFor, host, startNginx, withoutNginx } from '../processes/nginx.ts'
import { inProof } from '../prove.ts'
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

/** The functions of the next version: every file changed, so that all of them are applied while the old version writes. */
function nextFunctions() {
  const { files } = functionSet()
  return { files: files.map((file) => ({ ...file, checksum: `${file.checksum} next` })), version: '99.0.0' }
}

/** How often each process is restarted. */
const rounds = inProof(1, 10)

/** Two processes behind nginx, and clients that create customers and list them through it until they are told to stop. */
async function busyBehindNginx() {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const organizationId = amy.organizationId ?? ''
  const ports = [String(await freePort()), String(await freePort())]
  const start = (port: string) => {
    const proxied = { KONTOR_URL: `https://${host}`, TRUSTED_PROXIES: '127.0.0.1', KONTOR_MODE: 'local' }
    return startApi(theDatabase(), { PORT: port, RATE_LIMIT_SCALE: '1000', ...proxied })
  }
  const processes: ApiProcess[] = await Promise.all(ports.map(start))
  onTestFinished(() => processes.forEach((each) => void each.kill('SIGKILL')))
  const nginx = await startNginx(exampleFor(ports))
  onTestFinished(() => nginx.stop())

  const answered: { method: string; status: number }[] = []
  const names: string[] = []
  let isWorking = true
  const send = async (method: string, path: string, body?: unknown) => {
    const { status } = await nginx.send(path, {
      method,
      headers: { authorization },
      ...(body !== undefined && { body }),
    })
    answered.push({ method, status })
  }
  const work = async () => {
    while (isWorking) {
      const name = newId()
      names.push(name)
      await send('POST', '/api/customers', { organizationId, name, country: 'SG' })
      await send('GET', `/api/customers?organizationId=${organizationId}&limit=5`)
    }
  }
  const working = Promise.all(Array.from({ length: clients }, work))
  return {
    nginx,
    processes,
    restart: async (at: number) => {
      processes[at] = await start(ports[at] ?? '')
    },
    /** Waits until so many more requests are answered. */
    more: async (count: number) => {
      const enough = answered.length + count
      await vi.waitFor(() => expect(answered.length).toBeGreaterThan(enough), { timeout: 60_000, interval: 20 })
    },
    /** Ends the work. Every request was answered well, and every customer is there once. */
    finish: async () => {
      isWorking = false
      await working
      expect(answered.filter(({ status }) => status >= 300)).toEqual([])
      const sent = names.map((name) => `'${name}'`).join()
      const [row] = await queryOn(
        theDatabase(),
        `select count(*)::int as rows, count(distinct name)::int as names from customers where name in (${sent})`,
      )
      expect(row).toEqual({ rows: names.length, names: names.length })
    },
  }
}

test(`FLT-16: behind nginx, ${inProof('one of two processes is restarted', 'two processes are restarted one after the other')} and every read and write is answered, and done once`, async (context) => {
  if (withoutNginx) return context.skip(withoutNginx)
  const { nginx, processes, restart, more, finish } = await busyBehindNginx()
  for (let round = 0; round < rounds; round++) {
    for (const at of inProof([0], [0, 1])) {
      await more(clients * 4)
      expect(await processes[at]?.kill('SIGTERM')).toBe(0)
      await more(clients * 4)
      await restart(at)
    }
  }
  await more(clients * 4)
  await finish()
  // The restarts were noticed, and nginx went on to the other process.
  expect(nginx.errors().filter((line) => line.includes('Connection refused')).length).toBeGreaterThan(0)
})

test('FLT-16: behind nginx, a process is killed while it works and every read and write is answered, and done once', async (context) => {
  if (withoutNginx) return context.skip(withoutNginx)
  const { nginx, processes, restart, more, finish } = await busyBehindNginx()
  const isLost = (line: string) => line.includes('while reading response header') && line.includes('POST')
  for (let kills = 0; kills < inProof(1, 2 * rounds) || !nginx.errors().some(isLost); kills++) {
    const at = kills % processes.length
    await more(clients * 4)
    await processes[at]?.kill('SIGKILL')
    await more(clients * 4)
    await restart(at)
  }
  await finish()
})

/** Afterwards this version does not start on the database of this file. */
test('FLT-16: the old version serves every request during and after the migration of the next one', async () => {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const organizationId = amy.organizationId ?? ''
  const old = await startApiHere({ RATE_LIMIT_SCALE: '1000' })
  onTestFinished(old.close)
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
  await migrate(pool, () => {}, { folder: nextVersion(), functions: nextFunctions() })
  await more(clients * 20)
  serving = false
  await burst
  expect(statuses.filter((status) => status >= 300)).toEqual([])
  const { rows } = await pool.query(
    "select count(*)::int as there from information_schema.columns where column_name = 'loyalty' or table_name = 'loyalty_cards'",
  )
  expect(rows[0].there).toBe(4)
  await pool.end()
  // The old version does not start again on a schema that it does not know.
  await expect(startApi(theDatabase())).rejects.toThrow('migrated by a newer Kontor (9001_next.sql)')
})
