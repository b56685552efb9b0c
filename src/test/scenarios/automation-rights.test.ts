import '../own-world.ts'
import { expect, test } from 'vitest'
import { endCredentials } from '../../features/work/automations/end-credentials.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { verify } from '../../verify/verify.ts'
import { action, automate, carryOn, graphOf, lastRun, runSoFar, settle, trigger } from '../automations/automations.ts'
import { doJob } from '../job.ts'
import { Browser, listening, TestApp } from '../oauth-client.ts'
import { sell } from '../sales-documents.ts'
import { member, Someone, theApp } from '../world.ts'

/** THR-07: what people and credentials could gain by automations, and do not. */

const server = listening()

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const addCustomer = action('a', 'customers_create', { name: 'Made', country: 'SG' })
const addAccount = action('a', 'bank_accounts_create', { accountName: 'Made', bankName: 'DBS' })
const onCategory = (...blocks: Parameters<typeof graphOf>[0]) =>
  graphOf([trigger('customer.created'), ...blocks], ...blocks.map(({ id }) => `start>${id}`))

/** Somebody edits the automation of somebody else. */
const edit = (who: Someone, id: string, graph: ReturnType<typeof graphOf>) =>
  who.call('automations_update', { id, ...graph } as never)

const roleOf = async ({ userId, organizationId }: Someone) =>
  (await query('select role from memberships where organization_id = $1 and user_id = $2', [organizationId, userId]))[0]
    ?.role

/** A key made through the API, with its id. */
async function keyOf(someone: Someone, scopes: string[], more: object = { allOrgs: true }) {
  const { key, secret } = await someone.call('api_keys_create', { name: 'Agent', scopes, ...more })
  const holder = new Someone(someone.userId, { authorization: `Bearer ${secret}` }, someone.organizationId)
  return { id: key.id, holder }
}

const statusOf = async (someone: Someone, id: string) => (await someone.call('automations_get', { id })).status

const pausedNotices = async (someone: Someone) =>
  (await someone.call('users_notifications')).notifications.filter(({ kind }) => kind === 'AUTOMATIONS_PAUSED')

/** What runs of automations wrote, the newest first. */
const writesOfRuns = async (someone: Someone) =>
  (await someone.call('organizations_audit')).entries.filter(({ source }) => source === 'AUTOMATION')

test('THR-07: a MANAGER who edits an automation of the OWNER cannot become OWNER by testing, firing or replaying it', async () => {
  const owner = await member('OWNER')
  const mia = await member('MANAGER', { of: owner })
  const promote = action('a', 'users_member_update', { id: owner.organizationId, userId: mia.userId, role: 'OWNER' })
  const id = await automate(owner, onCategory(action('a', 'customers_list')))
  await edit(mia, id, onCategory(promote))
  const tested = await mia.call('automations_test', { id })
  expect(tested).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/role|owner/i) })
  await owner.call('automations_enable', { id })
  await mia.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(owner)
  expect(await lastRun(owner, id)).toMatchObject({ status: 'FAILED' })
  expect(await mia.call('automations_replay', { id, runId: tested.id })).toMatchObject({ status: 'FAILED' })
  expect(await roleOf(mia)).toBe('MANAGER')
  await edit(owner, id, onCategory(promote)) // saved by the owner, it is the owner's graph
  for (const someone of [mia, owner]) // the run is still one that the MANAGER started
    expect(await someone.call('automations_replay', { id, runId: tested.id })).toMatchObject({ status: 'FAILED' })
  expect(await roleOf(mia)).toBe('MANAGER')
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  expect(await roleOf(mia)).toBe('OWNER')
})

/** Statements in a transaction of a request, which is rolled back. */
async function asRequest(...statements: [text: string, values: unknown[]][]) {
  const client = await theApp().confined.raw.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(...statement)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('THR-07: the database itself refuses a run a role above that of its author, and graphs', async () => {
  const owner = await member('OWNER')
  const mia = await member('MANAGER', { of: owner })
  const id = await automate(owner, onCategory(action('a', 'customers_list')), { armed: false })
  const promoteAs = (runId: string) =>
    asRequest(authorizedRun(owner, runId), ["update memberships set role = 'OWNER' where user_id = $1", [mia.userId]])
  const first = await runSoFar(owner, id, [])
  await promoteAs(first)
  await edit(mia, id, onCategory(action('a', 'customers_list')))
  await promoteAs(first) // it keeps the graph of the owner
  const second = await runSoFar(owner, id, [])
  await expect(promoteAs(second)).rejects.toMatchObject({ constraint: 'role_within_reach' })
  const save = asRequest(authorizedRun(owner, first), ['update automations set blocks = blocks where id = $1', [id]])
  await expect(save).rejects.toMatchObject({ constraint: 'graph_saved_by_person' })
})

const authorizedRun = ({ organizationId }: Someone, runId: string): [string, unknown[]] => [
  "select authorize_run($1, 'NAMED', $2, 'MANAGER', array['users:write'])",
  [runId, organizationId],
]

test('THR-07: a request cannot write graphs, nor give an automation another graph or owner', async () => {
  const owner = await member('OWNER')
  const id = await automate(owner, onCategory(action('a', 'customers_list')), { armed: false })
  const entered: [string, unknown[]] = ["select set_config('app.organization', $1, true)", [owner.organizationId]]
  const on = (text: string) => asRequest(entered, [text, [id]])
  await on('update automations set name = name where id = $1')
  for (const text of [
    'update automations set graph_id = graph_id where id = $1',
    'update automations set owner_user_id = owner_user_id where id = $1',
    'update automation_graphs set scopes = scopes where automation_id = $1',
    'delete from automation_graphs where automation_id = $1',
    `insert into automation_graphs (id, automation_id, blocks, edges, author_user_id) values (new_id(), $1, '[]', '[]', new_id())`,
  ])
    await expect(on(text), text).rejects.toMatchObject({ code: '42501' })
})

test('THR-07: a CONTRIBUTOR cannot clear a payment through an automation of a MANAGER, by firing or replaying it', async () => {
  const mia = await member('MANAGER')
  const cyd = await member('CONTRIBUTOR', { of: mia })
  const { id: paid } = await sell(mia, { status: 'PAID' })
  const clear = action('a', 'invoices_update', { id: paid, clearReceiptInfo: true })
  const id = await automate(mia, onCategory(action('a', 'customers_list')))
  await edit(cyd, id, onCategory(clear))
  await cyd.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(mia)
  const fired = await lastRun(mia, id)
  expect(fired).toMatchObject({ status: 'FAILED', error: expect.stringContaining('MANAGER') })
  expect(await statusOf(mia, id)).toBe('PAUSED_NO_ACCESS')
  await expect(cyd.call('automations_replay', { id, runId: fired.id })).rejects.toMatchObject({ status: 403 })
  expect(await mia.call('automations_replay', { id, runId: fired.id })).toMatchObject({ status: 'FAILED' })
  expect(await mia.call('automations_test', { id })).toMatchObject({ status: 'FAILED' })
  expect(await mia.call('invoices_get', { id: paid })).toMatchObject({ status: 'PAID' })
  await edit(mia, id, onCategory(clear))
  expect(await mia.call('automations_replay', { id, runId: fired.id })).toMatchObject({ status: 'SUCCEEDED' })
  expect(await mia.call('invoices_get', { id: paid })).toMatchObject({ paymentDate: null })
})

test('a run keeps the graph, the author and the rights that it started with; a replay adopts the current ones', async () => {
  const owner = await member('OWNER')
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const id = await automate(owner, onCategory(action('a', 'customers_list')), { armed: false })
  await edit(cyd, id, onCategory(action('a', 'expense_categories_create', { name: 'Of Cyd' })))
  const runId = await runSoFar(owner, id, [])
  await edit(owner, id, onCategory(action('a', 'organizations_audit')))
  await carryOn(owner.organizationId ?? '', runId)
  expect(await owner.call('automations_run', { id, runId })).toMatchObject({ status: 'SUCCEEDED' })
  const made = await query("select 1 from expense_categories where organization_id = $1 and name = 'Of Cyd'", [
    owner.organizationId,
  ])
  expect(made).toHaveLength(1)
})

test('without its author in the organization, or with the account of the author disabled, an automation is paused', async () => {
  const owner = await member('OWNER')
  for (const change of [
    'delete from memberships where user_id = $1',
    'update users set disabled_at = now() where id = $1',
  ]) {
    const mia = await member('MANAGER', { of: owner })
    const id = await automate(owner, onCategory(action('a', 'customers_list')))
    await edit(mia, id, onCategory(action('a', 'organizations_audit')))
    await owner.call('customers_create', { name: 'Globex', country: 'SG' })
    await settle(owner)
    expect(await lastRun(owner, id)).toMatchObject({ status: 'SUCCEEDED' })
    await query(change, [mia.userId])
    await owner.call('customers_create', { name: 'Initech', country: 'SG' })
    await settle(owner)
    expect(await lastRun(owner, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('author') })
    expect(await statusOf(owner, id)).toBe('PAUSED_NO_ACCESS')
    await edit(owner, id, onCategory(action('a', 'organizations_audit')))
    await owner.call('automations_enable', { id })
    await owner.call('automations_disable', { id })
  }
})

test('the audit log names the author of the graph of a run, if that is not the owner', async () => {
  const owner = await member('OWNER')
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const id = await automate(owner, onCategory(addCustomer), { armed: false })
  await owner.call('automations_test', { id })
  await edit(cyd, id, onCategory(addCustomer))
  await owner.call('automations_test', { id })
  const [edited, own] = await writesOfRuns(owner)
  expect(edited).toMatchObject({ userId: owner.userId, detail: { author: cyd.userId } })
  expect(own?.detail ?? {}).not.toHaveProperty('author')
})

test('THR-07: an author who is not the owner cannot make the owner leave the organization', async () => {
  const owner = await member('OWNER')
  const second = await member('OWNER', { of: owner })
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const leave = (of: Someone) =>
    onCategory(action('a', 'users_member_delete', { id: owner.organizationId, userId: of.userId }))
  const id = await automate(second, onCategory(action('a', 'customers_list')), { armed: false })
  await expect(edit(cyd, id, leave(second))).rejects.toMatchObject({ status: 403 })
  await edit(second, id, leave(second))
  await query('update automation_graphs set author_user_id = $1 where automation_id = $2', [cyd.userId, id]) // a demoted author
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'FAILED' })
  expect(await roleOf(second)).toBe('OWNER')
  await edit(second, id, leave(second))
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
})

test('THR-07: a key with only automations:write saves other actions with a warning, and they do nothing', async () => {
  const owner = await member('OWNER')
  const { holder } = await keyOf(owner, ['automations:write'])
  const { organizationId = '' } = owner
  const created = await holder.call('automations_create', {
    organizationId,
    name: 'Agent',
    ...onCategory(addAccount),
  } as never)
  const hidden = { code: 'MISSING_SCOPE', path: 'blocks.0.ref', message: expect.stringContaining('customers:read') }
  expect(created.warnings).toEqual([
    hidden,
    { code: 'MISSING_SCOPE', path: 'blocks.1.ref', message: expect.stringContaining('bank_accounts:write') },
  ])
  const { id } = created
  const updated = await holder.call('automations_update', { id, ...onCategory(addCustomer) } as never)
  expect(updated.warnings).toMatchObject([hidden, { message: expect.stringContaining('customers:write') }])
  expect((await holder.call('automations_enable', { id })).warnings).toMatchObject([hidden, { code: 'MISSING_SCOPE' }])
  await owner.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(owner)
  expect(await lastRun(owner, id)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('customers:write'),
  })
  expect(await statusOf(owner, id)).toBe('PAUSED_NO_ACCESS')
  expect(await holder.call('automations_test', { id })).toMatchObject({ status: 'FAILED' })
  expect((await owner.call('customers_list')).customers).toHaveLength(1)
  const wider = await keyOf(owner, ['automations:write', 'customers:*'])
  const saved = await wider.holder.call('automations_update', { id, ...onCategory(addCustomer) } as never)
  expect(saved.warnings).toBeUndefined()
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  expect(await writesOfRuns(owner)).toMatchObject([{ operation: 'customers_create', apiKeyId: wider.id }])
})

test('THR-07: a graph without the scope to read an event sees only the ids of its payload', async () => {
  const owner = await member('OWNER')
  const { organizationId = '' } = owner
  const seen = action('a', 'expense_categories_create', {
    name: '{{trigger.id}} {{trigger.organizationId}} <{{trigger.name}}{{blocks.start.name}}{{trigger.country}}>',
  })
  const oracle = action('b', 'expense_categories_create', { name: 'Guessed' })
  const isSecret = { left: '{{trigger.name}}', op: 'eq', right: 'Secret Ltd' }
  const graph = graphOf([trigger('customer.created'), seen, oracle], 'start>a', ['start>b', isSecret])
  const runOf = async (scopes: string[]) => {
    const { holder } = await keyOf(owner, ['automations:*', 'expenses:write', ...scopes])
    const { id, warnings } = await holder.call('automations_create', { organizationId, name: 'x', ...graph } as never)
    await holder.call('automations_enable', { id })
    const customer = await owner.call('customers_create', { name: 'Secret Ltd', country: 'SG' })
    await settle(owner)
    const { status, steps } = await lastRun(owner, id)
    const name = (steps[1]?.input as { name?: string } | undefined)?.name
    return {
      warnings,
      status,
      ids: name?.startsWith(`${customer.id} ${organizationId} `),
      name,
      guessed: steps[2]?.status,
    }
  }
  expect(await runOf(['customers:read'])).toEqual({
    ...{ warnings: undefined, status: 'SUCCEEDED', ids: true, guessed: 'SUCCEEDED' },
    name: expect.stringContaining('<Secret LtdSecret LtdSG>'),
  })
  expect(await runOf([])).toEqual({
    warnings: [{ code: 'MISSING_SCOPE', path: 'blocks.0.ref', message: expect.stringContaining('customers:read') }],
    ...{ status: 'SUCCEEDED', ids: true, guessed: 'SKIPPED', name: expect.stringContaining('<>') },
  })
})

test('THR-07: the errors of a run and its steps are hidden from who may not read its data', async () => {
  const owner = await member('OWNER')
  const { organizationId = '' } = owner
  const isError = action('f', 'customers_update', { id: '{{trigger.id}}', email: '{{trigger.name}}' })
  const id = await automate(owner, graphOf([trigger('customer.created'), isError], 'start>f'))
  await owner.call('customers_create', { name: 'Secret Ltd', country: 'SG' })
  await settle(owner)
  const narrow = (await keyOf(owner, ['automations:*'])).holder
  const wide = (await keyOf(owner, ['automations:*', 'customers:read'])).holder
  const spec = { root: 'Run', extract: [{ as: 'error', path: 'Run.error' }] }
  const shownTo = async (who: Someone) => {
    const run = await lastRun(who, id)
    const { runs } = await who.call('automations_runs', { id })
    return [run.error, run.steps[1]?.error, runs[0]?.error, runs[0]?.steps[1]?.error]
  }
  const [error] = await shownTo(owner)
  expect(error).toEqual(expect.stringContaining('email'))
  expect(await shownTo(wide)).toEqual(Array(4).fill(error))
  expect(await shownTo(narrow)).toEqual(Array(4).fill('[hidden: customers]'))
  for (const who of [owner, narrow])
    expect(await who.call('automations_preview', { organizationId, spec } as never)).toMatchObject({
      sample: [{ error: null }],
    })
})

test('THR-07: a delivery shows no answer, reason, path or recipient to who may not read the data of its step', async () => {
  const owner = await member('OWNER')
  const { organizationId = '' } = owner
  const id = await automate(owner, onCategory(action('a', 'customers_list')), { armed: false })
  const deliveriesOf = async (feature: string, reader: Someone) => {
    const runId = await runSoFar(owner, id, [{ block: 'a', output: {}, feature }])
    const values = [organizationId, runId]
    for (const [kind, target] of [
      ['EMAIL', 'secret@example.com'],
      ['WEBHOOK', 'https://hooks.example.com/secret'],
    ])
      await query(
        `insert into automation_deliveries (organization_id, id, step_id, kind, target, attempt, outcome, reason, answer)
         select $1, new_id(), id, $3, $4, 1, 'FAILED', 'secret', 'secret' from automation_steps where run_id = $2`,
        [...values, kind, target],
      )
    return (await reader.call('automations_deliveries', { organizationId, runId })).deliveries
  }
  const narrow = (await keyOf(owner, ['automations:read'])).holder
  const wide = (await keyOf(owner, ['automations:read', 'customers:read'])).holder
  const viewer = await member('VIEWER', { of: owner })
  for (const [feature, reader] of [
    ['customers', narrow],
    ['users+management', viewer],
  ] as const) {
    const shown = await deliveriesOf(feature, reader)
    expect(shown.map(({ target }) => target).sort()).toEqual([
      `[hidden: ${feature}]`,
      `https://hooks.example.com/[hidden: ${feature}]`,
    ])
    expect(JSON.stringify(shown)).not.toContain('secret')
  }
  for (const reader of [wide, viewer, owner])
    expect(await deliveriesOf('customers', reader)).toMatchObject(Array(2).fill({ answer: 'secret', reason: 'secret' }))
})

test('THR-07: a narrow key cannot edit a graph and replay a run to get what the graph before recorded', async () => {
  const owner = await member('OWNER')
  const post = (body: object) => action('w', 'webhook.post', { url: 'https://127.0.0.1/', body })
  const read = action('f', 'bank_accounts_list')
  const fails = { id: 'w', kind: 'CUSTOM' as const }
  const graph = (last: typeof fails | ReturnType<typeof post>) =>
    graphOf([trigger('customer.created'), read, last], 'start>f', 'f>w')
  const id = await automate(owner, graph(fails))
  await owner.call('customers_create', { name: 'Secret Ltd', country: 'SG' })
  await settle(owner)
  const { id: runId, ...run } = await lastRun(owner, id)
  expect(run).toMatchObject({ status: 'FAILED', steps: [{}, { status: 'SUCCEEDED' }, { status: 'FAILED' }] })
  const stolen = graph(post({ all: '{{blocks.f}}', payload: '{{trigger}}' }))
  const missing = (scope: string) => ({
    status: 403,
    message: expect.stringContaining(scope),
    details: [{ code: 'SCOPE' }],
  })
  const narrow = await keyOf(owner, ['automations:*'])
  await edit(narrow.holder, id, stolen)
  for (const who of [narrow.holder, owner])
    await expect(who.call('automations_replay', { id, runId })).rejects.toMatchObject(missing('customers:read'))
  const half = await keyOf(owner, ['automations:*', 'customers:*'])
  await edit(half.holder, id, stolen)
  for (const who of [half.holder, owner])
    await expect(who.call('automations_replay', { id, runId })).rejects.toMatchObject(missing('bank_accounts:read'))
  const harmless = graphOf([trigger('schedule.daily', 'other'), { ...post({ payload: '{{trigger}}' }) }], 'other>w')
  await edit(narrow.holder, id, harmless)
  await expect(narrow.holder.call('automations_replay', { id, runId })).rejects.toMatchObject(missing('customers:read'))
  expect(await lastRun(owner, id)).toMatchObject({ id: runId, status: 'FAILED' })
  expect((await lastRun(owner, id)).steps[2]?.attempt).toBe(run.steps[2]?.attempt)
  await edit(owner, id, graph(fails))
  await expect(half.holder.call('automations_replay', { id, runId })).rejects.toMatchObject({ status: 403 })
  expect(await owner.call('automations_replay', { id, runId })).toMatchObject({ status: 'FAILED' })
  const wide = await keyOf(owner, ['automations:*', 'customers:*', 'bank_accounts:read'])
  await edit(wide.holder, id, graph(fails))
  expect(await wide.holder.call('automations_replay', { id, runId })).toMatchObject({ status: 'FAILED' })
})

test('THR-07: a replay does not give what only a MANAGER may see to the graph of a CONTRIBUTOR', async () => {
  const owner = await member('OWNER')
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const fails = { id: 'w', kind: 'CUSTOM' as const }
  const graph = graphOf([trigger('invoice.paid'), action('f', 'organizations_audit'), fails], 'start>f', 'f>w')
  const id = await automate(owner, graph, { armed: false })
  const { id: runId } = await owner.call('automations_test', { id })
  const stolen = action('w', 'webhook.post', { url: 'https://127.0.0.1/', body: { all: '{{blocks.f}}' } })
  const read = action('f', 'customers_list')
  await edit(cyd, id, graphOf([trigger('invoice.paid'), read, stolen], 'start>f', 'f>w'))
  await expect(owner.call('automations_replay', { id, runId })).rejects.toMatchObject({
    ...{ status: 403, message: expect.stringContaining('MANAGER'), details: [{ code: 'ROLE' }] },
  })
})

test('THR-07: the automations of a revoked key are paused with one notification, until their owner enables them in a session', async () => {
  const owner = await member('OWNER')
  const mia = await member('MANAGER', { of: owner })
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const agent = await keyOf(cyd, ['automations:*', 'expenses:write'])
  const mark = () => onCategory(action('a', 'expense_categories_create', { name: '{{trigger.id}}' }))
  const ids = [
    await automate(agent.holder, mark(), { name: 'One' }),
    await automate(agent.holder, mark(), { name: 'Two' }),
  ]
  const other = await automate(cyd, mark(), { name: 'Other' })
  const [id = ''] = ids
  await owner.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(owner)
  for (const each of [...ids, other]) expect(await lastRun(owner, each)).toMatchObject({ status: 'SUCCEEDED' })
  await cyd.call('api_keys_revoke', { id: agent.id })
  expect(await Promise.all(ids.map((each) => statusOf(owner, each)))).toEqual(['PAUSED_NO_ACCESS', 'PAUSED_NO_ACCESS'])
  expect(await statusOf(owner, other)).toBe('ENABLED')
  for (const who of [owner, mia, cyd]) {
    const notices = await pausedNotices(who)
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({
      text: expect.stringMatching(/Agent.*One.*Two/),
      data: { automations: [{ id }, { id: ids[1] }] },
    })
  }
  const second = await keyOf(cyd, ['automations:*', 'expenses:write'])
  for (const who of [second.holder, owner])
    await expect(who.call('automations_enable', { id })).rejects.toMatchObject({
      status: 403,
      details: [{ code: 'CREDENTIAL_ENDED', message: expect.stringContaining('owner') }],
    })
  await expect(second.holder.call('automations_enable', { id: other })).resolves.toMatchObject({ status: 'ENABLED' })
  expect(await cyd.call('automations_test', { id })).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('API key'),
  })
  expect(await cyd.call('automations_enable', { id })).toMatchObject({ status: 'ENABLED' })
  const run = await cyd.call('automations_test', { id, payload: { id: 'once more' } })
  expect(run).toMatchObject({ status: 'SUCCEEDED' })
  const [latest] = await writesOfRuns(owner)
  expect(latest).toMatchObject({ operation: 'expense_categories_create', apiKeyId: agent.id })
  await edit(second.holder, id, onCategory(action('a', 'customers_list')))
  expect(await cyd.call('automations_test', { id })).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('customers:read'),
  })
  expect((await verify(theApp())).filter(({ id: rule }) => rule === 'THR-07')).toEqual([])
})

test('an expired key acts no more, even before the job has noticed; the job pauses its automations', async () => {
  const owner = await member('OWNER')
  const expiring = await keyOf(owner, ['automations:*', 'customers:*'])
  const graph = () => onCategory(action('a', 'customers_update_patch', { id: '{{trigger.id}}', notes: 'seen' }))
  const ids = [await automate(expiring.holder, graph()), await automate(expiring.holder, graph())]
  const [id = ''] = ids
  await query("update api_keys set expires_at = now() + interval '1 hour' where id = $1", [expiring.id])
  await owner.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(owner)
  expect(await lastRun(owner, id)).toMatchObject({ status: 'SUCCEEDED' })
  // Time passes: the triggers of the table do not see it.
  const expire = () =>
    theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query('alter table api_keys disable trigger user')
      await connection.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [
        expiring.id,
      ])
      await connection.query('alter table api_keys enable trigger user')
      await connection.query('commit')
    })
  await expire()
  expect(await statusOf(owner, id)).toBe('ENABLED')
  await doJob(endCredentials)
  expect(await statusOf(owner, id)).toBe('PAUSED_NO_ACCESS')
  expect(await pausedNotices(owner)).toHaveLength(1)
  // The key lives again, and the automations stay paused.
  await owner.call('api_keys_update', { id: expiring.id, expiresAt: null })
  await expect(expiring.holder.call('automations_enable', { id })).rejects.toMatchObject({ status: 403 })
  for (const each of ids)
    expect(await owner.call('automations_enable', { id: each })).toMatchObject({ status: 'ENABLED' })

  const late = await automate(expiring.holder, graph())
  await expire()
  const { id: customerId } = await owner.call('customers_create', { name: 'Initech', country: 'SG' })
  await query('update customers set notes = null where id = $1', [customerId])
  await settle(owner)
  expect(await lastRun(owner, late)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('API key') })
  expect(await statusOf(owner, late)).toBe('PAUSED_NO_ACCESS')
  expect(await pausedNotices(owner)).toHaveLength(2)
  expect(await lastRun(owner, id)).toMatchObject({ status: 'SUCCEEDED' }) // its owner enabled it since
})

test.each([
  ['email.send', action('b', 'email.send', { to: 'dana@x.test', subject: 'Hello', body: 'Hi' })],
  [
    'a filter',
    {
      id: 'b',
      kind: 'FILTER' as const,
      config: { spec: { root: 'Customer', extract: [{ as: 'id', path: 'Customer.id' }] } },
    },
  ],
])('a key that is revoked during a run stops it before %s', async (_, second) => {
  const owner = await member('OWNER')
  const { id: keyId, holder } = await keyOf(owner, ['automations:*', 'customers:*'])
  const graph = graphOf([trigger('invoice.paid'), action('a', 'customers_list'), second], 'start>a', 'a>b')
  const id = await automate(holder, graph, { armed: false })
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  const before = await query('select 1 from automation_deliveries where organization_id = $1', [owner.organizationId])
  const runId = await runSoFar(owner, id, [])
  const { providers } = theApp()
  const run: typeof providers.run = async (...call) => {
    const answer = await providers.run(...call)
    await owner.call('api_keys_revoke', { id: keyId })
    return answer
  }
  const flags = { [`organization:${owner.organizationId}`]: true as const }
  await doJob(runAutomation, { runId }, { providers: { ...providers, run }, flags })
  const ended = await owner.call('automations_run', { id, runId })
  expect(ended).toMatchObject({ status: 'FAILED', error: expect.stringContaining('API key') })
  expect(ended.steps.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'FAILED'])
  expect(await query('select 1 from automation_deliveries where organization_id = $1', [owner.organizationId])).toEqual(
    before,
  )
})

test('a key that no longer reaches the organization pauses its automations there', async () => {
  const owner = await member('OWNER')
  const cyd = await member('CONTRIBUTOR', { of: owner })
  const { organizationId = '' } = owner
  const { id: keyId, holder } = await keyOf(cyd, ['automations:*', 'customers:*'], {
    organizationIds: [organizationId],
  })
  const id = await automate(owner, onCategory(action('a', 'customers_list')))
  await edit(holder, id, onCategory(action('a', 'customers_list')))
  expect(await owner.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  await query('delete from api_key_organizations where api_key_id = $1', [keyId])
  expect(await statusOf(owner, id)).toBe('PAUSED_NO_ACCESS')
  expect(await pausedNotices(owner)).toHaveLength(1)
})

test('THR-07: the automations of a disconnected app are paused, and the audit log names the app', async () => {
  const owner = await member('OWNER')
  const { organizationId = '' } = owner
  const app = await TestApp.registered(server.url)
  const scope = 'automations:read automations:write customers:write'
  const { access_token } = await app.connected(owner, { scope, organizationIds: [organizationId] })
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { id: string; status: string; warnings?: object[] }
  }
  const graph = onCategory(action('a', 'customers_update_patch', { id: '{{trigger.id}}', notes: 'seen' }), addAccount2)
  const { id, warnings } = await post('/api/automations', { organizationId, name: 'Of the app', ...graph })
  expect(warnings).toMatchObject([{ path: 'blocks.0.ref' }, { code: 'MISSING_SCOPE', path: 'blocks.2.ref' }])
  await edit(owner, id, graph)
  const narrow = onCategory(action('a', 'customers_update_patch', { id: '{{trigger.id}}', notes: 'seen' }))
  const { id: second } = await post('/api/automations', { organizationId, name: 'Second', ...narrow })
  expect(await post(`/api/automations/${second}/enable`, {})).toMatchObject({ status: 'ENABLED' })
  const { id: customerId } = await owner.call('customers_create', { name: 'Globex', country: 'SG' })
  await settle(owner)
  expect(await lastRun(owner, second)).toMatchObject({ status: 'SUCCEEDED' })
  const { entries } = await owner.call('organizations_audit', { objectId: customerId, limit: 1 })
  expect(entries).toMatchObject([{ operation: 'customers_update_patch', clientId: app.id }])
  const [connected] = (await owner.call('users_connected_apps')).apps
  await owner.call('users_connected_app_revoke', { id: connected?.id ?? '' })
  expect(await statusOf(owner, second)).toBe('PAUSED_NO_ACCESS')
  expect(await pausedNotices(owner)).toMatchObject([
    { text: expect.stringContaining('Second'), data: { automations: [{ id: second }] } },
  ])
  expect(await owner.call('automations_enable', { id: second })).toMatchObject({ status: 'ENABLED' })
})

const addAccount2 = { ...addAccount, id: 'b' }

test('the consent page says what the right to change automations means, and only to an app that asks for it', async () => {
  const amy = await member('OWNER')
  const app = await TestApp.registered(server.url)
  const shown = async (scope: string, lang: string) => {
    const browser = new Browser(amy)
    const consent = await browser.ask(app.request({ scope }))
    consent.searchParams.set('lang', lang)
    return (await browser.open(consent)).text()
  }
  const sentence = { en: 'Automations that it saves run on their own later', he: 'אוטומציות שהוא ישמור' }
  for (const lang of ['en', 'he'] as const) {
    expect(await shown('customers:read automations:write', lang)).toContain(sentence[lang])
    expect(await shown('customers:read automations:read', lang)).not.toContain(sentence[lang])
  }
})
