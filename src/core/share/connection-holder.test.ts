import { expect, test } from 'vitest'
import { operationNamed } from '../../test/world.ts'
import type { Authorization } from '../run/authorize.ts'
import type { Call } from '../run/call.ts'
import { newId } from '../values/id.ts'
import { createHolders } from './connection-holder.ts'

const [acme, globex, amy] = [newId(), newId(), newId()]
const get = operationNamed('customers_get')
const list = operationNamed('customers_list')
const keys = operationNamed('api_keys_list')

const callOf = (input: Record<string, unknown> = {}, caller: Partial<Call['caller']> = {}): Call => ({
  caller: { source: 'API_KEY', credential: null, requestId: '1', ...caller },
  input,
  trace: {},
})
const authorized = (organizationId: string | null, userId: string | null = amy) =>
  ({ organizationId, userId }) as Authorization

test('a credential that was not seen yet has a limit of its own and one with all others like it', () => {
  expect(createHolders().holderOf(get, callOf(), 'key').subjects).toEqual(['key', 'newcomers'])
})

test('from its first call on, a credential counts against its person and the organization of its last call', () => {
  const holders = createHolders()
  const first = holders.holderOf(get, callOf(), 'key')
  first.authorized(authorized(acme))
  expect(first.subjects).toEqual([`organization:${acme}`, `person:${amy}`])
  expect(holders.holderOf(get, callOf(), 'key').subjects).toEqual(first.subjects)
  for (const organizationId of [acme, acme.toUpperCase()])
    expect(holders.holderOf(list, callOf({ organizationId }), 'key').subjects).toEqual(first.subjects)
  for (const personal of [holders.holderOf(list, callOf(), 'key'), holders.holderOf(keys, callOf(), 'key')])
    expect(personal.subjects).toEqual([`person:${amy}`])
})

test('INV-18: the id of an organization counts only where the database has shown that the caller belongs to it', () => {
  const holders = createHolders()
  holders.holderOf(get, callOf(), 'key').authorized(authorized(acme))
  const foreign = holders.holderOf(list, callOf({ organizationId: globex }), 'key')
  expect(foreign.subjects).toEqual([`person:${amy}`])
  foreign.authorized(authorized(null))
  expect(foreign.subjects).toEqual([`person:${amy}`])
  expect(holders.holderOf(get, callOf(), 'key').subjects).toEqual([`person:${amy}`])
})

test('a credential that has ended is a newcomer again', () => {
  const holders = createHolders()
  holders.holderOf(get, callOf(), 'key').authorized(authorized(acme))
  holders.holderOf(get, callOf(), 'key').authorized(authorized(null, null))
  expect(holders.holderOf(get, callOf(), 'key').subjects).toEqual(['key', 'newcomers'])
})

test('the holder of a link counts against the organization of the link, and a step of an automation against its person', () => {
  const holders = createHolders()
  const link = { source: 'LINK' as const, link: { organizationId: acme } }
  expect(holders.holderOf(get, callOf({}, link), 'link').subjects).toEqual([`organization:${acme}`])
  const step = { source: 'AUTOMATION' as const, userId: amy }
  expect(holders.holderOf(get, callOf({}, step), `user:${amy}`).subjects).toEqual([`person:${amy}`])
})

test('a call that holds a connection counts against its organization as soon as it is authorized', () => {
  const holder = createHolders().holderOf(get, callOf(), 'key')
  const counted: (readonly string[])[] = []
  holder.turn = { countAs: (subjects) => void counted.push(subjects), leave() {} }
  holder.authorized(authorized(acme))
  expect(counted).toEqual([[`organization:${acme}`, `person:${amy}`]])
})
