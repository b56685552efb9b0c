import { expect, test } from 'vitest'
import { needsOf, type Template, withValue } from './templates.ts'

const template: Template = {
  id: 'x',
  name: 'Order',
  description: '',
  blocks: [
    {
      id: 'a',
      kind: 'ACTION',
      ref: 'orders_create',
      config: { input: { supplierId: '', lines: [{ quantity: 10 }] } },
      position: {},
    },
  ],
  edges: [],
  parameters: [
    { path: 'blocks.0.config.input.supplierId', label: 'The supplier' },
    { path: 'blocks.0.config.input.lines.0.quantity', label: 'How many' },
  ],
}

test('what a template needs is known by its place', () => {
  expect(needsOf('en', template)).toMatchObject([
    { field: 'supplierId', ref: 'orders_create', isNumber: false },
    { field: 'quantity', isNumber: true, value: 10 },
  ])
})

test('a value is filled in without changing the template', () => {
  const filled = withValue(template, 'blocks.0.config.input.lines.0.quantity', 25)
  expect(filled.blocks[0]?.config).toEqual({ input: { supplierId: '', lines: [{ quantity: 25 }] } })
  expect(template.blocks[0]?.config).toEqual({ input: { supplierId: '', lines: [{ quantity: 10 }] } })
})
