import '../../../../test/own-world.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { Connection } from '../../../../db/wire/connection.ts'
import { doJob } from '../../../../test/job.ts'
import { findJobs, removeJobs } from '../../../../test/queue.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp, withKey } from '../../../../test/world.ts'
import type { Assistant, Move, ToolResult } from './assistant.ts'
import { expireQuestions, requeueLostTurns, runTurnWith } from './run-turn.ts'

/** An assistant that makes these moves, whatever is said, and keeps the results. */
function scripted(...moves: Move[]) {
  const results: (ToolResult | undefined)[] = []
  const assistant: Assistant = async function* (turn) {
    for (const move of moves) results.push(yield move)
    turn.remember({ moves: moves.length })
  }
  return { assistant, results }
}

/** Works on a turn as a worker does. */
const work = (amy: Someone, turnId: string, assistant: Assistant, attempts = 1) =>
  doJob(
    runTurnWith(() => assistant),
    { turnId },
    { attempts, flags: { [`organization:${amy.organizationId}`]: true } },
  )

const newSession = () => `s-${newId()}`
const start = (amy: Someone, text = 'Hello', sessionId = newSession()) =>
  amy.call('companion_write_sessions', { organizationId: String(amy.organizationId), sessionId, text })

test('a turn streams its text, records its steps and becomes a message', async () => {
  const amy = await member('OWNER')
  const { sessionId, turnRunId } = await start(amy, 'Which customers do we have?')
  expect(await amy.call('companion_read_turn', { id: turnRunId })).toMatchObject({
    status: 'RUNNING',
    steps: [],
    tokens: [],
  })
  const { assistant, results } = scripted(
    { say: 'Let me ' },
    { call: 'customers_list', input: { limit: 5 } },
    { say: 'look.' },
  )
  await work(amy, turnRunId, assistant)
  const turn = await amy.call('companion_read_turn', { id: turnRunId })
  expect(turn).toMatchObject({
    sessionId,
    status: 'SUCCEEDED',
    error: null,
    steps: [{ kind: 'TOOL', ref: 'customers_list', input: { limit: 5 }, status: 'SUCCEEDED', turnRunId }],
  })
  expect(results[1]).toMatchObject({ ok: true, output: { customers: [] } })
  expect(turn.tokens.map(({ delta }) => delta).join('')).toBe('Let me look.')
  const [first] = turn.tokens
  expect((await amy.call('companion_read_turn', { id: turnRunId, afterSeq: first?.seq ?? 0 })).tokens).toHaveLength(1)
  const session = await amy.call('companion_read_session', { id: sessionId })
  expect(session).toMatchObject({
    title: 'Which customers do we have?',
    live: false,
    activeTurnRunId: null,
    messages: [
      { role: 'user', index: 1, text: 'Which customers do we have?', attachments: null, turnRunId },
      { role: 'assistant', index: 2, text: 'Let me look.', turnRunId },
    ],
  })
})

test('an effect waits for the word of the person, and a yes executes exactly that call once', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { sessionId, turnRunId } = await start(amy, 'Delete Globex')
  await work(amy, turnRunId, scripted({ call: 'customers_delete', input: { id } }, { say: 'never said' }).assistant)
  const asked = await amy.call('companion_read_turn', { id: turnRunId })
  expect(asked).toMatchObject({
    status: 'SUCCEEDED',
    steps: [{ ref: 'customers_delete', status: 'PENDING', input: { id } }],
  })
  expect(asked.tokens.map(({ delta }) => delta).join('')).toMatch(/Say yes/)
  await amy.call('customers_get', { id })
  const yes = await amy.call('companion_write_messages', { id: sessionId, text: 'Yes!' })
  await work(amy, yes.turnRunId, scripted({ say: 'not asked' }).assistant)
  expect(await amy.call('companion_read_turn', { id: yes.turnRunId })).toMatchObject({
    status: 'SUCCEEDED',
    steps: [{ id: asked.steps[0]?.id, status: 'SUCCEEDED' }],
  })
  await expect(amy.call('customers_get', { id })).rejects.toMatchObject({ status: 404 })
  const { entries } = await amy.call('organizations_audit', { operation: 'customers_delete' })
  expect(entries).toMatchObject([{ source: 'COMPANION', requestId: `turn:${yes.turnRunId}` }])
})

test('what a preview was read with is noted in one statement, before the person is asked', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'DRAFT' })
  const { turnRunId } = await start(amy, 'It was paid')
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
  const sent = vi.spyOn(Connection.prototype, 'query')
  onTestFinished(() => sent.mockRestore())
  await work(amy, turnRunId, scripted({ call: 'invoices_mark_paid', input: { id, ...paid } }).assistant)
  const texts = sent.mock.calls.map(([text]) => text)
  const notes = texts.flatMap((text, at) => (/^update "companion_turns" set "fed_by"/.test(text) ? at : []))
  expect(notes).toHaveLength(3) // the rights of the turn, what was read for the preview, and the call that waits
  expect(texts.findIndex((text) => text.includes('begin_step('))).toBeGreaterThan(notes[2] ?? Number.NaN)
  const { rows } = await theApp().system.raw.query('select fed_by from companion_turns where id = $1', [turnRunId])
  expect(rows).toEqual([{ fed_by: expect.arrayContaining(['invoices_get', 'settings_get', 'invoices_mark_paid']) }])
})

test.for(['No', 'yes, but tomorrow', 'What would that do?', 'send it', 'yes?', 'Yes\u200b'])(
  'after %j an effect is not executed, nor by a later yes',
  async (answer) => {
    const amy = await member('OWNER')
    const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
    const { sessionId, turnRunId } = await start(amy, 'Delete Globex')
    await work(amy, turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
    for (const text of [answer, 'Yes']) {
      const next = await amy.call('companion_write_messages', { id: sessionId, text })
      await work(amy, next.turnRunId, scripted({ say: 'Hm.' }).assistant)
    }
    await amy.call('customers_get', { id })
    expect((await amy.call('companion_read_runlog', { id: sessionId })).steps).toMatchObject([{ status: 'SKIPPED' }])
  },
)

test('the button executes the step; pressed twice it is refused', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { turnRunId } = await start(amy, 'Delete Globex')
  await work(amy, turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
  const [first, second] = [
    await amy.call('companion_write_confirm', { id: turnRunId }),
    await amy.call('companion_write_confirm', { id: turnRunId }),
  ]
  await work(amy, first.turnRunId, scripted().assistant)
  await work(amy, second.turnRunId, scripted().assistant)
  await expect(amy.call('customers_get', { id })).rejects.toMatchObject({ status: 404 })
  await expect(amy.call('companion_write_confirm', { id: turnRunId })).rejects.toMatchObject({ status: 409 })
  expect((await amy.call('companion_read_turn', { id: second.turnRunId })).steps).toEqual([])
})

test('a question that nobody answered for an hour is no longer one', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { sessionId, turnRunId } = await start(amy, 'Delete Globex')
  await work(amy, turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
  await theApp().system.raw.query(
    "update companion_steps set expires_at = now() - interval '1 second' where turn_id = $1",
    [turnRunId],
  )
  expect((await amy.call('companion_read_turn', { id: turnRunId })).steps).toMatchObject([{ status: 'SKIPPED' }])
  await expect(amy.call('companion_write_confirm', { id: turnRunId })).rejects.toMatchObject({ status: 409 })
  const yes = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await work(amy, yes.turnRunId, scripted({ say: 'Yes to what?' }).assistant)
  await amy.call('customers_get', { id })
})

test('turns of a session run one after the other', async () => {
  const amy = await member('OWNER')
  const { sessionId, turnRunId } = await start(amy)
  const second = await amy.call('companion_write_messages', { id: sessionId, text: 'And?' })
  await work(amy, second.turnRunId, scripted({ say: 'too early' }).assistant)
  expect(await amy.call('companion_read_turn', { id: second.turnRunId })).toMatchObject({
    status: 'RUNNING',
    tokens: [],
  })
  await work(amy, turnRunId, scripted({ say: 'One.' }).assistant)
  await work(amy, second.turnRunId, scripted({ say: 'Two.' }).assistant)
  const { messages } = await amy.call('companion_read_session', { id: sessionId })
  expect(messages.map(({ text }) => text)).toEqual(['Hello', 'And?', 'One.', 'Two.'])
})

test('a cancelled turn does nothing more, and keeps what it said', async () => {
  const amy = await member('OWNER')
  const { sessionId, turnRunId } = await start(amy)
  const assistant: Assistant = async function* () {
    yield { say: 'Wait' }
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await amy.call('companion_write_cancel_turn', { id: turnRunId })).toEqual({
      id: turnRunId,
      status: 'CANCELLED',
    })
    yield { call: 'customers_create', input: { name: 'Never', country: 'SG' } }
  }
  await work(amy, turnRunId, assistant)
  expect(await amy.call('companion_read_turn', { id: turnRunId })).toMatchObject({ status: 'CANCELLED', steps: [] })
  expect((await amy.call('companion_read_session', { id: sessionId })).messages[1]).toMatchObject({ text: 'Wait' })
  expect((await amy.call('customers_list')).customers).toEqual([])
  expect(await amy.call('companion_write_cancel_turn', { id: turnRunId })).toEqual({
    id: turnRunId,
    status: 'CANCELLED',
  })
})

test('a turn whose job was lost ends as FAILED with a reason, and what it did is done once', async () => {
  const amy = await member('OWNER')
  const { sessionId, turnRunId } = await start(amy)
  const next = await amy.call('companion_write_messages', { id: sessionId, text: 'And?' })
  const lost: Assistant = async function* () {
    yield { call: 'customers_create', input: { name: 'Once', country: 'SG' } }
    await work(
      amy,
      turnRunId,
      scripted({ call: 'customers_create', input: { name: 'Twice', country: 'SG' } }).assistant,
      2,
    )
    yield { call: 'customers_create', input: { name: 'Late', country: 'SG' } }
  }
  await work(amy, turnRunId, lost)
  expect(await amy.call('companion_read_turn', { id: turnRunId })).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(/server stopped/),
    steps: [{ ref: 'customers_create', status: 'SUCCEEDED' }],
  })
  expect((await amy.call('customers_list')).customers).toMatchObject([{ name: 'Once' }])
  await work(amy, next.turnRunId, scripted({ say: 'Next.' }).assistant)
  expect(await amy.call('companion_read_turn', { id: next.turnRunId })).toMatchObject({ status: 'SUCCEEDED' })
})

test('a turn has the rights of the credential of its message, and stays in its organization', async () => {
  const amy = await member('OWNER')
  const other = await amy.call('organizations_create', { name: 'Other', country: 'US' })
  const abroad = await amy.call('customers_create', { organizationId: other.id, name: 'Abroad', country: 'US' })
  const { turnRunId } = await start(amy)
  const { assistant, results } = scripted(
    { call: 'customers_get', input: { id: abroad.id } },
    { call: 'customers_list', input: { organizationId: other.id } },
    { call: 'users_me', input: {} },
    { call: 'companion_read_sessions', input: {} },
    { call: 'api_keys_list', input: {} },
    { call: 'customers_list', input: { limit: 'many' } },
  )
  await work(amy, turnRunId, assistant)
  expect(results.map((result) => result && !result.ok && result.code)).toEqual([
    'NOT_FOUND', 'ORGANIZATION', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'VALIDATION',
  ]) // biome-ignore format: a list of words
})

test('a key that is revoked during a turn can do nothing more', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const { turnRunId } = await start(key as Someone)
  await theApp().system.raw.query('update api_keys set revoked_at = now() where user_id = $1', [amy.userId])
  await work(amy, turnRunId, scripted({ call: 'customers_list', input: {} }).assistant)
  expect(await amy.call('companion_read_turn', { id: turnRunId })).toMatchObject({ status: 'FAILED', steps: [] })
})

test('a session is private to its person', async () => {
  const amy = await member('OWNER')
  const bob = await member('MANAGER', { of: amy })
  const { sessionId, turnRunId } = await start(amy, 'My secret plan')
  await expect(bob.call('companion_read_session', { id: sessionId })).rejects.toMatchObject({ status: 404 })
  await expect(bob.call('companion_read_turn', { id: turnRunId })).rejects.toMatchObject({ status: 404 })
  await expect(bob.call('companion_write_cancel_turn', { id: turnRunId })).rejects.toMatchObject({ status: 404 })
  expect((await bob.call('companion_read_sessions')).sessions).toEqual([])
  await start(bob, 'Mine', sessionId)
  expect((await bob.call('companion_read_session', { id: sessionId })).messages).toHaveLength(1)
})

test('a job ends questions that nobody answered, and turns without a job get one', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const asked = await start(amy, 'Delete Globex')
  await work(amy, asked.turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
  const { turnRunId } = await start(amy)
  const ask = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows
  await ask("update companion_steps set expires_at = now() - interval '1 second' where turn_id = $1", [asked.turnRunId])
  await doJob(expireQuestions)
  expect(await ask('select status, error from companion_steps where turn_id = $1', [asked.turnRunId])).toEqual([
    { status: 'SKIPPED', error: 'Nobody answered within an hour.' },
  ])
  const ofTurn = "payload::text like '%' || $1 || '%'"
  await removeJobs(ofTurn, [turnRunId])
  await ask("update companion_turns set started_at = now() - interval '2 minutes' where id = $1", [turnRunId])
  await doJob(requeueLostTurns)
  expect(await findJobs(ofTurn, [turnRunId])).toHaveLength(1)
})

/** Asks to delete a customer, and returns the turn that asks. */
async function askToDelete(amy: Someone) {
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const asked = await start(amy, 'Delete Globex')
  await work(amy, asked.turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
  return { id, ...asked }
}

test('a yes that was written before the question does not answer it', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const { sessionId, turnRunId } = await start(amy, 'Delete Globex')
  const early = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await work(amy, turnRunId, scripted({ call: 'customers_delete', input: { id } }).assistant)
  await work(amy, early.turnRunId, scripted().assistant)
  await amy.call('customers_get', { id })
  const late = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await work(amy, late.turnRunId, scripted().assistant)
  await expect(amy.call('customers_get', { id })).rejects.toMatchObject({ status: 404 })
})

test('cancelling the turn of the word, or one that failed, ends the question', async () => {
  const amy = await member('OWNER')
  const { id, sessionId } = await askToDelete(amy)
  const yes = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await amy.call('companion_write_cancel_turn', { id: yes.turnRunId })
  await work(amy, yes.turnRunId, scripted().assistant)
  const again = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await work(amy, again.turnRunId, scripted({ say: 'To what?' }).assistant)
  await amy.call('customers_get', { id })
  expect((await amy.call('companion_read_runlog', { id: sessionId })).steps).toMatchObject([{ status: 'SKIPPED' }])
})

test('a record that changed after the question is asked about again', async () => {
  const amy = await member('OWNER')
  const { id, sessionId } = await askToDelete(amy)
  await amy.call('customers_update_patch', { id, email: 'other@example.com' })
  const yes = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  await work(amy, yes.turnRunId, scripted().assistant)
  await amy.call('customers_get', { id })
  const { steps } = await amy.call('companion_read_runlog', { id: sessionId })
  expect(steps.map(({ status }) => status)).toEqual(['PENDING', 'SKIPPED'])
})

/** Says yes; before each attempt at the call, `meanwhile` writes something. */
async function sayYesWhile(amy: Someone, sessionId: string, meanwhile: (attempt: number) => Promise<unknown>) {
  const { turnRunId: turnId } = await amy.call('companion_write_messages', { id: sessionId, text: 'yes' })
  const { providers } = theApp()
  let attempts = 0
  const run: typeof providers.run = async (operation, call) => {
    if (operation.name === 'customers_delete') await meanwhile(++attempts)
    return providers.run(operation, call)
  }
  const flags = { [`organization:${amy.organizationId}`]: true as const }
  await doJob(
    runTurnWith(() => scripted().assistant),
    { turnId },
    { flags, providers: { ...providers, run } },
  )
  const { steps } = await amy.call('companion_read_runlog', { id: sessionId })
  return { attempts, statuses: steps.map(({ status }) => status) }
}

describe('between the last look and the call', () => {
  test('a change of the record rolls the call back, and the person is asked again', async () => {
    const amy = await member('OWNER')
    const { id, sessionId } = await askToDelete(amy)
    const change = () => amy.call('customers_update_patch', { id, email: 'other@example.com' })
    expect(await sayYesWhile(amy, sessionId, change)).toEqual({ attempts: 1, statuses: ['PENDING', 'FAILED'] })
    await amy.call('customers_get', { id })
  })

  test('a change of anything else only repeats the look and the call', async () => {
    const amy = await member('OWNER')
    const { id, sessionId } = await askToDelete(amy)
    const change = async (attempt: number) =>
      attempt <= 2 && (await amy.call('customers_create', { name: 'Other', country: 'SG' }))
    expect(await sayYesWhile(amy, sessionId, change)).toEqual({ attempts: 3, statuses: ['SUCCEEDED'] })
    await expect(amy.call('customers_get', { id })).rejects.toMatchObject({ status: 404 })
  })

  test('changes of another organization do not count', async () => {
    const [amy, bob] = [await member('OWNER'), await member('OWNER')]
    const { sessionId } = await askToDelete(amy)
    const change = () => bob.call('customers_create', { name: 'Other', country: 'SG' })
    expect(await sayYesWhile(amy, sessionId, change)).toEqual({ attempts: 1, statuses: ['SUCCEEDED'] })
  })

  test('nothing is done if the books never stand still', async () => {
    const amy = await member('OWNER')
    const { id, sessionId } = await askToDelete(amy)
    const change = () => amy.call('customers_create', { name: 'Other', country: 'SG' })
    expect(await sayYesWhile(amy, sessionId, change)).toEqual({ attempts: 8, statuses: ['FAILED'] })
    await amy.call('customers_get', { id })
  })
})

test('an effect outside the database is recorded even if the turn was cancelled meanwhile; any other is refused', async () => {
  const amy = await member('OWNER')
  const { sessionId, turnRunId } = await start(amy)
  const lease = newId()
  const ask = async (text: string, values: unknown[]) =>
    theApp().system.use(async (_, connection) => {
      const context = "select set_config('app.organization', $1, false), set_config('app.person', $2, false)"
      await connection.query(context, [amy.organizationId, amy.userId])
      await connection.query(text, values)
      await connection.query(context, ['', ''])
    })
  const [sent, written] = [newId(), newId()]
  await ask("update companion_turns set lease = $1, held_until = now() + interval '1 minute' where id = $2", [
    lease,
    turnRunId,
  ])
  for (const step of [sent, written])
    await ask("select begin_step($1, $2, $3, 'invoices_send', '{}', 'RUNNING', null, null)", [turnRunId, lease, step])
  await amy.call('companion_write_cancel_turn', { id: turnRunId })
  const end = "select end_step($1, $2, $3, 'SUCCEEDED', '{}', null, $4)"
  await ask(end, [turnRunId, lease, sent, true])
  await expect(ask(end, [turnRunId, lease, written, false])).rejects.toMatchObject({ constraint: 'turn_has_ended' })
  const { steps } = await amy.call('companion_read_runlog', { id: sessionId })
  expect(Object.fromEntries(steps.map(({ id, status }) => [id, status]))).toEqual({
    [sent]: 'SUCCEEDED',
    [written]: 'FAILED',
  })
})

test('a result that is cut in the middle of a character is stored', async () => {
  const amy = await member('OWNER')
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'])
    await amy.call('customers_create', { name, country: 'SG', notes: `x${'😀'.repeat(4_900)}` })
  const { turnRunId } = await start(amy)
  await work(
    amy,
    turnRunId,
    scripted({ call: 'customers_list', input: { limit: 25 } }, { say: '\ud83d cut \u0000' }).assistant,
  )
  const turn = await amy.call('companion_read_turn', { id: turnRunId })
  expect(turn).toMatchObject({ status: 'SUCCEEDED', steps: [{ status: 'SUCCEEDED', output: { truncated: true } }] })
  expect(turn.tokens[0]?.delta).toBe('\ufffd cut \ufffd')
})

test('the results of tools that the person may no longer use are hidden', async () => {
  const owner = await member('OWNER')
  const amy = await member('MANAGER', { of: owner })
  const { sessionId, turnRunId } = await start(amy)
  await work(amy, turnRunId, scripted({ call: 'organizations_audit', input: {} }).assistant)
  const shown = async () => (await amy.call('companion_read_session', { id: sessionId })).steps[0]?.output
  expect(await shown()).toHaveProperty('entries')
  await owner.call('users_member_update', { id: String(owner.organizationId), userId: amy.userId, role: 'VIEWER' })
  expect(await shown()).toEqual({ hidden: true, reason: 'You may not use this tool now.' })
})

test('a worker has four turns with a language model at a time, and looks at others again later', async () => {
  const amy = await member('OWNER')
  const turns = []
  for (let n = 0; n < 5; n++) turns.push((await start(amy)).turnRunId)
  let [running, most] = [0, 0]
  const slow: Assistant = async function* () {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 300))
    running--
    yield { say: 'Done.' }
  }
  const providers = { ...theApp().providers, conversation: {} as never }
  const flags = { [`organization:${amy.organizationId}`]: true as const }
  await Promise.all(
    turns.map((turnId) =>
      doJob(
        runTurnWith(() => slow),
        { turnId },
        { flags, providers },
      ),
    ),
  )
  const statuses = await Promise.all(turns.map(async (id) => (await amy.call('companion_read_turn', { id })).status))
  expect({ most, statuses: statuses.toSorted() }).toEqual({
    most: 4,
    statuses: ['RUNNING', ...Array(4).fill('SUCCEEDED')],
  })
})
