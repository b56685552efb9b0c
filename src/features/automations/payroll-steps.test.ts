import { expect, test } from 'vitest'
import { takesPayroll } from './payroll-steps.ts'

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
  ['what a payslip said', true, { body: 'Pay {{blocks.slips.0.net}}' }, ['start']],
  ['it deep inside', true, { body: { lines: ['x', { y: '{{ blocks.slips }}' }] } }, []],
  ['each payslip', true, { body: '{{item.net}}' }, ['slips']],
  ['an element of another list', false, { body: '{{item.name}}' }, ['list']],
  ['nothing of it, though it comes after', false, { body: 'Done' }, ['slips']],
  ['what customers are called', false, { body: '{{blocks.list.0.name}}' }, ['slips']],
  ['what started the run', false, { body: '{{trigger.slips}}' }, ['slips']],
])('a step that is given %s is payroll: %s', (_, expected, input, sources) => {
  expect(takesPayroll(block(input), sources.map((id) => edge(id)), steps)).toBe(expected)
}) // biome-ignore format: a case a line

test('without a step of payroll nothing is', () => {
  expect(takesPayroll(block({ body: '{{blocks.list}}' }), [edge('list')], steps.slice(1))).toBe(false)
})
