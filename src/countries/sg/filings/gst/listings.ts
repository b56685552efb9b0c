import { add, split } from '../../../../core/values/money.ts'
import type { TaxedDocument } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import { amountText, type Listed } from './audit-file.ts'
import { gstCode } from './gst-codes.ts'

type Side = TaxedDocument['side']

/** The currency of amounts in Singapore dollars, as the audit file writes it. */
const noForeignCurrency = 'XXX'

/** One line of a document: what of the booked amounts belongs to it. */
type Line = { description: string; base: bigint; tax: bigint; originalBase: bigint; originalTax: bigint }

/** What was booked at a rate and category, divided among the lines of the document in proportion: the lines add up to it. */
function linesOf(document: TaxedDocument): Line[] {
  const { baseMinor, taxMinor, originalBaseMinor, originalTaxMinor, documentType } = document
  const amounts = [baseMinor, taxMinor, originalBaseMinor, originalTaxMinor].map(BigInt)
  const weights = document.lines.map(({ amountMinor }) => BigInt(amountMinor))
  const isDivided = weights.length > 1 && weights.every((weight) => weight >= 0n)
  const names = document.lines.map(({ description }) => description)
  const shares = amounts.map((amount) => (isDivided ? split(amount, weights) : [amount]))
  return (isDivided ? names : [names.join(', ') || documentType]).map((description, at) => {
    const [base = 0n, tax = 0n, originalBase = 0n, originalTax = 0n] = shares.map((share) => share[at] ?? 0n)
    return { description, base, tax, originalBase, originalTax }
  })
}

/** The purchase or the supply listing, in the currency of the country. */
export function listingOf(
  documents: readonly TaxedDocument[],
  side: Side,
  currency: string,
): Listed & { total: bigint; tax: bigint } {
  const records: string[][] = []
  const sums: Line[] = []
  const lineNumbers = new Map<string, number>()
  for (const document of documents.filter((each) => each.side === side)) {
    const event = `${document.documentId} ${document.event}`
    for (const line of linesOf(document)) {
      const lineNumber = (lineNumbers.get(event) ?? 0) + 1
      lineNumbers.set(event, lineNumber)
      records.push(recordOf(document, { line, lineNumber, currency }))
      sums.push(line)
    }
  }
  const [total, tax] = [add(sums.map(({ base }) => base)), add(sums.map((line) => line.tax))]
  const totalName = side === 'INPUT' ? 'PurchaseTotalSGD' : 'SupplyTotalSGD'
  const totals = [
    [totalName, amountText(total, currency)],
    ['GSTTotalSGD', amountText(tax, currency)],
    ['TransactionCountTotal', String(records.length)],
  ] as const
  return { records, totals, total, tax }
}

type Placed = { line: Line; lineNumber: number; currency: string }

function recordOf(document: TaxedDocument, { line, lineNumber, currency }: Placed): string[] {
  const { name, partyNumber, day, number, partyCountry, side } = document
  const isForeign = document.currency !== currency
  const foreign = (minor: bigint) => (isForeign ? amountText(minor, document.currency) : '0.00')
  const code = gstCode(document) ?? ''
  const amounts = [amountText(line.base, currency), amountText(line.tax, currency), code]
  const abroad = side === 'OUTPUT' ? [partyCountry === null || partyCountry === 'SG' ? '' : partyCountry] : []
  return [
    ...[name ?? '', partyNumber ?? '', day, number ?? ''],
    ...(side === 'INPUT' ? [''] : []), // the import permit, which bills do not have
    ...[String(lineNumber), line.description, ...amounts, ...abroad],
    ...[isForeign ? document.currency : noForeignCurrency, foreign(line.originalBase), foreign(line.originalTax)],
  ]
}

/** What IRAS would reject of the listings, each once for a document. */
export function listingProblems(documents: readonly TaxedDocument[]): FileProblem[] {
  const byDocument = new Map(documents.map((document) => [document.documentId, document]))
  return [...byDocument.values()].flatMap((document) => {
    const { documentId, counterpartyId, side, name, partyNumber, number } = document
    const of = { documentId, supplierId: side === 'INPUT' ? counterpartyId : null }
    const party = side === 'INPUT' ? 'supplier' : 'customer'
    return [
      ...(name ? [] : [rejected('NAME_MISSING', `The name of the ${party} is missing.`, of)]),
      ...(number ? [] : [rejected('DOCUMENT_NUMBER_MISSING', 'The number of the invoice is missing.', of)]),
      ...(side === 'OUTPUT' || partyNumber
        ? []
        : [
            rejected(
              'SUPPLIER_NUMBER_MISSING',
              'The UEN or GST number of the supplier is missing (vendorTaxNumber).',
              of,
            ),
          ]),
      ...((partyNumber?.length ?? 0) <= 16
        ? []
        : [rejected('NUMBER_TOO_LONG', `The number of the ${party} has more than 16 characters and is cut.`, of)]),
      ...((number?.length ?? 0) <= 50
        ? []
        : [rejected('NUMBER_TOO_LONG', 'The number of the invoice has more than 50 characters and is cut.', of)]),
      ...((name?.length ?? 0) <= 100
        ? []
        : [toCheck('NAME_CUT', `The name of the ${party} has more than 100 characters and is cut.`, of)]),
    ]
  })
}
