import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { doJob } from '../../../../test/job.ts'
import { hire } from '../../../../test/payroll/company.ts'
import { inputFor } from '../../../../test/rows.ts'
import { member, operationNamed, type Someone, withKey } from '../../../../test/world.ts'
import type { Assistant, Move, TurnInput } from '../turns/assistant.ts'
import { runTurnWith } from '../turns/run-turn.ts'

const wage = 'Dana earns 31,415'
const say = { say: wage }
const employees: Move = { call: 'payroll_employees_list', input: {} }
const customers: Move = { call: 'customers_list', input: {} }

/** Says something to the companion, which makes these moves; returns the turn and what it was given. */
async function talk(amy: Someone, sessionId: string, ...moves: Move[]) {
  const { turnRunId } = await amy.call('companion_write_sessions', {
    ...{ organizationId: String(amy.organizationId), sessionId, text: 'Tell me' },
  })
  let given: TurnInput | undefined
  const assistant: Assistant = async function* (turn) {
    given = turn
    for (const move of moves) yield move
    turn.remember({ wage })
  }
  const flags = { [`organization:${amy.organizationId}`]: true as const }
  await doJob(
    runTurnWith(() => assistant),
    { turnId: turnRunId },
    { flags },
  )
  return { turnRunId, given }
}

/** Everything that a reader gets of a session, as text. */
async function allOf(reader: Someone, sessionId: string, turnRunId: string) {
  const session = await reader.call('companion_read_session', { id: sessionId })
  const turn = await reader.call('companion_read_turn', { id: turnRunId })
  const stream = await reader.call('companion_read_stream', { id: sessionId })
  const log = await reader.call('companion_read_runlog', { id: sessionId })
  const file = await reader.request(operationNamed('companion_read_export'), { id: sessionId })
  const told = stream.events.map(({ data }) => ('delta' in data ? data.delta : JSON.stringify(data))).join('')
  const tokens = turn.tokens.map(({ delta }) => delta).join('')
  return JSON.stringify([session, turn, log, String(file.body)]) + told + tokens
}

const newSession = () => `s-${newId()}`
const company = async () => {
  const owner = await member('OWNER')
  await hire(owner, { residencyStatus: 'CITIZEN' })
  return { owner, amy: await member('MANAGER', { of: owner }), id: newSession() }
}
const demote = (owner: Someone, { userId }: Someone, role: string) =>
  owner.call('users_member_update', { id: String(owner.organizationId), userId, role } as never)

test('an app that reads conversations reads nothing that was made with tools which it may not use', async () => {
  const { amy, id } = await company()
  const { turnRunId } = await talk(amy, id, employees, say)
  const app = await withKey(amy, ['companion:read'])
  for (const part of [wage, '"employees"']) expect(await allOf(amy, id, turnRunId)).toContain(part)
  const seen = await allOf(app, id, turnRunId)
  expect(seen).not.toContain(wage)
  expect(seen).not.toContain('"employees"')
  const { messages } = await app.call('companion_read_session', { id })
  expect(messages).toMatchObject([{ text: 'Tell me' }, { role: 'assistant', text: expect.stringContaining('hidden') }])
  expect(await allOf(await withKey(amy, ['companion:read', 'payroll:read']), id, turnRunId)).toContain(wage)
})

test('a person with a lower role since does not read it either, and reads what the lower role still may', async () => {
  const { owner, amy, id } = await company()
  const { turnRunId } = await talk(amy, id, employees, say)
  const other = newSession()
  const ofCustomers = await talk(amy, other, customers, { say: 'You have no customers' })
  await demote(owner, amy, 'VIEWER')
  expect(await allOf(amy, id, turnRunId)).not.toContain(wage)
  expect(await allOf(amy, other, ofCustomers.turnRunId)).toContain('You have no customers')
})

test('a later turn that was given the earlier answers is as hidden as they are', async () => {
  const { amy, id } = await company()
  await talk(amy, id, employees, say)
  const { turnRunId, given } = await talk(amy, id, { say: `As I said, ${wage}` })
  expect(given?.history.map(({ text }) => text)).toContain(wage)
  expect(given?.memory).toEqual({ wage })
  expect(await allOf(await withKey(amy, ['companion:read', 'customers:read']), id, turnRunId)).not.toContain(wage)
})

test('an app that goes on with a conversation is not given what it may not read', async () => {
  const { amy, id } = await company()
  await talk(amy, id, employees, say)
  const app = await withKey(amy, ['companion:read', 'companion:write', 'customers:read'])
  const { given, turnRunId } = await talk(app, id, customers, { say: 'You have no customers' })
  expect(given?.history.map(({ text }) => text)).toEqual(['Tell me'])
  expect(given?.memory).toBe(null)
  const turn = await app.call('companion_read_turn', { id: turnRunId })
  expect(turn.tokens.map(({ delta }) => delta).join('')).toBe('You have no customers')
})

test('what answers by all rights of its caller is read with all of them', async () => {
  const { owner, amy, id } = await company()
  const search: Move = { call: 'search_everything', input: { query: 'Dana' } }
  const { turnRunId } = await talk(amy, id, search, say)
  const app = await withKey(amy, ['companion:read', 'organizations:read'])
  expect(await allOf(app, id, turnRunId)).not.toContain(wage)
  await demote(owner, amy, 'VIEWER')
  expect(await allOf(amy, id, turnRunId)).not.toContain(wage)
  await demote(owner, amy, 'OWNER')
  expect(await allOf(amy, id, turnRunId)).toContain(wage)
})

test.each([
  ['dashboard_get', ['invoices:read']],
  ['orders_match', ['orders:read']],
  ['orders_chain', ['orders:read']],
])('what %s shows to callers with further scopes is read with all rights of the turn', async (call, scopes) => {
  const { amy, id } = await company()
  const { organizationId: _, ...input } = await inputFor(operationNamed(call), amy)
  const { turnRunId } = await talk(amy, id, { call, input }, say)
  const turn = await amy.call('companion_read_turn', { id: turnRunId })
  expect(turn.steps).toMatchObject([{ ref: call, status: 'SUCCEEDED' }])
  expect(await allOf(await withKey(amy, ['companion:read', ...scopes]), id, turnRunId)).not.toContain(wage)
})

test('an app cannot answer a question that it may not read', async () => {
  const { amy, id } = await company()
  const pay: Move = { call: 'payroll_advance', input: { counterpartyId: newId(), amount: 5, paidAt: '2026-01-31' } }
  await talk(amy, id, employees, say, pay)
  const app = await withKey(amy, ['companion:read', 'companion:write'])
  const { turnRunId } = await talk(app, id, { say: 'Hello' })
  const turn = await app.call('companion_read_turn', { id: turnRunId })
  expect(turn.tokens.map(({ delta }) => delta).join('')).toBe('Hello')
})
