import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { member, operationNamed, theApp } from '../../test/world.ts'
import { listMax } from './page.ts'

/** What fills each list without pages with more than it shows; $1 is the organization, $2 the person, $3 a customer. */
const fills = {
  bank_accounts_list: `insert into bank_accounts (organization_id, id, account_name, bank_name, currencies, is_default)
    select $1, gen_random_uuid(), 'Main', 'DBS', '{}', false`,
  expense_categories_list: `insert into expense_categories (organization_id, id, name) select $1, gen_random_uuid(), 'X'`,
  customers_recipients: `insert into customer_recipients (organization_id, id, customer_id, email)
    select $1, gen_random_uuid(), $3, n || '@example.test'`,
  api_keys_list: `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, all_orgs)
    select gen_random_uuid(), $2, 'Key', 'kt_', sha256(n::text::bytea), '{*:*}', true`,
}

test.each(Object.entries(fills))('%s has an end, however much there is', async (name, insert) => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Blue Door', country: 'SG' })
  const filled = insert
    .replace('$1', `'${amy.organizationId}'::uuid`)
    .replace('$2', `'${amy.userId}'::uuid`)
    .replace('$3', `'${id}'::uuid`)
  await theApp().system.use((db) => sql.raw(`${filled} from generate_series(1, ${listMax + 1}) n`).execute(db))
  const operation = operationNamed(name)
  const { status, body } = await amy.request(operation, operation.path.includes('{id}') ? { id } : {})
  expect(status).toBe(200)
  expect(Array.isArray(body) ? body : Object.values(body as object)[0]).toHaveLength(listMax)
})
