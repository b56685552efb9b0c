import '../../../test/own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { apiOperations } from '../../../catalog/operations.ts'
import { newId } from '../../../core/values/id.ts'
import { type App, createApp } from '../../../program/app.ts'
import { action, automate, graphOf, lastRun, runSoFar, settle, trigger } from '../../../test/automations/automations.ts'
import { endsWithin, type OpenStream, openStream } from '../../../test/event-stream.ts'
import { hire, payrollOf } from '../../../test/payroll/company.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, testConfig, theApp, theDatabase, withKey } from '../../../test/world.ts'
import type { Change } from './change.ts'
import { effectOf, resources } from './resources.ts'

const here = ({ organizationId = '' }: Someone) => ({ organizationId })
const globex = { name: 'Globex', country: 'SG' }
const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
const paid = { paymentDate: '2026-01-15', paymentMethod: 'CASH', sendReceiptEmail: false } as const
const latest = { timeout: 5_000, interval: 20 }

const begin = async (who: Someone) => (await who.call('changes_stream', here(who))).lastEventId
const changesOf = ({ events }: { events: readonly { event: string; data: unknown }[] }) =>
  events.filter(({ event }) => event === 'change').map(({ data }) => data as Change)
const since = async (who: Someone, lastEventId: string) =>
  changesOf(await who.call('changes_stream', { ...here(who), lastEventId }))
const shown = (changes: readonly Change[]) => changes.map(({ resource, id, change }) => [resource, id, change])

describe('what changed', () => {
  test('a stream begins with its id, and reads what was changed since, by whom and with which call', async () => {
    const amy = await member('OWNER')
    await amy.call('customers_create', { ...here(amy), ...globex })
    const { events, lastEventId } = await amy.call('changes_stream', here(amy))
    expect(events).toEqual([{ id: lastEventId, event: 'ready', data: { at: expect.any(String) } }])
    const { id } = await amy.call('customers_create', { ...here(amy), ...globex })
    const changes = await since(amy, lastEventId)
    expect(changes[0]).toEqual({
      ...{ resource: 'customers', feature: 'customers', id, change: 'created', operation: 'customers_create' },
      ...{ userId: amy.userId, requestId: expect.any(String), at: expect.any(String) },
    })
    expect(await since(amy, await begin(amy))).toEqual([])
  })

  test('what is updated and deleted, and what else a call changes', async () => {
    const amy = await member('OWNER')
    const { id } = await amy.call('customers_create', { ...here(amy), ...globex })
    const invoice = await sell(amy, { status: 'SENT' })
    const from = await begin(amy)
    await amy.call('customers_update_patch', { id, name: 'Initech' })
    await amy.call('customers_delete', { id })
    await amy.call('invoices_mark_paid', { id: invoice.id, ...paid })
    const changes = shown(await since(amy, from))
    expect(changes).toContainEqual(['customers', id, 'updated'])
    expect(changes).toContainEqual(['customers', id, 'deleted'])
    expect(changes).toContainEqual(['documents', invoice.id, 'updated'])
    expect(changes).toContainEqual(['payments', null, 'updated'])
  })

  test('what the same thing went through several times is told once, and only the last event has an id', async () => {
    const amy = await member('OWNER')
    const { id } = await amy.call('customers_create', { ...here(amy), ...globex })
    const from = await begin(amy)
    for (const name of ['A', 'B', 'C']) await amy.call('customers_update_patch', { id, name })
    const { events } = await amy.call('changes_stream', { ...here(amy), lastEventId: from })
    expect(shown(changesOf({ events }))).toEqual([
      ['customers', id, 'updated'],
      ['suppliers', null, 'updated'],
    ])
    expect(events.map((event) => event.id === null)).toEqual([true, false])
  })

  test('what the product does by itself: members, notifications of the person, mail', async () => {
    const amy = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: amy })
    const [hers, his] = [await begin(amy), await begin(bob)]
    const notice = newId()
    await query(
      `insert into notifications (id, user_id, organization_id, kind, data) values ($1, $2, $3, 'AUTOMATION_PAUSED', '{}')`,
      [notice, bob.userId, amy.organizationId],
    )
    const carol = await member('VIEWER', { of: amy })
    expect(shown(await since(amy, hers))).toEqual([['members', carol.userId, 'created']])
    expect(shown(await since(bob, his))).toEqual([
      ['notifications', notice, 'created'],
      ['members', carol.userId, 'created'],
    ])
  })

  test('the runs of automations: each step while it runs, and its end', async () => {
    const amy = await member('OWNER')
    const graph = graphOf(
      [trigger('customer.created'), action('look', 'customers_list'), action('again', 'customers_list')],
      ...['start>look', 'look>again'],
    )
    const id = await automate(amy, graph)
    const runId = await runSoFar(amy, id, [])
    const run = ['automation_runs', runId, 'updated']
    const from = await begin(amy)
    expect(shown(await since(amy, from))).toEqual([])
    await query(
      `insert into automation_steps (organization_id, id, run_id, block_id, status) values ($1, $2, $3, 'look', 'RUNNING')`,
      [amy.organizationId, newId(), runId],
    )
    expect(shown(await since(amy, from))).toEqual([run])
    const next = await begin(amy)
    expect(shown(await since(amy, next))).toEqual([])
    await query("update automation_runs set status = 'FAILED', error = 'x', finished_at = now() where id = $1", [runId])
    expect(shown(await since(amy, next))).toEqual([run])
    const last = await begin(amy)
    await amy.call('customers_create', { ...here(amy), ...globex })
    await settle(amy)
    expect(shown(await since(amy, last))).toContainEqual(['automation_runs', (await lastRun(amy, id)).id, 'updated'])
  })
})

describe('nothing is lost', () => {
  /** A transaction of this organization that changes a customer and is not committed yet. */
  async function slowChange(amy: Someone, customerId: string) {
    const client = await theApp().system.raw.connect()
    await client.query('begin')
    await client.query(
      `insert into audit_log (id, organization_id, user_id, source, request_id, operation, object_id)
       values ($1, $2, $3, 'SESSION', 'r', 'customers_update_patch', $4)`,
      [newId(), amy.organizationId, amy.userId, customerId],
    )
    return async (end: 'commit' | 'rollback') => {
      await client.query(end)
      client.release()
    }
  }

  test('of a change that began before others and was committed after them', async () => {
    const amy = await member('OWNER')
    const [early, late] = [newId(), newId()]
    const start = await begin(amy)
    const finish = await slowChange(amy, early)
    const customer = await amy.call('customers_create', { ...here(amy), ...globex })
    const { events, lastEventId } = await amy.call('changes_stream', { ...here(amy), lastEventId: start })
    expect(shown(changesOf({ events }))).toContainEqual(['customers', customer.id, 'created'])
    const undone = await slowChange(amy, late)
    await finish('commit')
    await undone('rollback')
    expect(shown(await since(amy, lastEventId)).filter(([resource]) => resource === 'customers')).toEqual([
      ['customers', early, 'updated'],
    ])
  })

  test('whatever interleaves: readers who resume from each id see every change once', async () => {
    const amy = await member('OWNER')
    const start = await begin(amy)
    const seen: (string | null)[] = []
    let isWriting = true
    const read = async (lastEventId: string): Promise<string> => {
      const page = await amy.call('changes_stream', { ...here(amy), lastEventId })
      seen.push(...changesOf(page).flatMap(({ resource, id }) => (resource === 'customers' ? [id] : [])))
      return page.lastEventId
    }
    const reading = (async () => {
      let cursor = start
      while (isWriting) cursor = await read(cursor)
      await read(cursor)
    })()
    const written = await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const ids: string[] = []
        for (let n = 0; n < 10; n++) {
          if (writer % 2) ids.push((await amy.call('customers_create', { ...here(amy), ...globex })).id)
          else {
            const id = newId()
            const finish = await slowChange(amy, id)
            await sleep(Math.random() * 20)
            await finish('commit')
            ids.push(id)
          }
        }
        return ids
      }),
    )
    isWriting = false
    await reading
    expect(seen.toSorted()).toEqual(written.flat().toSorted())
  })

  test('if so much changed, or so long ago, that everything is to be read again', async () => {
    const amy = await member('OWNER')
    const start = await begin(amy)
    const [, transactions = ''] = start.split(/\.(.*)/)
    const events = async (lastEventId: string) =>
      (await amy.call('changes_stream', { ...here(amy), lastEventId })).events.map(({ event }) => event)
    expect(await events(`${Date.now() - 25 * 3_600_000}.${transactions}`)).toEqual(['reset'])
    expect(await events(`${Date.now()}.99999999999:99999999999:`)).toEqual(['reset'])
    await query(
      `insert into audit_log (id, organization_id, user_id, source, request_id, operation)
       select new_id(), $1, $2, 'SESSION', 'r', 'customers_create' from generate_series(1, 501)`,
      [amy.organizationId, amy.userId],
    )
    const { events: many, lastEventId } = await amy.call('changes_stream', { ...here(amy), lastEventId: start })
    expect(many).toMatchObject([{ id: lastEventId, event: 'reset' }])
    expect(await since(amy, lastEventId)).toEqual([])
  })

  test.for(['1', 'latest', '1.2:3', `1.2:3:${'4,'.repeat(300)}5`, "1.2:3:4'"])(
    'the id %s is refused',
    async (wrong) => {
      const amy = await member('OWNER')
      await expect(amy.call('changes_stream', { ...here(amy), lastEventId: wrong })).rejects.toMatchObject({
        status: 400,
      })
    },
  )
})

describe('who is told', () => {
  test('nobody of another organization', async () => {
    const [amy, eve] = [await member('OWNER'), await member('OWNER')]
    const from = await begin(eve)
    await amy.call('customers_create', { ...here(amy), ...globex })
    expect(await since(eve, from)).toEqual([])
    await expect(eve.call('changes_stream', here(amy))).rejects.toMatchObject({ status: 403 })
  })

  test('of payroll, secrets and invitations only who may read them', async () => {
    const { amy } = await payrollOf()
    const viewer = await member('VIEWER', { of: amy })
    const contributor = await member('CONTRIBUTOR', { of: amy })
    const [low, middle, high] = [await begin(viewer), await begin(contributor), await begin(amy)]
    await hire(amy)
    await amy.call('users_invitations_post', { id: amy.organizationId ?? '', email: 'x@x.test', role: 'VIEWER' })
    await amy.call('customers_create', { ...here(amy), ...globex })
    const names = async (who: Someone, from: string) =>
      new Set((await since(who, from)).map(({ resource }) => resource))
    expect(await names(viewer, low)).toEqual(new Set(['customers', 'suppliers']))
    expect(await names(contributor, middle)).toEqual(new Set(['customers', 'suppliers', 'employees', 'payslips']))
    expect([...(await names(amy, high))]).toEqual(expect.arrayContaining(['employees', 'invitations', 'mail']))
  })

  test('with a key, of what its scopes read; and the request only of one’s own calls', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    const key = await withKey(bob, ['organizations:read', 'customers:read'])
    const from = await begin(key)
    await amy.call('customers_create', { ...here(amy), ...globex })
    await amy.call('bank_accounts_create', { ...here(amy), accountName: 'Main', bankName: 'DBS' })
    expect(await since(key, from)).toMatchObject([{ resource: 'customers', userId: amy.userId, requestId: null }])
    const blind = await withKey(bob, ['customers:read'])
    await expect(begin(blind)).rejects.toMatchObject({ status: 403 })
  })

  test('of talks with the companion only the person', async () => {
    const amy = await member('OWNER')
    const bob = await member('OWNER', { of: amy })
    const [hers, his] = [await begin(amy), await begin(bob)]
    await amy.call('companion_write_sessions', { ...here(amy), sessionId: `s-${newId()}`, text: 'Hello' })
    expect((await since(amy, hers)).map(({ resource }) => resource)).toEqual(['companion_sessions'])
    expect(await since(bob, his)).toEqual([])
  })
})

describe('a stream over HTTP', () => {
  let app: App
  let url: string
  beforeAll(async () => {
    const streams = { keepAliveMs: 100, authorizeMs: 300, stalledMs: 500, retryMs: 100 }
    const limits = { receiveMs: 5_000, checkMs: 100, keepAliveMs: 5_000, streams }
    app = await createApp(testConfig(), theDatabase(), { limits })
    url = await app.server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app?.close())

  const open = (who: Someone, headers = {}, from = url) =>
    openStream(`${from}/api/changes?organizationId=${who.organizationId}`, {
      ...(who.credentials as { cookie: string }),
      ...headers,
    })
  const told = (stream: OpenStream) => shown(changesOf(stream))

  test('follows what others change in another process, is kept alive, and resumes after Last-Event-ID', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    const stream = await open(amy)
    await vi.waitFor(() => expect(stream.events).toMatchObject([{ event: 'ready', id: expect.any(String) }]), latest)
    const { id } = await bob.call('customers_create', { ...here(bob), ...globex })
    await vi.waitFor(() => expect(told(stream)).toContainEqual(['customers', id, 'created']), latest)
    await vi.waitFor(() => expect(stream.text()).toContain(': keep-alive\n\n'), latest)
    const last = String(stream.events.at(-1)?.id)
    await stream.close()
    const { id: missed } = await bob.call('customers_create', { ...here(bob), ...globex })
    const resumed = await open(amy, { 'last-event-id': last })
    await vi.waitFor(() => expect(told(resumed)[0]).toEqual(['customers', missed, 'created']), latest)
    expect(told(resumed)).not.toContainEqual(['customers', id, 'created'])
    await resumed.close()
  })

  test('follows a run step by step', async () => {
    const amy = await member('OWNER')
    const id = await automate(
      amy,
      graphOf([trigger('customer.created'), action('look', 'customers_list')], 'start>look'),
    )
    const runId = await runSoFar(amy, id, [])
    const stream = await open(amy)
    await vi.waitFor(() => expect(stream.events).toHaveLength(1), latest)
    for (const block of ['a', 'b', 'c']) {
      const before = told(stream).length
      await query(
        `insert into automation_steps (organization_id, id, run_id, block_id, status) values ($1, $2, $3, $4, 'SUCCEEDED')`,
        [amy.organizationId, newId(), runId, block],
      )
      app.changed(amy.organizationId ?? '')
      await vi.waitFor(
        () => expect(told(stream).slice(before)).toEqual([['automation_runs', runId, 'updated']]),
        latest,
      )
    }
    await stream.close()
  })

  test('ends when the person is removed or signs out', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    const [hers, his] = [await open(amy), await open(bob)]
    await amy.call('users_member_delete', { id: amy.organizationId ?? '', userId: bob.userId })
    expect(await endsWithin(his, 5_000)).toBe(true)
    expect(his.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'FORBIDDEN' } })
    await vi.waitFor(() => expect(told(hers)).toContainEqual(['members', bob.userId, 'deleted']), latest)
    await query('delete from sessions where user_id = $1', [amy.userId])
    expect(await endsWithin(hers, 5_000)).toBe(true)
    expect(hers.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'UNAUTHENTICATED' } })
  })

  test('many streams of an organization all follow', async () => {
    const calm = await createApp(testConfig(), theDatabase())
    const from = await calm.server.listen({ port: 0, host: '127.0.0.1' })
    const amy = await member('OWNER')
    const people = [amy, await member('VIEWER', { of: amy }), await member('VIEWER', { of: amy })]
    const streams = await Promise.all(people.flatMap((who) => Array.from({ length: 10 }, () => open(who, {}, from))))
    await vi.waitFor(() => expect(streams.every(({ events }) => events.length > 0)).toBe(true), latest)
    const { id } = await amy.call('customers_create', { ...here(amy), ...globex })
    const hasIt = (stream: OpenStream) => told(stream).some(([, changed]) => changed === id)
    await vi.waitFor(() => expect(streams.every(hasIt)).toBe(true), latest)
    await Promise.all(streams.map((stream) => stream.close()))
    await calm.close()
  })
})

describe('the list of resources', () => {
  const writes = apiOperations.filter(({ reads, within }) => !reads && within !== 'caller')

  test('every write in an organization changes one of them', () => {
    expect(writes.filter((operation) => !effectOf(operation)).map(({ name }) => name)).toEqual([])
  })

  test('who may read one is who may read the list of it', () => {
    const lists: Partial<Record<keyof typeof resources, string>> = {
      ...{ documents: 'invoices_list', payments: 'invoices_payments_list', customers: 'customers_list' },
      ...{
        suppliers: 'suppliers_list',
        orders: 'orders_list',
        items: 'logistics_items_list',
        mail: 'organizations_outbox',
      },
      ...{ stock: 'logistics_stock_levels', expenses: 'expenses_list', expense_payments: 'expenses_payments_list' },
      ...{
        expense_categories: 'expense_categories_list',
        scan_batches: 'expenses_scan_batches',
        settings: 'settings_get',
      },
      ...{
        mailboxes: 'integrations_email_settings',
        mailbox_runs: 'integrations_fetch_logs',
        members: 'users_members',
        views: 'views_list',
      },
      ...{
        tax_authorities: 'integrations_tax_authority',
        bank_accounts: 'bank_accounts_list',
        accounts: 'reports_accounts',
      },
      ...{
        journal_entries: 'reports_journal_entries',
        employees: 'payroll_employees_list',
        imports: 'organizations_imports',
      },
      ...{ payslips: 'payroll_payslips_list', payroll_payments: 'payroll_payments', automations: 'automations_list' },
      ...{
        automation_runs: 'automations_runs',
        automation_secrets: 'automations_secrets_list',
        files: 'organizations_file',
      },
      ...{
        organization: 'organizations_get',
        webhook_secret: 'settings_webhook_secret',
        invitations: 'users_invitations',
      },
      ...{ companion_sessions: 'companion_read_sessions' },
    }
    for (const [resource, { scope, role }] of Object.entries(resources)) {
      if (resource === 'notifications') continue // a list of the person, in all organizations
      const list = apiOperations.find(({ name }) => name === lists[resource as keyof typeof resources])
      expect([resource, list?.scope, list?.role]).toEqual([resource, scope, role])
    }
  })

  test('the triggers of the database name no other', async () => {
    const rows = await query(
      `select distinct encode(t.tgargs, 'escape') as resource from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'record_change'`,
    )
    const named = rows.map(({ resource }) => String(resource).replace('\\000', ''))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((resource) => !(resource in resources))).toEqual([])
  })
})
