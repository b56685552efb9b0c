import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import type { TaxedDocument } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { type FileProblem, FileProblems, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { SalesTaxRates } from '../../../country.ts'
import { nexusThreshold, rateDifference, salesTaxRateOn, stateOfSale } from '../../reporting.ts'

/** The most ids that a figure names. */
const idsMax = 100

const figures = {
  sales: Type.Number({ description: 'Before tax, credits deducted.' }),
  taxable: Type.Number({ description: 'The part of the sales on which tax is charged.' }),
  exempt: Type.Number({ description: 'The rest of the sales.' }),
  tax: Type.Number({ description: 'Credits deducted.' }),
}

const Row = Type.Object({
  state: nullable(Type.String({ description: 'Where it was sold to; null if the documents do not say.' })),
  rate: Type.Number({ description: 'In percent; 0 if no tax was charged.' }),
  ...figures,
  creditedTax: Type.Number({ description: 'What credit memos have taken off the tax.' }),
  count: Count,
  documentIds: Type.Array(Id, { maxItems: idsMax, description: `The first ${idsMax} of them.` }),
})
export type SalesTaxRow = Static<typeof Row>

export const SalesTaxReport = Type.Object({
  from: Text,
  to: Text,
  currency: Text,
  rows: Type.Array(Row),
  states: Type.Array(Type.Object({ state: nullable(Text), ...figures, count: Count })),
  totals: Type.Object(figures),
  problems: FileProblems,
  problemsIncomplete: Type.Boolean(),
})

const stateOf = ({ facts, partyAddress, partyCountry }: TaxedDocument): string | null =>
  stateOfSale({ facts, address: partyAddress, country: partyCountry })

type Sums = { sales: number; taxable: number; tax: number; creditedTax: number; documents: Set<string> }

function addTo(
  groups: Map<string, Sums>,
  key: string,
  { baseMinor, taxMinor, rate, event, documentId }: TaxedDocument,
) {
  const sums = groups.get(key) ?? { sales: 0, taxable: 0, tax: 0, creditedTax: 0, documents: new Set() }
  sums.sales += baseMinor
  if (isTaxed({ rate, taxMinor })) sums.taxable += baseMinor
  sums.tax += taxMinor
  if (event === 'CREDITED') sums.creditedTax -= taxMinor
  sums.documents.add(documentId)
  groups.set(key, sums)
}

const isTaxed = ({ rate, taxMinor }: Pick<TaxedDocument, 'rate' | 'taxMinor'>) =>
  taxMinor !== 0 && (rate === null || rate > 0)

type Key = [state: string | null, rate: number]

/** The sales of a period by state and rate, the sums of states and of all. */
export function salesTaxOf(documents: readonly TaxedDocument[], currency: string) {
  const sales = documents.filter(({ side }) => side === 'OUTPUT')
  const [byRate, byState, all] = [new Map<string, Sums>(), new Map<string, Sums>(), new Map<string, Sums>()]
  for (const sale of sales) {
    const state = stateOf(sale)
    addTo(byRate, JSON.stringify([state, isTaxed(sale) ? (sale.rate ?? 0) : 0] satisfies Key), sale)
    addTo(byState, JSON.stringify(state), sale)
    addTo(all, 'all', sale)
  }
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  const shown = (sums: Sums | undefined) => ({
    sales: major(sums?.sales ?? 0),
    taxable: major(sums?.taxable ?? 0),
    exempt: major((sums?.sales ?? 0) - (sums?.taxable ?? 0)),
    tax: major(sums?.tax ?? 0),
  })
  const rows = [...byRate].map(([key, sums]): SalesTaxRow => {
    const [state, rate] = JSON.parse(key) as Key
    const ids = [...sums.documents]
    return {
      state,
      rate,
      ...shown(sums),
      creditedTax: major(sums.creditedTax),
      count: ids.length,
      documentIds: ids.slice(0, idsMax),
    }
  })
  const ofStates = [...byState].map(([key, sums]) => ({
    ...{ state: JSON.parse(key) as string | null, ...shown(sums), count: sums.documents.size },
  }))
  return {
    rows: rows.toSorted((one, other) => byName(one, other) || other.rate - one.rate),
    states: ofStates.toSorted(byName),
    totals: shown(all.get('all')),
  }
}

/** By the code of the state; sales whose state is not known are last. */
const byName = (one: { state: string | null }, other: { state: string | null }) =>
  (one.state ?? 'ZZ').localeCompare(other.state ?? 'ZZ')

export const readOwnRates = async (db: Database): Promise<SalesTaxRates> =>
  (await db.selectFrom('organizationSettings').select('salesTaxRates').executeTakeFirst())?.salesTaxRates ?? []

/** What would be rejected or has to be checked of each document, once. */
export function salesTaxProblems(documents: readonly TaxedDocument[], rates: SalesTaxRates): FileProblem[] {
  const found = new Map<string, FileProblem>()
  for (const document of documents.filter(({ side }) => side === 'OUTPUT'))
    for (const problem of [...problemsOf(document), ...rateProblems(document, rates)])
      found.set(`${problem.code} ${document.documentId}`, problem)
  return [...found.values()]
}

function problemsOf(document: TaxedDocument): FileProblem[] {
  const { documentId, partyCountry, rate, taxMinor, isFaceValue, currency } = document
  const state = stateOf(document)
  const of = { documentId }
  const isAbroad = state === null && partyCountry !== null && partyCountry !== 'US'
  const where =
    'The document does not say to which state it was sold: give countrySpecificData.shipTo.state, or the address of the customer with state and ZIP code.'
  const problems: FileProblem[] = []
  if (state === null && taxMinor !== 0) problems.push(rejected('STATE_MISSING', where, of))
  else if (state === null && !isAbroad) problems.push(toCheck('STATE_MISSING', where, of))
  if (taxMinor !== 0 && rate === null)
    problems.push(toCheck('RATE_MISSING', 'Tax is charged, and the document names no rate.', of))
  if (isFaceValue)
    problems.push(
      rejected('EXCHANGE_RATE_MISSING', `No rate of ${currency} to dollars was known; the face value counts.`, of),
    )
  return problems
}

/** How a sale differs from the rates that the organization collects. A credit memo has the rate of what it corrects. */
function rateProblems(document: TaxedDocument, rates: SalesTaxRates): FileProblem[] {
  const { documentId, documentType, rate, taxMinor, category, facts, day } = document
  const state = stateOf(document)
  if (state === null || documentType === 'CREDIT_MEMO') return []
  const found = rateDifference({ state, day, rate, isTaxed: taxMinor !== 0, category, facts }, rates)
  return found ? [toCheck(found.code, found.message, { documentId })] : []
}

type OfState = { state: string | null; sales: number; tax: number }

/**
 * States into which more was sold in the period than a seller elsewhere may sell without collecting tax, and for which the organization
 * has no rate; without a table of rates, those where no tax was charged. Most states look at a calendar year or twelve months.
 */
export const nexusProblems = (rows: readonly OfState[], rates: SalesTaxRates, to: string): FileProblem[] =>
  rows.flatMap(({ state, sales, tax }) => {
    const isCollected = rates.length === 0 ? tax !== 0 : salesTaxRateOn(rates, state ?? '', to) !== undefined
    if (state === null || isCollected) return []
    const threshold = nexusThreshold(state, to)
    if (threshold === undefined) return []
    if (sales <= toMajor(threshold, 'USD')) return []
    const [sold, limit] = [sales.toLocaleString('en-US'), toMajor(threshold, 'USD').toLocaleString('en-US')]
    const why = tax === 0 ? 'no tax was charged there' : 'the table of rates has no rate of it'
    const message = `Sales of ${sold} to ${state} exceed ${limit} dollars, and ${why}: the seller may have to register and collect it.`
    return [toCheck('NEXUS', message)]
  })

export const salesTaxColumns: readonly ReportColumn[] = [
  { key: 'state', title: 'State', titleHe: 'מדינה', type: 'text' },
  { key: 'rate', title: 'Rate %', titleHe: 'שיעור %', type: 'number' },
  { key: 'currency', title: 'Currency', titleHe: 'מטבע', type: 'text' },
  { key: 'sales', title: 'Sales', titleHe: 'מכירות', type: 'money' },
  { key: 'taxable', title: 'Taxable sales', titleHe: 'מכירות חייבות', type: 'money' },
  { key: 'exempt', title: 'Exempt sales', titleHe: 'מכירות פטורות', type: 'money' },
  { key: 'tax', title: 'Tax', titleHe: 'מס', type: 'money' },
  { key: 'creditedTax', title: 'Credited tax', titleHe: 'מס בזיכויים', type: 'money' },
  { key: 'count', title: 'Documents', titleHe: 'מסמכים', type: 'number' },
]
