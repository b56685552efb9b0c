import { expect, test } from 'vitest'
import { events } from '../../../catalog/events.ts'
import { featuresOfEvents, joinMarks, markOf, mayReadStep, receivedMark } from './protected-steps.ts'

const block = (input: unknown) => ({
  id: 'mail',
  kind: 'ACTION' as const,
  ref: 'email.send',
  config: { input },
  position: {},
})
const edge = (fromBlockId: string, toBlockId = 'mail') => ({
  id: `${fromBlockId}>${toBlockId}`,
  fromBlockId,
  toBlockId,
  cond: null,
  mode: 'FOR_EACH' as const,
  order: 0,
})
const steps = [
  { blockId: 'slips', feature: 'payroll' },
  { blockId: 'list', feature: 'customers' },
  { blockId: 'start', feature: null },
]

test.each<[string, string | null, unknown, string[]]>([
  ['a field of a payslip', 'payroll', { body: 'Pay {{blocks.slips.0.net}}' }, ['start']],
  ['payslips in a nested field', 'payroll', { body: { lines: ['x', { y: '{{ blocks.slips }}' }] } }, []],
  ['each payslip', 'payroll', { body: '{{item.net}}' }, ['slips']],
  ['an element of another list', 'customers', { body: '{{item.name}}' }, ['list']],
  ['nothing of the payslips, though it runs after them', null, { body: 'Done' }, ['slips']],
  ['names of customers', 'customers', { body: '{{blocks.list.0.name}}' }, ['slips']],
  ['the trigger payload', 'invoices', { body: '{{trigger.slips}}' }, ['slips']],
  ['both', 'invoices+payroll', { body: '{{trigger.id}} {{blocks.slips.0.net}}' }, []],
])('a step that receives %s holds the data of: %s', (_, expected, input, sources) => {
  expect(receivedMark(block(input), sources.map((id) => edge(id)), steps, 'invoices')).toBe(expected)
}) // biome-ignore format: a case a line

test('through FOR_EACH edges in a row the element stays the same, and so does the mark of its list', () => {
  const mail = block({ body: '{{item.net}}' })
  expect(receivedMark(mail, [edge('slips', 'start'), edge('start')], steps)).toBe('payroll')
  expect(receivedMark(mail, [{ ...edge('slips', 'start'), mode: 'ONCE' }, edge('start')], steps)).toBe(null)
})

test('a step holds no data of a feature if what it receives holds none', () => {
  expect(receivedMark(block({ body: '{{blocks.start}} {{trigger.period}}' }), [edge('start')], steps)).toBe(null)
})

test('what the companion answers may be anything: it is hidden from everyone who may not read everything', () => {
  const mark = markOf({ feature: 'companion', role: 'CONTRIBUTOR' })
  expect(mayReadStep(mark, { role: 'MANAGER', scopes: null })).toBe(true)
  expect(mayReadStep(mark, { role: 'MANAGER', scopes: ['*:read'] })).toBe(true)
  expect(mayReadStep(mark, { role: 'CONTRIBUTOR', scopes: null })).toBe(false)
  expect(mayReadStep(mark, { role: 'OWNER', scopes: ['companion:read', 'payroll:read'] })).toBe(false)
})

test('what only managers can read or do is hidden from others, and payroll data from those without access to payroll', () => {
  const operation = { feature: 'users', role: 'MANAGER' } as const
  const mark = markOf(operation)
  expect(mayReadStep(mark, { role: 'MANAGER', scopes: null })).toBe(true)
  expect(mayReadStep(mark, { role: 'CONTRIBUTOR', scopes: null })).toBe(false)
  expect(mayReadStep(markOf({ ...operation, role: 'CONTRIBUTOR' }), { role: 'VIEWER', scopes: null })).toBe(true)
  const both = joinMarks('payroll', mark)
  expect(mayReadStep(both, { role: 'MANAGER', scopes: null })).toBe(true)
  expect(mayReadStep(both, { role: 'MANAGER', scopes: ['users:read'] })).toBe(false)
  expect(mayReadStep(both, { role: 'CONTRIBUTOR', scopes: null })).toBe(false)
})

test('it is known whose data every event holds', () => {
  const areas = new Set(events.map(({ type }) => type.split('.')[0] ?? ''))
  expect([...areas].filter((area) => !(area in featuresOfEvents))).toEqual([])
})

test('a credential needs the scope to read the feature of a step; a person without one reads all that the role allows', () => {
  for (const scopes of [null, ['customers:read'], ['*:read']])
    expect(mayReadStep('customers', { role: 'VIEWER', scopes })).toBe(true)
  expect(mayReadStep('customers', { role: 'OWNER', scopes: ['automations:read'] })).toBe(false)
  expect(mayReadStep('customers+invoices', { role: 'OWNER', scopes: ['customers:read'] })).toBe(false)
  expect(mayReadStep('automations', { role: 'VIEWER', scopes: ['automations:read'] })).toBe(true)
})
