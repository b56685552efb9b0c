import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { issuedCopyChecks } from '../features/selling/documents/issuing/issued-copy-checks.ts'
import { numberingChecks } from '../ledger/verify-numbering.ts'
import { dropDatabase, emptyDatabase, queryOn } from '../test/database.ts'
import { migrate, migrationFiles } from './migrate.ts'
import { resilientPool } from './pool.ts'

/** What 0028_issued_copies.sql makes of documents that were numbered before it. */

const before = new Set(
  migrationFiles()
    .map(({ name }) => name)
    .filter((name) => name < '0028'),
)

test('INV-06 FLT-16: issued documents keep their numbers, and united series continue above the highest of them', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => void dropDatabase(database))
  const pool = resilientPool({ ...database, max: 3 })
  await migrate(pool, () => {}, { only: before })
  const ask = (text: string, values: unknown[] = []) => queryOn(database, text, values)
  const organization = async (country: string, registrationNumber: string) => {
    const [id, owner, customer] = [newId(), newId(), newId()]
    await ask("insert into users (id, name, email) values ($1::uuid, 'x', $1::text || '@x.test')", [owner])
    await ask(
      `with o as (insert into organizations (id, name, country, currency, timezone, registration_number)
         values ($1, 'Acme', $3, 'USD', 'UTC', $4))
       insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')`,
      [id, owner, country, registrationNumber],
    )
    await ask(
      "insert into customers (organization_id, id, name, kind, default_currencies) values ($1, $2, 'Globex', 'ORGANIZATION', '{}')",
      [id, customer],
    )
    const issue = async (documentType: string, times = 1, day = '2026-01-31') => {
      const numbers: unknown[] = []
      for (let n = 0; n < times; n++) {
        const [row] = await ask(
          `insert into documents (organization_id, id, document_type, status, counterparty_id, currency, minor_digits, issue_date,
             subtotal_minor, tax_minor, total_minor, generator_version)
           values ($1, gen_random_uuid(), $2, 'UNSENT', $3, 'USD', 2, $4, 0, 0, 0, '') returning number`,
          [id, documentType, customer, day],
        )
        numbers.push(row?.number)
      }
      return numbers
    }
    return { id, issue }
  }
  const company = await organization('IL', '513456782')
  expect([await company.issue('INVOICE', 2), await company.issue('DEBIT_MEMO', 3)]).toEqual([['1', '2'], ['1', '2', '3']])
  const exempt = await organization('IL', '123456782')
  for (const type of ['INVOICE', 'INVOICE', 'PAYMENT_REQUEST', 'INVOICE_RECEIPT']) await exempt.issue(type)
  const acme = await organization('SG', '200012345W')
  expect([await acme.issue('INVOICE', 2), await acme.issue('DEBIT_MEMO')]).toEqual([['1', '2'], ['1']])
  await acme.issue('RECEIPT', 1, '2999-01-01') // earlier versions accepted it

  await migrate(pool, () => {})
  await pool.end()
  const found = async () => {
    const checks = [...numberingChecks, ...issuedCopyChecks]
    return (await Promise.all(checks.map(({ finds }) => ask(finds)))).flat()
  }
  expect(await found()).toEqual([])
  const [{ count } = { count: 0 }] = await ask("select count(*)::int from documents where series = '' and sequence is not null")
  expect(count).toBe(13)
  expect([await company.issue('INVOICE'), await company.issue('DEBIT_MEMO')]).toEqual([['4'], ['5']])
  expect([await company.issue('PAYMENT_REQUEST'), await company.issue('CREDIT_MEMO')]).toEqual([['1'], ['1']])
  expect([await exempt.issue('INVOICE'), await exempt.issue('PAYMENT_REQUEST')]).toEqual([['3'], ['4']])
  expect([await exempt.issue('INVOICE_RECEIPT'), await exempt.issue('RECEIPT')]).toEqual([['2'], ['3']])
  expect([await acme.issue('INVOICE'), await acme.issue('DEBIT_MEMO'), await acme.issue('RECEIPT')]).toEqual([['3'], ['2'], ['2']])
  expect(await found()).toEqual([])
  const changed = (sql: string) => ask(`${sql} where organization_id = $1 and document_type = 'INVOICE'`, [company.id])
  await changed('update document_numbering set padding = 3')
  await expect(changed('update document_numbering set first_number = 50')).rejects.toMatchObject({
    constraint: 'first_number_before_first_issue',
  })
}) // biome-ignore format: a row each
