import { expect, test } from 'vitest'
import { spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { line, registeredInSingapore, tradeInSingapore, untaxed } from '../../../../test/singapore-trade.ts'
import { member, type Someone } from '../../../../test/world.ts'
import { amountText, fitted } from './audit-file.ts'

type Days = { from: string; to: string }
const home = (amy: Someone) => ({ organizationId: String(amy.organizationId) })
const report = (amy: Someone, days: Days) => amy.call('reports_iras_audit_file', { ...home(amy), ...days })
const fileOf = async (amy: Someone, days: Days, format: 'txt' | 'xml') =>
  reportFileOf(amy, 'reports_iras_audit_file', { ...home(amy), ...days, format })

type Section = { records: Record<string, string>[]; totals: string[] }

/** A reader of the text file that knows nothing of its writer: sections by their words, fields by their names. */
function readText(text: string): Record<string, Section> {
  const rows = text.split('\r\n').map((row) => row.split('|'))
  expect(rows.pop()).toEqual([''])
  const sections: Record<string, Section> = {}
  while (rows.length > 0) {
    const name = String(rows.shift()?.[0]).replace(/Start$/, '')
    const names = (rows.shift() ?? []).slice(0, -1)
    const end = rows.findIndex(([first]) => first === `${name}End`)
    const records = rows.splice(0, end)
    for (const record of records) expect(record.length).toBe(names.length + 1)
    const totals = (rows.shift() ?? []).slice(1, -1)
    sections[name] = {
      totals,
      records: records.map((row) => Object.fromEntries(names.map((key, at) => [key, String(row[at])]))),
    }
  }
  return sections
}

/** The same for the XML file. */
function readXml(xml: string): Record<string, Section> {
  const plain = (text = '') =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const fields = (text = '') =>
    Object.fromEntries([...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, key, value]) => [key, plain(value)]))
  const section = (element: string, line?: string): Section => {
    const [, attributes, body] = new RegExp(`<${element}( [^>]*)?>(.*?)</${element}>`, 's').exec(xml) ?? []
    const totals = [...(attributes ?? '').matchAll(/="([^"]*)"/g)].map(([, value]) => plain(value))
    const bodies = line
      ? [...(body ?? '').matchAll(new RegExp(`<${line}>(.*?)</${line}>`, 'gs'))].map(([, each]) => each)
      : [body]
    return { totals, records: bodies.map(fields) }
  }
  return {
    CompInfo: section('CompanyInfo'),
    PurcData: section('Purchase', 'PurchaseLines'),
    SuppData: section('Supply', 'SupplyLines'),
    GLData: section('GLData', 'GLDataLines'),
  }
}

const sumOf = ({ records }: Section, key: string) =>
  (records.reduce((all, record) => all + Math.round(Number(record[key]) * 100), 0) / 100).toFixed(2)

test('counts and totals fit the records, the return and the journal, in both formats', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const { type, text, fileName } = await fileOf(amy, days, 'txt')
  expect([fileName, type]).toEqual([`iaf-${days.from}-${days.to}.txt`, expect.stringContaining('text/plain')])
  const { CompInfo, PurcData, SuppData, GLData } = readText(text) as Record<
    'CompInfo' | 'PurcData' | 'SuppData' | 'GLData',
    Section
  >
  expect(CompInfo.records).toMatchObject([
    {
      CompanyUEN: '201403121W',
      GSTNo: 'M90364879X',
      PeriodStart: days.from,
      PeriodEnd: days.to,
      IAFVersion: 'IAFv2.0.0',
    },
  ])
  expect(PurcData.totals).toEqual([
    sumOf(PurcData, 'PurchaseValueSGD'),
    sumOf(PurcData, 'GSTValueSGD'),
    String(PurcData.records.length),
  ])
  expect(SuppData.totals).toEqual([
    sumOf(SuppData, 'SupplyValueSGD'),
    sumOf(SuppData, 'GSTValueSGD'),
    String(SuppData.records.length),
  ])
  expect(GLData.totals).toEqual([sumOf(GLData, 'Debit'), sumOf(GLData, 'Credit'), String(GLData.records.length), 'SGD'])
  expect(GLData.totals[0]).toBe(GLData.totals[1])

  const { boxes, notInAnyBox } = await amy.call('reports_gst_f5', { ...home(amy), ...days })
  const box = (number: number) => boxes.find((each) => each.box === number)?.amount ?? 0
  expect(SuppData.totals.slice(0, 2)).toEqual([(box(4) + notInAnyBox.supplies).toFixed(2), box(6).toFixed(2)])
  expect(PurcData.totals.slice(0, 2)).toEqual([(box(5) + notInAnyBox.purchases).toFixed(2), box(7).toFixed(2)])
  const { totals } = await amy.call('reports_journal', { ...home(amy), ...days })
  expect(GLData.totals.slice(0, 2)).toEqual([totals.debit.toFixed(2), totals.credit.toFixed(2)])
  expect(await report(amy, days)).toMatchObject({
    purchases: { count: PurcData.records.length, total: Number(PurcData.totals[0]), tax: box(7) },
    supplies: { count: SuppData.records.length, total: Number(SuppData.totals[0]), tax: box(6) },
    ledger: { currency: 'SGD', count: GLData.records.length, totalDebit: totals.debit },
  })
  const xml = await fileOf(amy, days, 'xml')
  expect(xml.fileName).toBe(`iaf-${days.from}-${days.to}.xml`)
  expect(readXml(xml.text)).toEqual(readText(text))
})

test('the ledger of each account begins with its opening balance and ends with that of the trial balance', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const { GLData } = readText((await fileOf(amy, days, 'txt')).text) as { GLData: Section }
  const { accounts } = await amy.call('reports_trial_balance', { ...home(amy), ...days })
  expect(accounts.some(({ opening }) => opening !== 0)).toBe(true)
  for (const { code, opening, closing } of accounts) {
    const own = GLData.records.filter(({ AccountID }) => AccountID === code)
    expect([own[0]?.Balance, own.at(-1)?.Balance]).toEqual([opening.toFixed(2), closing.toFixed(2)])
  }
})

test('a foreign sale has its own amounts beside those in Singapore dollars, and a credit note is negative', async () => {
  const amy = await registeredInSingapore()
  const days = await tradeInSingapore(amy)
  const { SuppData, PurcData } = readText((await fileOf(amy, days, 'txt')).text) as {
    SuppData: Section
    PurcData: Section
  }
  expect(SuppData.records.find(({ FCYCode }) => FCYCode === 'USD')).toMatchObject({
    ...{ SupplyValueSGD: '135.00', GSTValueSGD: '12.15', SupplyFCY: '100.00', GSTFCY: '9.00', TaxCode: 'SR' },
  })
  expect(SuppData.records).toContainEqual(
    expect.objectContaining({ SupplyValueSGD: '-50.00', GSTValueSGD: '-4.50', FCYCode: 'XXX' }),
  )
  expect(PurcData.records.map(({ TaxCode, PurchaseValueSGD }) => [TaxCode, PurchaseValueSGD])).toEqual(
    expect.arrayContaining([
      ['TX', '50.00'],
      ['BL', '109.00'],
      ['ZP', '30.00'],
      ['NR', '25.00'],
      ['TX', '130.00'],
      ['TX', '-10.00'],
    ]),
  )
})

test('names in any script, and names with the characters of the formats, do not break a record', async () => {
  const amy = await registeredInSingapore()
  const names = ['陈|李 & Söhne <Pte> "Ltd"', 'שלום בע"מ', 'Line\r\nbreak\tand | bar', `${'𠮷'.repeat(120)}`, '=1+1;,']
  const given = { status: 'SENT', issueDate: '2026-01-15' }
  for (const name of names) {
    const { id: customerId } = await amy.call('customers_create', { ...home(amy), name, country: 'MY' })
    const items = [
      line(30, { description: `${name} ]]> CompInfoEnd|` }),
      { ...line(70, { description: '茶' }), id: '2' },
    ]
    await sell(amy, { ...given, customerId, items })
    await spendApproved(amy, { vendor: name, title: name, amount: 109, taxAmount: 9, taxRate: 9, date: '2026-02-01' })
  }
  const days = { from: '2026-01-01', to: '2026-03-31' }
  const text = readText((await fileOf(amy, days, 'txt')).text)
  const xml = readXml((await fileOf(amy, days, 'xml')).text)
  const namesIn = (sections: Record<string, Section>) => [
    ...new Set(sections.SuppData?.records.map(({ CustomerName }) => CustomerName)),
  ]
  expect(namesIn(text)).toEqual(
    expect.arrayContaining(['陈 李 & Söhne <Pte> "Ltd"', 'שלום בע"מ', '𠮷'.repeat(100), '=1+1;,']),
  )
  expect(namesIn(xml)).toEqual(
    expect.arrayContaining(['陈|李 & Söhne <Pte> "Ltd"', 'שלום בע"מ', '𠮷'.repeat(100), '=1+1;,']),
  )
  expect(text.SuppData?.records.length).toBe(10)
  expect(
    text.SuppData?.records
      .filter(({ ProductDescription }) => ProductDescription === '茶')
      .map(({ SupplyValueSGD, LineNo, Country }) => [SupplyValueSGD, LineNo, Country]),
  ).toEqual(Array.from({ length: 5 }, () => ['70.00', '2', 'MY']))
  expect(text.PurcData?.totals).toEqual(['500.00', '45.00', '5'])
  expect(xml.PurcData?.totals).toEqual(['500.00', '45.00', '5'])
})

test('fields have at most their characters, and amounts two decimals in any currency', () => {
  expect(fitted(' a\u0000b\u2028c\ud800 ', 100)).toBe('a b c')
  expect(fitted('👍👍👍', 2)).toBe('👍👍')
  expect([
    amountText(-5, 'SGD'),
    amountText(1234, 'JPY'),
    amountText(1_005, 'KWD'),
    amountText(999_999_999_999_999n, 'SGD'),
  ]).toEqual(['-0.05', '1234.00', '1.01', '9999999999999.99'])
})

test('the checklist names bills without the number of the supplier or of the invoice', async () => {
  const amy = await registeredInSingapore()
  const days = { from: '2026-01-01', to: '2026-03-31' }
  const bill = { vendor: 'Acme', amount: 109, taxAmount: 9, taxRate: 9, date: '2026-02-01' }
  await spendApproved(amy, { ...bill, vendorTaxNumber: 'M90364879X', documentNumber: '7' })
  expect((await report(amy, days)).problems).toEqual([])
  const { id } = await spendApproved(amy, bill)
  const sale = await sell(amy, { status: 'SENT', issueDate: '2026-01-15', ...untaxed(10) })
  const { problems } = await report(amy, days)
  expect(problems.map(({ severity, code, documentId }) => [severity, code, documentId])).toEqual([
    ['REJECTED', 'TAX_CATEGORY_MISSING', sale.id],
    ['REJECTED', 'DOCUMENT_NUMBER_MISSING', id],
    ['REJECTED', 'SUPPLIER_NUMBER_MISSING', id],
  ])
  const eve = await member('OWNER', { country: 'SG' })
  expect((await report(eve, days)).problems.map(({ code }) => code)).toEqual(['GST_NUMBER_MISSING', 'UEN_MISSING'])
})
