import fastify from 'fastify'
import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { answersTo, toolList } from '../../core/contract/tool-list.ts'
import { mountOperations } from '../mount.ts'
import { openApi } from './openapi.ts'

const list = toolList(operations, new Date('2026-01-31T08:00:00Z'))

test('the tool list has a version and the time of its creation', () => {
  expect(list).toMatchObject({ version: 1, generatedAt: '2026-01-31T08:00:00.000Z' })
})

test('a tool describes its operation completely', () => {
  expect(list.tools.find(({ name }) => name === 'customers_recipients_delete')).toMatchObject({
    description: 'Removes an e-mail address from those that receive the documents of a customer.',
    method: 'DELETE',
    path: '/api/customers/{id}/recipients',
    feature: 'customers',
    verb: 'recipients_delete',
    scope: 'customers:write',
    role: 'CONTRIBUTOR',
    sources: ['SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION'],
    inputSchema: { type: 'object', required: ['id', 'recipientId'], additionalProperties: false },
    outputSchema: { type: 'object', required: ['success'] },
  })
})

test('a tool lists its aliases, and every name belongs to one tool', () => {
  expect(list.tools.find(({ name }) => name === 'invoices_update')?.aliases).toEqual(['invoices_update_patch'])
  const names = operations.flatMap(({ name, aliases }) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  const called = (name: string) => operations.filter((operation) => answersTo(operation, name)).map(({ http }) => http)
  expect(called('invoices.update_patch')).toEqual(['PATCH /api/documents/{id}'])
})

test('operations outside an organization require no role', () => {
  const { paths } = openApi(operations, { url: 'http://127.0.0.1:3000', version: '1.0.0' })
  for (const { name, method, path, within, role } of operations) {
    const expected = within === 'caller' ? null : role
    expect(list.tools.find((tool) => tool.name === name)?.role).toBe(expected)
    expect(paths[path]?.[method.toLowerCase()]?.['x-role']).toBe(expected)
  }
})

test('every tool accepts only the fields in its schema, which has no keyword of ours', () => {
  expect(list.tools.length).toBe(operations.length)
  const open = list.tools.filter(
    ({ inputSchema: { type, additionalProperties } }) => type !== 'object' || additionalProperties !== false,
  )
  expect(open.map(({ name }) => name)).toEqual([])
  const unusual = list.tools.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"~'))
  expect(unusual.map(({ name }) => name)).toEqual([])
})

test('routes, tools and OpenAPI entries describe the same operations', async () => {
  const app = fastify({ exposeHeadRoutes: false })
  const routes: string[] = []
  app.addHook('onRoute', ({ method, url }) => void routes.push(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`))
  mountOperations(app, { operations } as never)
  await app.ready()
  const { paths } = openApi(operations, { url: 'http://127.0.0.1:3000', version: '1.0.0' })
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => /^(get|post|put|patch|delete)$/.test(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routes.length).toBe(operations.length)
  expect(list.tools.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort())
  expect(entries.sort()).toEqual(routes.sort())
})
