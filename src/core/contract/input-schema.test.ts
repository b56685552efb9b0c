import { expect, test } from 'vitest'
import { apiOperations } from '../../catalog/operations.ts'
import { describedInput } from './input-schema.ts'
import type { JsonSchema } from './json-schema.ts'

/** The ids in a schema with their descriptions. */
function idsIn(schema: JsonSchema, at: string): [path: string, description: unknown][] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const own = properties.flatMap(([field, { description }]) =>
    /^id$|Ids?$/.test(field) ? [[`${at}.${field}`, description] as [string, unknown]] : [],
  )
  const inner = properties.flatMap(([field, each]) => idsIn(each, `${at}.${field}`))
  return [...own, ...inner, ...(schema.items ? idsIn(schema.items as JsonSchema, at) : [])]
}

test('every id in the input of an operation says what it identifies', () => {
  const ids = apiOperations.flatMap((operation) => idsIn(describedInput(operation), operation.name))
  expect(ids.length).toBeGreaterThan(300)
  const silent = ids.filter(
    ([, description]) => typeof description !== 'string' || /^An id|of the (\.|undefined)/.test(description),
  )
  expect(silent).toEqual([])
})

test.each([
  ['automations_get', 'id', 'The id of the automation.'],
  ['automations_run', 'runId', 'The id of the run.'],
  ['bank_accounts_get', 'id', 'The id of the bank account.'],
  ['expenses_update', 'id', 'The id of the expense category.'],
  ['users_members', 'id', 'The id of the organization.'],
  ['reports_journal_entry', 'id', 'The id of the journal entry.'],
  ['api_keys_get', 'id', 'The id of the API key.'],
  ['invoices_create', 'customerId', 'The id of the customer.'],
  ['payroll_approve', 'payslipIds', 'The ids of the payslips.'],
  ['customers_create', 'organizationId', 'The organization; your only one if left out.'],
  ['customers_list', 'organizationId', 'The organization; every one you can reach if left out.'],
])('%s: %s is described', (name, field, description) => {
  const operation = apiOperations.find((each) => each.name === name)
  if (!operation) throw new Error(name)
  const { properties } = describedInput(operation) as { properties: Record<string, JsonSchema> }
  expect(properties[field]?.description).toBe(description)
})
