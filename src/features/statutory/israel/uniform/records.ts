import { countryName } from '../../../../core/values/country-names.ts'
import { convert, exact, minorDigits, round, split } from '../../../../core/values/money.ts'
import type { JournalRow } from '../../../reports/journal.ts'
import { toLine } from '../../../reports/journal.ts'
import { nineDigits } from '../text.ts'
import { layouts } from './layouts.ts'
import { hasLines, meansFields, statedPayments, withheldOf } from './means.ts'
import type { UniformItem } from './read-books.ts'
import type { UniformDocument } from './read-documents.ts'
import { type Values, writeRecord } from './record.ts'
import type { Uniform } from './uniform.ts'

type Code = 'A100' | 'B100' | 'B110' | 'C100' | 'D110' | 'D120' | 'M100' | 'Z900'
export type UniformRecord = { code: Code; values: Values }

export const constant = '&OF1.31&'
const compactDay = (day: string) => day.replaceAll('-', '')

/** The records of BKMVDATA in their order, without their numbers. */
export function* recordsOf(uniform: Uniform): Generator<UniformRecord> {
  yield { code: 'A100', values: { 1103: uniform.primaryId, 1104: constant } }
  for (const [index, document] of uniform.documents.entries()) yield* documentRecords(uniform, document, index + 1)
  yield* journalRecords(uniform)
  yield* accountRecords(uniform)
  for (const item of uniform.items) yield { code: 'M100', values: itemFields(uniform, item) }
  yield { code: 'Z900', values: { 1153: uniform.primaryId, 1154: constant } }
}

/** A record as a line of the file. Every record has its number and the number of the business as its second and third field. */
export function writeLine(
  { code, values }: UniformRecord,
  numbers: { record: number; dealer: string; total: number },
): string {
  const layout = layouts[code]
  const [, second, third] = layout.fields
  const common = { [second?.number ?? 0]: numbers.record, [third?.number ?? 0]: numbers.dealer }
  return writeRecord(layout, { ...values, ...common, ...(code === 'Z900' && { 1155: numbers.total }) })
}

/** The code of a document in the file: three digits. Credit notices of exempt dealers have none and are shown as credits. */
export const typeOf = ({
  officialType,
  documentType,
}: Pick<UniformDocument, 'officialType' | 'documentType'>): string =>
  /^\d{3}$/.test(officialType) ? officialType : documentType === 'CREDIT_MEMO' ? '330' : '300'

/** The amounts of a document in agorot: lines, what they add up to, the tax and the total. */
export function amountsOf(document: UniformDocument) {
  const { lines, totalIls, taxIls, currency } = document
  const onlyReceipt = !hasLines(document)
  const tax = onlyReceipt ? 0n : BigInt(taxIls)
  const net = BigInt(totalIls) - tax
  const shares = lines.map(({ amountMinor }) => BigInt(amountMinor))
  const isShared = currency !== 'ILS' && shares.length > 0 && shares.every((share) => share >= 0n)
  const lineAmounts = isShared ? split(net, shares) : shares
  const gross = onlyReceipt ? net : lineAmounts.reduce((sum, amount) => sum + amount, 0n)
  return { lineAmounts, gross, reduction: net - gross, net, tax, total: BigInt(totalIls) }
}

function* documentRecords(uniform: Uniform, document: UniformDocument, link: number): Generator<UniformRecord> {
  const amounts = amountsOf(document)
  yield { code: 'C100', values: headerFields(uniform, document, { amounts, link }) }
  const of = { type: typeOf(document), number: document.number, day: compactDay(document.issueDate), link }
  if (hasLines(document))
    for (const [index] of document.lines.entries())
      yield {
        code: 'D110',
        values: lineFields(uniform, document, { ...of, index, amount: amounts.lineAmounts[index] ?? 0n }),
      }
  for (const [index, payment] of statedPayments(document).entries())
    yield {
      code: 'D120',
      values: {
        ...{ 1303: of.type, 1304: of.number, 1305: index + 1, 1312: payment.amountIls, 1322: of.day, 1323: link },
        ...meansFields(payment),
      },
    }
}

type Header = { amounts: ReturnType<typeof amountsOf>; link: number }

function headerFields({ keys }: Uniform, document: UniformDocument, { amounts, link }: Header): Values {
  const { customer, currency, issueDate } = document
  const country = customer?.country ?? null
  const isForeign = currency !== 'ILS'
  return {
    1203: typeOf(document),
    1204: document.number,
    1205: document.issuedOn,
    1206: document.issuedAt,
    1207: customer?.name,
    ...addressFields(customer?.address ?? null, [1208, 1209, 1210, 1211]),
    1212: country ? countryName(country, 'he') : '',
    1213: country ?? '',
    1214: document.phone,
    1215:
      (country === null || country === 'IL') && nineDigits(customer?.registrationNumber)
        ? nineDigits(customer?.registrationNumber)
        : 0,
    1216: compactDay(issueDate),
    1217: isForeign ? hundredths(document.totalMinor, currency) : 0,
    1218: isForeign ? currency : '',
    1219: amounts.gross,
    1220: amounts.reduction,
    1221: amounts.net,
    1222: amounts.tax,
    1223: amounts.total,
    1224: withheldOf(document),
    1225: keys.receivables,
    1228: document.isCancelled ? '1' : '0',
    1230: compactDay(issueDate),
    1234: link,
  }
}

/** An address is one text here: it is in the field of the street, and a postal code of seven digits in its own. */
export function addressFields(
  address: string | null,
  [street, house, city, zip]: readonly [number, number, number, number],
): Values {
  const parts = (address ?? '')
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
  const code = /(?<!\d)\d{7}(?!\d)/.exec(address ?? '')?.[0] ?? ''
  const [first = '', ...rest] = parts
  const number = /(?:^|\s)(\d{1,5}[א-תA-Za-z]?)$/.exec(first)?.[1] ?? /^(\d{1,5}[A-Za-z]?)\s/.exec(first)?.[1] ?? ''
  const town =
    rest.map((part) => part.replace(code, '').trim()).find((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
  return { [street]: first.replace(number, '').trim(), [house]: number, [city]: town, [zip]: code }
}

type LineOf = { type: string; number: string; day: string; link: number; index: number; amount: bigint }

function lineFields(
  { keys, itemsById }: Uniform,
  document: UniformDocument,
  { type, number, day, link, index, amount }: LineOf,
): Values {
  const line = document.lines[index]
  if (!line) return {}
  const item = line.itemId === null ? undefined : itemsById.get(line.itemId)
  const price = inShekels(document, line.unitPrice)
  const gross = round(exact(line.quantity).times(exact(price.toString())), 'half-up')
  return {
    ...{ 1253: type, 1254: number, 1255: index + 1 },
    1256: document.sourceType !== null && /^\d{3}$/.test(document.sourceType) ? document.sourceType : 0,
    1257: document.sourceNumber,
    1258: item ? (item.kind === 'GOODS' ? 2 : 1) : 3,
    1259: item ? keys.items.get(item.id) : '',
    1260: line.description,
    1263: item?.unit ?? 'יחידה',
    1264: round(exact(line.quantity).times(10_000), 'half-up'),
    1265: price,
    1266: line.hasDiscount && gross > amount ? amount - gross : 0,
    1267: amount,
    1268: round(exact(line.taxRate).times(100), 'half-up'),
    ...{ 1272: day, 1273: link },
  }
}

/** A price of the document's currency in agorot. */
const inShekels = ({ rate }: UniformDocument, price: string): bigint =>
  round(
    exact(price)
      .times(exact(rate ?? 1))
      .times(100),
    'half-up',
  )

/** An amount with two decimals, whatever the currency has. */
const hundredths = (minor: number, currency: string): bigint =>
  minorDigits(currency) === 2 ? BigInt(minor) : convert(BigInt(minor), { from: currency, to: 'ILS', rate: 1 })

function* journalRecords(uniform: Uniform): Generator<UniformRecord> {
  let entry = 0
  for (const lines of entriesOf(uniform.books.lines)) {
    entry++
    for (const [index, line] of lines.entries())
      yield { code: 'B100', values: journalFields(uniform, lines, { line, entry, index }) }
  }
}

/** Lines of one event, which the journal returns one after the other. */
function* entriesOf(lines: readonly JournalRow[]): Generator<JournalRow[]> {
  let entry: JournalRow[] = []
  for (const line of lines) {
    const [first] = entry
    if (first && (first.eventId !== line.eventId || first.event !== line.event)) {
      yield entry
      entry = []
    }
    entry.push(line)
  }
  if (entry.length > 0) yield entry
}

type LineOfEntry = { line: JournalRow; entry: number; index: number }

function journalFields(
  { keys, books, home }: Uniform,
  lines: readonly JournalRow[],
  { line, entry, index }: LineOfEntry,
): Values {
  const document = books.references.get(line.documentId ?? '')
  const receipt = books.references.get(line.paymentId ?? '')
  const [first, second] = document ? [document, receipt] : [receipt, undefined]
  const isDebit = line.homeMinor > 0
  const others = new Set(lines.filter(({ homeMinor }) => homeMinor > 0 !== isDebit).map(({ accountId }) => accountId))
  const [other] = others
  const day = compactDay(line.date)
  return {
    1353: entry,
    1354: index + 1,
    1356: line.event,
    1357: first?.number ?? line.number ?? '',
    1358: first && /^\d{3}$/.test(first.type) ? first.type : 0,
    1359: second?.number ?? '',
    1360: second && /^\d{3}$/.test(second.type) ? second.type : 0,
    1361: toLine(line).description,
    1362: day,
    1363: day,
    1364: keys.accounts.get(line.accountId ?? '') ?? keys.none,
    1365: others.size === 1 ? (keys.accounts.get(other ?? '') ?? keys.none) : '',
    1366: isDebit ? 1 : 2,
    1367: line.currency === home ? '' : line.currency,
    1368: Math.abs(line.homeMinor),
    1369: line.currency === home ? 0 : hundredths(Math.abs(line.minor), line.currency),
    1375: day,
  }
}

/** The accounts that are in use, that have a balance, or that lines of the period name. */
export function* accountRecords({ books, keys }: Uniform): Generator<UniformRecord> {
  const sums = new Map<string | null, { debit: bigint; credit: bigint }>()
  for (const { accountId, homeMinor } of books.lines) {
    const sum = sums.get(accountId) ?? { debit: 0n, credit: 0n }
    if (homeMinor > 0) sum.debit += BigInt(homeMinor)
    else sum.credit -= BigInt(homeMinor)
    sums.set(accountId, sum)
  }
  const figures = (id: string | null) => ({
    ...{ 1414: books.openings.get(id) ?? 0n, 1415: sums.get(id)?.debit ?? 0n, 1416: sums.get(id)?.credit ?? 0n },
  })
  for (const { id, name, nameHe, type, active } of books.accounts) {
    if (!active && !sums.has(id) && (books.openings.get(id) ?? 0n) === 0n) continue
    const group = groups[type] ?? { code: '', name: type }
    yield {
      code: 'B110',
      values: { 1403: keys.accounts.get(id), 1404: nameHe ?? name, 1405: group.code, 1406: group.name, ...figures(id) },
    }
  }
  if (sums.has(null) || books.openings.has(null))
    yield {
      code: 'B110',
      values: { 1403: keys.none, 1404: 'ללא חשבון', 1405: '0', 1406: 'ללא חשבון', ...figures(null) },
    }
}

/** The groups of the trial balance. */
const groups: Record<string, { code: string; name: string }> = {
  ASSET: { code: '1', name: 'נכסים' },
  LIABILITY: { code: '2', name: 'התחייבויות' },
  EQUITY: { code: '3', name: 'הון' },
  INCOME: { code: '4', name: 'הכנסות' },
  EXPENSE: { code: '5', name: 'הוצאות' },
}

const itemFields = ({ keys }: Uniform, item: UniformItem): Values => ({
  1453: item.barcode,
  1455: keys.items.get(item.id),
  1456: item.name,
  1459: item.unit ?? 'יחידה',
  ...{
    1460: BigInt(item.openingQuantity),
    1461: BigInt(item.quantityIn),
    1462: BigInt(item.quantityOut),
    1463: BigInt(item.costMinor),
  },
})
