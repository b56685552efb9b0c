import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMajor } from '../../../../core/values/money.ts'
import { readXml } from '../../../../providers/reader/einvoice/read-xml.ts'
import { checkUbl, claimedBy } from '../../../../test/einvoices/check/check-ubl.ts'
import { ciiProblems } from '../../../../test/einvoices/check/cii-schema.ts'
import { type Generated, generatedDocument, settings } from '../../../../test/einvoices/generated.ts'
import { toCii } from './cii.ts'
import { type Standard, toEInvoice } from './to-einvoice.ts'
import { toUbl } from './ubl.ts'

const runs = { numRuns: 300, seed: 20_260_212 }

function written({ data }: Generated, standard: Standard) {
  const result = toEInvoice(data, standard)
  if ('invoice' in result) return result.invoice
  throw new Error(JSON.stringify(result.problems))
}

/** What the reader finds in a file is what the document says. */
async function expectSame(xml: string, { data: { row, sale } }: Generated) {
  const { fields, checks } = await readXml(Buffer.from(xml))
  const sign = row.documentType === 'CREDIT_MEMO' ? -1 : 1
  const major = (minor: number) => sign * toMajor(BigInt(minor), row.currency)
  const amountOf = (name: keyof typeof fields) => Number(fields[name]?.value)
  expect(fields.documentNumber?.value).toBe(row.invoiceNumber)
  expect(fields.date?.value).toBe(row.issueDate)
  expect(fields.currency?.value).toBe(row.currency)
  expect(fields.vendor?.value).toBe(sale.issuer.name.replace(/[\p{Cf}]/gu, ''))
  expect(amountOf('subtotal')).toBeCloseTo(major(row.subtotalMinor), 9)
  expect(amountOf('taxAmount')).toBeCloseTo(major(row.taxMinor), 9)
  expect(amountOf('total')).toBeCloseTo(major(row.totalMinor), 9)
  const items = fields.items?.value ?? []
  expect(items.slice(0, row.items.length).map(({ amount }) => Number(amount) + 0)).toEqual(
    row.items.map(({ amountMinor }) => major(amountMinor) + 0),
  )
  for (const [at, { quantity, unitPrice, amountMinor }] of row.items.entries())
    if (amountMinor > 0 && quantity * unitPrice > 0) {
      expect(Number(items[at]?.quantity)).toBe(sign * quantity)
      expect(Number(items[at]?.unitPrice)).toBe(unitPrice)
    }
  expect(checks.filter(({ holds }) => !holds)).toEqual([])
}

test('every document is written as Peppol BIS Billing 3 or EN 16931, passes the checks and reads back with the same figures', async () => {
  const seen = new Map<string, number>()
  const claims = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(generatedDocument('rate'), async (generated) => {
      const invoice = written(generated, 'network')
      seen.set(generated.setting, (seen.get(generated.setting) ?? 0) + 1)
      const xml = toUbl(invoice)
      const claim = claimedBy(xml)
      claims.set(claim, (claims.get(claim) ?? 0) + 1)
      expect(await checkUbl(xml, claim)).toEqual([])
      await expectSame(xml, generated)
    }),
    runs,
  )
  for (const { name } of settings) expect(seen.get(name), name).toBeGreaterThan(30)
  expect([...claims.keys()].toSorted()).toEqual(['bis', 'core']) // there is no address of Israeli numbers in Peppol
}, 120_000)

test('every document of Singapore is written as PINT, passes the checks and reads back with the same figures', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(generatedDocument('category', 'SG'), async (generated) => {
      const invoice = written(generated, 'national')
      count += 1
      const xml = toUbl(invoice)
      expect(await checkUbl(xml, 'pint')).toEqual([])
      await expectSame(xml, generated)
    }),
    runs,
  )
  expect(count).toBeGreaterThanOrEqual(runs.numRuns)
}, 120_000)

test('every document is written as CII in the order of its schema and reads back with the same figures', async () => {
  await fc.assert(
    fc.asyncProperty(generatedDocument('rate'), async (generated) => {
      const xml = toCii(written(generated, 'core'))
      expect(await ciiProblems(xml)).toEqual([])
      await expectSame(xml, generated)
    }),
    runs,
  )
}, 120_000)

test('the check of CII reports elements that are out of order, missing, repeated or unknown', async () => {
  const [generated] = fc.sample(generatedDocument('rate', 'US'), { numRuns: 1, seed: 7 })
  if (!generated) throw new Error('There is no document.')
  const xml = toCii(written(generated, 'core'))
  expect(await ciiProblems(xml)).toEqual([])
  const changes: [RegExp, string][] = [
    [/(<ram:ID>[^<]*<\/ram:ID>)(\s*<ram:TypeCode>[^<]*<\/ram:TypeCode>)/, '$2$1'],
    [/<ram:DuePayableAmount>[^<]*<\/ram:DuePayableAmount>/, ''],
    [/(<ram:LineID>1<\/ram:LineID>)/, '$1$1'],
    [/<ram:LineID>1<\/ram:LineID>/, '<ram:LineID>1</ram:LineID><ram:Colour>red</ram:Colour>'],
  ]
  for (const [from, to] of changes) expect(await ciiProblems(xml.replace(from, to)), String(from)).not.toEqual([])
})
