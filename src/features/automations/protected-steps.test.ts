import { expect, test } from 'vitest'
import { joinMarks, markOf, mayReadStep, receivedMark } from './protected-steps.ts'

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

test.each<[string, boolean, unknown, string[]]>([
  ['a field of a payslip', true, { body: 'Pay {{blocks.slips.0.net}}' }, ['start']],
  ['payslips in a nested field', true, { body: { lines: ['x', { y: '{{ blocks.slips }}' }] } }, []],
  ['each payslip', true, { body: '{{item.net}}' }, ['slips']],
  ['an element of another list', false, { body: '{{item.name}}' }, ['list']],
  ['nothing of the payslips, though it runs after them', false, { body: 'Done' }, ['slips']],
  ['names of customers', false, { body: '{{blocks.list.0.name}}' }, ['slips']],
  ['the trigger payload', false, { body: '{{trigger.slips}}' }, ['slips']],
])('a step that receives %s holds payroll data: %s', (_, expected, input, sources) => {
  expect(receivedMark(block(input), sources.map((id) => edge(id)), steps)).toBe(expected ? 'payroll' : null)
}) // biome-ignore format: a case a line

test('no step holds payroll data if no earlier step does', () => {
  expect(receivedMark(block({ body: '{{blocks.list}}' }), [edge('list')], steps.slice(1))).toBe(null)
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
