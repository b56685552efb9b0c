import { countryName } from '../../../../core/values/country-names.ts'
import { exact, round, split } from '../../../../core/values/money.ts'
import { nineDigits } from '../text.ts'
import { hasLines, meansFields, statedPayments, withheldOf } from './means.ts'
import type { UniformDocument } from './read-documents.ts'
import { compactDay, hundredths, type UniformRecord, type Values } from './record.ts'
import type { Uniform } from './uniform.ts'

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

export function* documentRecords(uniform: Uniform, document: UniformDocument, link: number): Generator<UniformRecord> {
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
