import { expect, test } from 'vitest'
import { action, automate, carryOn, graphOf, runSoFar, trigger } from '../../../../test/automations/automations.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { member, theApp } from '../../../../test/world.ts'
import { toStored } from './stored-values.ts'

const output = { apiKey: 'k-1', list: [{ token: 't' }], link: 'https://x.test/?sig=abc&a=1', note: 'plain' }

/** Runs one block after a block `h` with the output above, as it is stored. */
async function after(block: Parameters<typeof graphOf>[0][number], mode: '>' | '*' = '>') {
  const amy = await member('CONTRIBUTOR')
  const { organizationId = '' } = amy
  const graph = graphOf(
    [trigger('invoice.paid'), action('h', 'customers_list'), block],
    'start>h',
    `h${mode}${block.id}`,
  )
  const id = await automate(amy, graph, { armed: false })
  const runId = await runSoFar(amy, id, [
    { block: 'start', output: {} },
    { block: 'h', output: toStored(output).value },
  ])
  await carryOn(organizationId, runId)
  return { run: await amy.call('automations_run', { id, runId }), organizationId }
}

test.each([
  ['{{blocks.h.apiKey}}', 'config.input.body.x'],
  ['Bearer {{blocks.h.apiKey}}', 'config.input.body.x'],
  ['{{blocks.h}}', 'config.input.body.x'],
  ['{{blocks.h.list.0.token}}', 'config.input.body.x'],
  ['{{blocks.h.list}}', 'config.input.body.x'],
  ['{{blocks.h.link}}', 'config.input.body.x'],
])(
  'INV-20: a webhook with %s, a secret that was not stored, fails instead of sending its marker',
  async (bound, at) => {
    const { heard, url } = await receiver()
    const { run } = await after(action('out', 'webhook.post', { url, body: { x: bound } }))
    expect(run).toMatchObject({ status: 'FAILED', steps: { 2: { blockId: 'out', status: 'FAILED' } } })
    for (const named of ['out', at, 'secret']) expect(run.error).toContain(named)
    expect(heard).toEqual([])
  },
)

test('INV-20: mail, operations and filters fail too', async () => {
  const spec = { root: 'Customer', predicates: [{ object: 'Customer', field: 'name', op: 'ne', value: '{{blocks.h.apiKey}}' }], extract: [{ as: 'id', path: 'Customer.id' }] }
  const blocks = [
    action('out', 'email.send', { to: 'a@a.test', subject: 'x', body: 'Key: {{blocks.h.apiKey}}' }),
    action('out', 'customers_create', { name: '{{blocks.h.apiKey}}', country: 'SG' }),
    { id: 'out', kind: 'FILTER' as const, config: { spec } },
  ]
  for (const block of blocks) {
    const { run, organizationId } = await after(block)
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('{{blocks.h.apiKey}}') })
    const { rows } = await theApp().system.raw.query('select name from customers where organization_id = $1', [organizationId])
    expect(rows).toEqual([])
  }
}) // biome-ignore format: a list of words

test('a text [redacted] that the author typed, or that another field holds, is data', async () => {
  const { heard, url } = await receiver()
  const body = { token: '[redacted]', note: '{{blocks.h.note}}', text: 'see ?sig=[redacted]' }
  const { run } = await after(action('out', 'webhook.post', { url, body }))
  expect(run.status).toBe('SUCCEEDED')
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ ...body, note: 'plain' })
})
