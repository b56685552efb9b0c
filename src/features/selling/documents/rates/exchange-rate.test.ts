import '../../../../test/own-world.ts'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { sell } from '../../../../test/sales-documents.ts'
import { member, theApp } from '../../../../test/world.ts'
import { rateText } from '../../../books/exchange-rates/exchange-rate.ts'
import { storeRates } from '../../../books/exchange-rates/store.ts'

const ecb = (date: string, rates: Record<string, string>) =>
  Object.entries({ EUR: '1', ...rates }).map(([currency, rate]) => ({
    source: 'ECB' as const,
    base: 'EUR',
    date,
    currency,
    rate,
  }))

/** Rates that the European Central Bank published on a Friday; those of the Monday are invented. */
const friday = '2023-12-08'
beforeAll(() =>
  theApp().system.use(async (db) => {
    await storeRates(db, [
      ...ecb(friday, { USD: '1.0777', ILS: '3.9982', JPY: '155.43' }),
      ...ecb('2023-12-11', { USD: '1.0757', ILS: '3.9993' }),
    ])
  }),
)

const inDollars = { currency: 'USD', status: 'SENT' }
const israeli = () => member('MANAGER', { country: 'IL' })

describe('the exchange rate of a document is that of its issue date', () => {
  test.each([
    ['a day on which rates are published', 'USD', friday, 3.70993783057], // 3.9982 / 1.0777
    ['a Saturday, with the rate of Friday', 'USD', '2023-12-09', 3.70993783057],
    ['a Sunday, with the rate of Friday', 'USD', '2023-12-10', 3.70993783057],
    ['the Monday after', 'USD', '2023-12-11', 3.71785813889], // 3.9993 / 1.0757
    ['the base currency of the rates', 'EUR', friday, 3.9982],
    ['a currency without minor units', 'JPY', friday, 0.0257234768063], // 3.9982 / 155.43
    ['the currency of the organization, on any day', 'ILS', '1999-01-01', 1],
  ])('on %s', async (_, currency, issueDate, exchangeRate) => {
    const amy = await israeli()
    const created = await sell(amy, { status: 'UNSENT', currency, issueDate })
    expect(created).toMatchObject({ exchangeRate, invoiceDate: issueDate })
    expect(created.warnings?.filter(({ code }) => code.startsWith('EXCHANGE')) ?? []).toEqual([])
    expect(await amy.call('invoices_get', { id: created.id })).toMatchObject({ exchangeRate })
  })

  test('a draft has no rate and gets one when it is issued', async () => {
    const amy = await israeli()
    const { id, exchangeRate } = await sell(amy, { currency: 'USD', issueDate: '2023-12-09' })
    expect(exchangeRate).toBeNull()
    expect(await amy.call('invoices_update', { id, notes: 'still a draft' })).toMatchObject({ exchangeRate: null })
    const issued = await amy.call('invoices_update', { id, status: 'UNSENT' })
    expect(issued).toMatchObject({ exchangeRate: 3.70993783057 })
    expect(issued.warnings?.filter(({ code }) => code.startsWith('EXCHANGE')) ?? []).toEqual([])
  })

  test('a document that gets the date of the last number has the rate of that date', async () => {
    const amy = await israeli()
    await sell(amy, { ...inDollars, issueDate: friday })
    await theApp().system.raw.query(
      "update document_numbering set last_issue_date = '2023-12-11' where organization_id = $1",
      [amy.organizationId],
    )
    const { id } = await sell(amy, { currency: 'USD' })
    await theApp().system.raw.query("update documents set issue_date = '2023-12-01' where id = $1", [id])
    const issued = await theApp().system.raw.query(
      "update documents set status = 'UNSENT' where id = $1 returning issue_date::text, exchange_rate::text",
      [id],
    )
    expect(issued.rows).toEqual([{ issue_date: '2023-12-11', exchange_rate: '3.71785813889' }])
  })
})

test('a document without a known rate has none, with a warning', async () => {
  const amy = await israeli()
  const missing = ({ warnings = [] }: { warnings?: { code: string; path: string }[] }) =>
    warnings.filter(({ code }) => code === 'EXCHANGE_RATE_MISSING').map(({ path }) => path)
  const created = await sell(amy, { ...inDollars, issueDate: '2001-01-01' })
  expect([created.exchangeRate, missing(created)]).toEqual([null, ['currency']])
  const draft = await sell(amy, { currency: 'USD', issueDate: '2001-01-02' })
  expect([draft.exchangeRate, missing(draft)]).toEqual([null, []])
  const issued = await amy.call('invoices_update', { id: draft.id, status: 'SENT' })
  expect([issued.exchangeRate, missing(issued)]).toEqual([null, ['currency']])
  expect(missing(await amy.call('invoices_update', { id: draft.id, notes: 'x' }))).toEqual([])
  const memo = await amy.call('invoices_memos', { id: draft.id, kind: 'CREDIT' })
  expect([memo.exchangeRate, missing(memo)]).toEqual([null, ['currency']])
})

test('INV-07: the rate does not change when rates are published later, and cannot be written', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const { id } = await sell(amy, { ...inDollars, issueDate: '2001-02-01' })
  await theApp().system.use((db) => storeRates(db, ecb('2001-02-01', { USD: '0.94', ILS: '3.88' })))
  expect(await amy.call('invoices_update', { id, notes: 'later', exchangeRate: 4 })).toMatchObject({
    exchangeRate: null,
  })
  const { id: other } = await sell(amy, { ...inDollars, issueDate: friday })
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  expect(await amy.call('invoices_get', { id: other })).toMatchObject({ exchangeRate: 3.70993783057 })
  await expect(
    theApp().system.raw.query('update documents set exchange_rate = 4 where id = $1', [other]),
  ).rejects.toThrow('does not change')
  await expect(
    theApp().confined.use((db) => db.updateTable('documents').set({ exchangeRate: '4' }).execute()),
  ).rejects.toThrow('permission denied')
})

test('a memo has the rate of its document; a receipt has the rate of the day of the payment', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { ...inDollars, issueDate: friday })
  for (const kind of ['CREDIT', 'DEBIT'] as const) {
    const items = [{ id: '1', description: 'Corrected', quantity: 1, unitPrice: 10, amount: 10 }]
    expect(await amy.call('invoices_memos', { id, kind, items })).toMatchObject({ exchangeRate: 3.70993783057 })
  }
  const paid = { paymentDate: friday, paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(receipt).toMatchObject({ exchangeRate: 3.70993783057, exchangeRateDate: friday })
  const noa = await israeli() // in another organization, because payment requests and debit memos of amy share a series
  const { id: next } = await sell(noa, { ...inDollars, issueDate: friday, documentType: 'PAYMENT_REQUEST' })
  const later = await noa.call('invoices_mark_paid', { id: next, ...paid, paymentDate: '2023-12-12' })
  expect(later.receipt).toMatchObject({ exchangeRate: 3.71785813889, exchangeRateDate: '2023-12-11' })
})

test('INV-01: the database and the print round a rate identically', async () => {
  const decimal = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 0, max: 12 }))
  const text = ([digits, places]: [bigint, number]) => {
    const padded = String(digits).padStart(places + 1, '0')
    return places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`
  }
  const cases = fc.sample(fc.tuple(decimal, decimal), { numRuns: 2_000, seed: 1 })
  const pairs = cases.map(([from, to]) => ({ fromRate: text(from), toRate: text(to) }))
  const { rows } = await theApp().system.raw.query<{ rate: string }>(
    `select printed_rate(f, t)::text as rate from unnest($1::numeric[], $2::numeric[]) with ordinality r (f, t, at)
     order by at`,
    [pairs.map(({ fromRate }) => fromRate), pairs.map(({ toRate }) => toRate)],
  )
  const compared = pairs.flatMap((pair, at) => {
    const ratio = Number(pair.toRate) / Number(pair.fromRate)
    return ratio > 1e-9 && ratio < 1e11 ? [{ printed: rateText(pair), stored: rows[at]?.rate }] : []
  })
  expect(compared.length).toBeGreaterThan(500)
  expect(compared.filter(({ printed, stored }) => printed !== stored)).toEqual([])
})
