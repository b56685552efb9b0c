import '../../../../test/own-world.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, today } from '../../../../core/values/day.ts'
import { codesOf } from '../../../../test/documents/country-sale.ts'
import { salesDocument, sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, theApp } from '../../../../test/world.ts'
import type { PublishedRate } from '../../../books/exchange-rates/exchange-rate.ts'
import { storeRates } from '../../../books/exchange-rates/store.ts'

const published = (source: PublishedRate['source'], base: string, date: string, rates: Record<string, string>) =>
  Object.entries({ [base]: '1', ...rates }).map(([currency, rate]) => ({ source, base, date, currency, rate }))

const day = '2026-06-10'
const now = today(new Date(), 'Asia/Jerusalem')
beforeAll(() =>
  theApp().system.use(async (db) => {
    await storeRates(db, [
      ...published('BOI', 'ILS', day, { USD: '3.6512', EUR: '4.2' }),
      ...published('ECB', 'EUR', day, { USD: '1.15', ILS: '4.3', SGD: '1.5' }),
      ...published('MAS', 'SGD', day, { USD: '1.35', EUR: '1.55' }),
      ...published('BOI', 'ILS', addDays(now, -2), { USD: '3.7' }),
    ])
  }),
)

const israeli = (more = {}) => member('MANAGER', { country: 'IL', ...more })
const dollars = { currency: 'USD', issueDate: day }
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) =>
  codesOf(warnings).filter((code) => code.startsWith('EXCHANGE'))
const rateOf = ({
  exchangeRate,
  exchangeRateDate,
}: {
  exchangeRate: number | null
  exchangeRateDate: string | null
}) => [exchangeRate, exchangeRateDate]

describe('the exchange rate of a document', () => {
  test.each([
    ['IL', 'USD', 3.6512], // Bank of Israel
    ['SG', 'USD', 1.35], // Monetary Authority of Singapore
    ['US', 'EUR', 1.15], // European Central Bank
  ] as const)('in %s, one %s is worth %d by the source of the country', async (country, currency, rate) => {
    const amy = await member('MANAGER', { country })
    const created = await sell(amy, { currency, issueDate: day, status: 'UNSENT' })
    expect(rateOf(created)).toEqual([rate, day])
    expect(codes(created)).toEqual([])
  })

  test('comes from the European Central Bank if the source of the country does not publish the currency', async () => {
    const amy = await israeli()
    expect(rateOf(await sell(amy, { currency: 'SGD', issueDate: day, status: 'UNSENT' }))).toEqual([2.86666666667, day])
  })

  test('older than seven days has a warning with its date and age, at issue and on reads', async () => {
    const amy = await israeli()
    const fresh = await sell(amy, { ...dollars, issueDate: addDays(day, 7), status: 'UNSENT' })
    expect([rateOf(fresh), codes(fresh)]).toEqual([[3.6512, day], []])
    const old = await sell(amy, { ...dollars, issueDate: addDays(day, 8), status: 'UNSENT' })
    expect(old.warnings).toContainEqual({
      code: 'EXCHANGE_RATE_OLD',
      path: 'exchangeRateDate',
      message: `The exchange rate of USD is of ${day}, 8 days before ${addDays(day, 8)}.`,
    })
    expect(codes(await amy.call('invoices_get', { id: old.id }))).toEqual(['EXCHANGE_RATE_OLD'])
    expect(codes(await amy.call('invoices_update', { id: old.id, status: 'SENT' }))).toEqual(['EXCHANGE_RATE_OLD'])
    const memo = await amy.call('invoices_memos', { id: old.id, kind: 'CREDIT', reason: 'Returned' })
    expect([rateOf(memo), codes(memo)]).toEqual([[3.6512, day], []])
  })
})

describe('a given exchange rate', () => {
  test('is stored on a draft, shown in both forms, and fixed at issue', async () => {
    const amy = await israeli()
    const draft = await sell(amy, { ...dollars, exchangeRate: 3.7001, exchangeRateDate: '2026-06-09' })
    expect(rateOf(draft)).toEqual([3.7001, '2026-06-09'])
    expect(rateOf(await amy.call('invoices_get', { id: draft.id }))).toEqual([3.7001, '2026-06-09'])
    const { invoices } = await amy.call('invoices_list', { organizationId: String(amy.organizationId) })
    expect(invoices.map(rateOf)).toEqual([[3.7001, '2026-06-09']])
    const issued = await amy.call('invoices_update', { id: draft.id, status: 'UNSENT' })
    expect(rateOf(issued)).toEqual([3.7001, '2026-06-09'])
  })

  test('can be given when the document is issued, and without a date it has the issue date', async () => {
    const amy = await israeli()
    expect(rateOf(await sell(amy, { ...dollars, status: 'UNSENT', exchangeRate: 3.7 }))).toEqual([3.7, day])
    const { id } = await sell(amy, dollars)
    expect(rateOf(await amy.call('invoices_update', { id, status: 'SENT', exchangeRate: 3.8 }))).toEqual([3.8, day])
  })

  test('null and what was read change nothing, with PATCH and PUT', async () => {
    const amy = await israeli()
    const plain = await sell(amy, dollars)
    for (const name of ['invoices_update', 'invoices_update_put'] as const) {
      const read = await amy.call('invoices_get', { id: plain.id })
      const { status } = await amy.request(operationNamed(name), { ...read, notes: name })
      expect(status).toBe(200)
      expect(rateOf(await amy.call('invoices_get', { id: plain.id }))).toEqual([null, null])
    }
    const { id } = await sell(amy, { ...dollars, exchangeRate: 3.7 })
    for (const name of ['invoices_update', 'invoices_update_put'] as const) {
      const read = await amy.call('invoices_get', { id })
      await amy.request(operationNamed(name), { ...read, notes: name })
      await amy.call(name, { id, issueDate: day, exchangeRate: null, exchangeRateDate: null })
      expect(rateOf(await amy.call('invoices_get', { id }))).toEqual([3.7, day])
    }
    const moved = await amy.call('invoices_update', { id, issueDate: '2026-06-11' })
    expect(rateOf(moved)).toEqual([3.7, '2026-06-11'])
  })

  test('is replaced by a new one, and ends with the currency or with a PUT that leaves it out', async () => {
    const amy = await israeli()
    const { id } = await sell(amy, { ...dollars, exchangeRate: 3.7, exchangeRateDate: '2026-06-09' })
    expect(rateOf(await amy.call('invoices_update', { id, exchangeRate: 3.71 }))).toEqual([3.71, day])
    const redated = await amy.call('invoices_update', { id, exchangeRateDate: '2026-06-08' })
    expect(rateOf(redated)).toEqual([3.71, '2026-06-08'])
    const euros = await amy.call('invoices_update', { id, currency: 'EUR', exchangeRate: 3.71 })
    expect(rateOf(euros)).toEqual([null, null])
    await amy.call('invoices_update', { id, exchangeRate: 4.1 })
    expect(rateOf(await amy.call('invoices_update_put', { id, issueDate: day }))).toEqual([null, null])
    expect(rateOf(await amy.call('invoices_update', { id, status: 'UNSENT' }))).toEqual([4.2, day])
  })

  test('is ignored once the document is issued', async () => {
    const amy = await israeli()
    const { id } = await sell(amy, { ...dollars, status: 'UNSENT' })
    const changes = { id, notes: 'later', exchangeRate: 9, exchangeRateDate: '2026-01-01' }
    for (const name of ['invoices_update', 'invoices_update_put'] as const)
      expect(rateOf(await amy.call(name, changes))).toEqual([3.6512, day])
  })

  test('other than 1 is ignored with a warning in the currency of the organization', async () => {
    const amy = await israeli()
    const one = await sell(amy, { currency: 'ILS', exchangeRate: 1, status: 'UNSENT' })
    expect([rateOf(one), codes(one)]).toEqual([[1, null], []])
    const other = await sell(amy, { currency: 'ILS', exchangeRate: 3.7, status: 'UNSENT' })
    expect([rateOf(other), codes(other)]).toEqual([[1, null], ['EXCHANGE_RATE_IGNORED']])
    const dateAlone = await sell(amy, { ...dollars, exchangeRateDate: day })
    expect([rateOf(dateAlone), codes(dateAlone)]).toEqual([[null, null], ['EXCHANGE_RATE_IGNORED']])
  })

  test('has a warning if it is old or newer than the document', async () => {
    const amy = await israeli()
    const old = await sell(amy, { ...dollars, exchangeRate: 3.7, exchangeRateDate: '2026-06-02' })
    expect(codes(old)).toEqual(['EXCHANGE_RATE_OLD'])
    const later = await sell(amy, { ...dollars, exchangeRate: 3.7, exchangeRateDate: '2026-06-11' })
    expect(codes(later)).toEqual(['EXCHANGE_RATE_LATER'])
  })

  test.each([{ exchangeRate: 0 }, { exchangeRate: -1 }, { exchangeRate: '3.7' }, { exchangeRateDate: 'soon' }])(
    '%j is refused with the path of the field',
    async (wrong) => {
      const amy = await israeli()
      const valid = { ...dollars, exchangeRate: 3.7, exchangeRateDate: day }
      await sell(amy, valid)
      await expect(amy.call('invoices_create', await salesDocument(amy, { ...valid, ...wrong }))).rejects.toMatchObject(
        {
          status: 400,
          details: [{ path: Object.keys(wrong)[0] }],
        },
      )
    },
  )
})

test('INV-07: the given rate and the rate to the country’s currency of an issued document cannot change', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { ...dollars, status: 'UNSENT', exchangeRate: 3.7 })
  const update = (set: string) => theApp().system.raw.query(`update documents set ${set} where id = $1`, [id])
  await update('notes = notes')
  for (const set of [
    'given_rate = 4',
    'given_rate_date = issue_date - 1',
    'country_rate = 4',
    'country_rate_date = issue_date - 1',
  ])
    await expect(update(set)).rejects.toThrow('does not change')
})

test('an organization in Israel that counts in dollars has the rate to shekels too', async () => {
  const amy = await israeli()
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  const rates = async (id: string) =>
    (
      await theApp().system.raw.query(
        'select exchange_rate::text, rate_currency, country_rate::text, country_rate_date::text from documents where id = $1',
        [id],
      )
    ).rows[0]
  const euros = await sell(amy, { currency: 'EUR', issueDate: day, status: 'UNSENT', exchangeRate: 1.2 })
  expect(await rates(euros.id)).toEqual({
    exchange_rate: '1.2',
    rate_currency: 'USD',
    country_rate: '4.2',
    country_rate_date: day,
  })
  const own = await sell(amy, { currency: 'USD', issueDate: day, status: 'UNSENT' })
  expect(await rates(own.id)).toEqual({
    exchange_rate: '1',
    rate_currency: 'USD',
    country_rate: '3.6512',
    country_rate_date: day,
  })
  expect(codesOf(own.warnings ?? [])).not.toContain('HOME_AMOUNTS_MISSING')
  const shekels = await sell(amy, { currency: 'ILS', issueDate: day, status: 'UNSENT' })
  expect(await rates(shekels.id)).toMatchObject({ country_rate: '1', country_rate_date: null })
})

test('an organization that counts in another currency than its country’s gives the rate to that one', async () => {
  const amy = await member('MANAGER', { country: 'SG' })
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'USD' })
  const rates = async (id: string) =>
    (
      await theApp().system.raw.query(
        'select exchange_rate::text, rate_currency, country_rate::text, country_rate_date::text from documents where id = $1',
        [id],
      )
    ).rows[0]
  const given = { ...dollars, exchangeRate: 1.31, exchangeRateDate: '2026-06-09' }
  const direct = await sell(amy, { ...given, status: 'UNSENT' })
  expect([rateOf(direct), codes(direct)]).toEqual([[1, null], []])
  const toSingapore = {
    exchange_rate: '1',
    rate_currency: 'USD',
    country_rate: '1.31',
    country_rate_date: '2026-06-09',
  }
  expect(await rates(direct.id)).toEqual(toSingapore)
  const draft = await sell(amy, given)
  expect(rateOf(draft)).toEqual([1.31, '2026-06-09'])
  await amy.call('invoices_update', { id: draft.id, notes: 'x', status: 'UNSENT' })
  expect(await rates(draft.id)).toEqual(toSingapore)
  const published = await sell(amy, { ...dollars, exchangeRate: 1, status: 'UNSENT' })
  expect(await rates(published.id)).toMatchObject({ country_rate: '1.35', country_rate_date: day })
  expect(codes(await sell(amy, { ...dollars, exchangeRate: 13.1 }))).toEqual(['EXCHANGE_RATE_UNUSUAL'])
  const memo = await amy.call('invoices_memos', { id: direct.id, kind: 'CREDIT', reason: 'Returned' })
  expect(await rates(memo.id)).toEqual(toSingapore)
  const large = { items: [{ id: '1', description: 'x', quantity: 1, unitPrice: 1, amount: 9e12 }], subtotal: 9e12 }
  const sale = { ...given, ...large, taxRate: 0, taxAmount: 0, total: 9e12, status: 'UNSENT' }
  await expect(sell(amy, sale)).rejects.toMatchObject({ status: 400, details: [{ path: 'exchangeRate' }] })
})

test('a receipt has the rate of the day of the payment', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { ...dollars, status: 'SENT' })
  const paid = { paymentDate: addDays(day, 1), paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(receipt && rateOf(receipt)).toEqual([3.6512, day])
  const next = await sell(amy, { ...dollars, status: 'SENT' })
  const today = await amy.call('invoices_mark_paid', { id: next.id, ...paid, paymentDate: now })
  expect(today.receipt && rateOf(today.receipt)).toEqual([3.7, addDays(now, -2)])
  const direct = { ...dollars, issueDate: now, documentType: 'RECEIPT', status: 'PAID', paymentDate: day }
  expect(rateOf(await sell(amy, direct))).toEqual([3.6512, day])
})

describe('converting a payment request', () => {
  const request = (more = {}) => ({ ...dollars, documentType: 'PAYMENT_REQUEST', status: 'SENT', ...more })
  const convert = async (given: object, more = {}) => {
    const amy = await israeli()
    // of an exempt dealer, a payment request and an invoice have the same official type
    await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: '513456782' })
    const { id } = await sell(amy, request(given))
    return amy.call('invoices_convert', { id, documentType: 'INVOICE', ...more })
  }

  test('keeps the rate that was given for it, with its day', async () => {
    expect(rateOf(await convert({ exchangeRate: 3.9, exchangeRateDate: '2026-06-09' }))).toEqual([3.9, '2026-06-09'])
    expect(rateOf(await convert({ exchangeRate: 3.9 }))).toEqual([3.9, day])
    expect(rateOf(await convert({}))).toEqual([3.7, addDays(now, -2)])
  })

  test('takes another rate', async () => {
    const given = { exchangeRate: 3.9, exchangeRateDate: '2026-06-09' }
    expect(rateOf(await convert(given, { exchangeRate: 3.8 }))).toEqual([3.8, now])
    const dated = await convert(given, { exchangeRate: 3.8, exchangeRateDate: addDays(now, -1) })
    expect([rateOf(dated), codes(dated)]).toEqual([[3.8, addDays(now, -1)], []])
    expect(codes(await convert(given, { exchangeRateDate: now }))).toContain('EXCHANGE_RATE_IGNORED')
  })
})

test('a given rate far from the published one of its day has a warning, at issue and on reads', async () => {
  const amy = await israeli()
  const unusual = await sell(amy, { ...dollars, exchangeRate: 36.5, status: 'UNSENT' })
  expect(unusual.warnings).toContainEqual({
    code: 'EXCHANGE_RATE_UNUSUAL',
    path: 'exchangeRate',
    message: 'The given exchange rate of USD, 36.5, is far from the published one, 3.6512.',
  })
  expect(codes(await amy.call('invoices_get', { id: unusual.id }))).toEqual(['EXCHANGE_RATE_UNUSUAL'])
  expect(codes(await sell(amy, { ...dollars, exchangeRate: 0.274 }))).toEqual(['EXCHANGE_RATE_UNUSUAL'])
  expect(codes(await sell(amy, { ...dollars, exchangeRate: 5.4, status: 'UNSENT' }))).toEqual([])
  expect(codes(await sell(amy, { ...dollars, currency: 'THB', exchangeRate: 100, status: 'UNSENT' }))).toEqual([])
})
