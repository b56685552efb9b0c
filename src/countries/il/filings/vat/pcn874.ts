import { Readable } from 'node:stream'
import { today } from '../../../../core/values/day.ts'
import { advanceProblems } from '../../../../features/books/statutory/advance-problems.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { StatutoryFile } from '../../../../features/books/statutory/statutory-file.ts'
import type { Issuer } from '../../../country.ts'
import { il } from '../../il.ts'
import { nineDigits } from '../text.ts'
import { allocationProblems, numberProblems } from './allocation-problems.ts'
import { figuresOf, pcn874Lines, recordsOf } from './pcn874-records.ts'
import { readVat, type VatEvent } from './read-vat.ts'

/** How long the journal is read. */
const withinMs = 7_000

export const pcn874: StatutoryFile = {
  id: 'il-pcn874',
  name: { en: 'Detailed VAT report (PCN874)', he: 'דוח מע"מ מפורט (PCN874)' },
  does: 'Sales and inputs of one or two months with allocation numbers, as the detailed VAT report of the Israel Tax Authority.',
  fileType: 'text/plain',
  period: 'months',
  async build({ db, organization, from, to, now }) {
    const issuer = await db
      .selectFrom('organizations')
      .select(['name', 'address', 'taxNumber', 'registrationNumber'])
      .executeTakeFirstOrThrow()
    const dealer = nineDigits(issuer.taxNumber) ?? nineDigits(issuer.registrationNumber) ?? '0'.repeat(9)
    const events = await readVat(db, { from, to, home: organization.currency, until: performance.now() + withinMs })
    const ofNumbers = await allocationProblems(db, { from, to })
    const records = recordsOf(events, to)
    const madeOn = today(now, organization.timezone)
    const lines = pcn874Lines(records, { dealer, lastDay: to, madeOn })
    const bytes = Buffer.from(`${lines.join('\n')}\n`, 'latin1')
    return {
      file: {
        fileName: 'PCN874.TXT',
        fileType: 'text/plain',
        fileSize: bytes.length,
        open: async () => Readable.from([bytes]),
      },
      problems: [
        ...issuerProblems(dealer, issuer),
        ...(to < madeOn ? [] : [notEnded]),
        ...events.flatMap(eventProblems),
        ...numberProblems(events),
        ...ofNumbers.problems,
        ...(await advanceProblems(db, { from, to }, organization.rules)),
      ],
      totals: totalsOf(events, records),
      isWhole: ofNumbers.isWhole,
    }
  },
}

const notEnded = toCheck(
  'PERIOD_NOT_ENDED',
  'The period has not ended: documents may be added to it. Make the file again then.',
)

/** The figures of the header in whole shekels, and the exact ones, which are those of the tax report. */
function totalsOf(events: readonly VatEvent[], records: ReturnType<typeof recordsOf>) {
  const { taxed, vat, untaxed, input, equipment, sales, inputs, payable } = figuresOf(records)
  const exactOf = (side: VatEvent['side']) =>
    events.filter((event) => event.side === side).reduce((sum, { taxMinor }) => sum + taxMinor, 0) / 100
  return [
    { code: 'TAXED_SALES', name: 'Taxable sales without VAT', count: sales, amount: taxed },
    { code: 'OUTPUT_VAT', name: 'VAT on sales', count: null, amount: vat },
    { code: 'UNTAXED_SALES', name: 'Sales at the zero rate or exempt', count: null, amount: untaxed },
    { code: 'INPUT_VAT', name: 'VAT on inputs other than equipment', count: inputs, amount: input },
    { code: 'EQUIPMENT_VAT', name: 'VAT on equipment', count: null, amount: equipment },
    { code: 'PAYABLE', name: 'VAT to pay; negative if it is refunded', count: null, amount: payable },
    { code: 'EXACT_OUTPUT_VAT', name: 'VAT on sales, not rounded', count: null, amount: exactOf('OUTPUT') },
    { code: 'EXACT_INPUT_VAT', name: 'VAT on inputs, not rounded', count: null, amount: exactOf('INPUT') },
  ]
}

function issuerProblems(dealer: string, issuer: Issuer): FileProblem[] {
  const found = (code: string, message: string) => rejected(code, message, { field: 'taxNumber' })
  const wrong = /[1-9]/.test(dealer)
    ? il.identifiers.taxProblem(dealer)
    : 'The organization has no dealer number (taxNumber).'
  const unregistered = 'The organization is not registered for VAT (taxNumber): exempt dealers file no detailed report.'
  return [
    ...(wrong ? [found('ISSUER_NUMBER', wrong)] : []),
    ...(il.documents.isRegistered(issuer) ? [] : [found('ISSUER_NOT_REGISTERED', unregistered)]),
  ]
}

/** Up to this amount without tax, in agorot, an invoice may leave out the number of the customer. */
const unnamedMax = 500_000

function eventProblems(event: VatEvent): FileProblem[] {
  const {
    side,
    documentId,
    number,
    day,
    taxMinor,
    taxedMinor,
    untaxedMinor,
    chargedNetMinor,
    dealer,
    allocationNumber,
  } = event
  const found = (code: string, field: string, message: string) =>
    rejected(code, `Document ${number ?? '–'} of ${day}: ${message}`, { field, documentId })
  const isAbroad = event.country !== null && event.country !== 'IL'
  const isWrong = nineDigits(dealer) !== undefined && il.identifiers.taxProblem(dealer ?? '') !== undefined
  const rate = event.rateKnown
    ? []
    : [found('EXCHANGE_RATE_MISSING', 'currency', 'no exchange rate was known; the face value counts.')]
  if (side === 'OUTPUT') {
    const isLarge = Math.abs(taxedMinor + untaxedMinor) > unnamedMax
    return [
      ...rate,
      ...(isWrong && !isAbroad
        ? [
            found(
              'CUSTOMER_NUMBER',
              'customer.registrationNumber',
              'the number of the customer is not a valid Israeli number.',
            ),
          ]
        : []),
      ...(!isAbroad && isLarge && nineDigits(dealer) === undefined
        ? [
            found(
              'CUSTOMER_NUMBER_MISSING',
              'customer.registrationNumber',
              'above 5,000 ILS the number of the customer is needed.',
            ),
          ]
        : []),
    ]
  }
  if (taxMinor === 0) return []
  const purchase = { date: day, netMinor: BigInt(chargedNetMinor), deductedMinor: BigInt(taxMinor), allocationNumber }
  return [
    ...rate,
    ...(nineDigits(dealer) === undefined
      ? [
          found(
            'SUPPLIER_TAX_NUMBER_MISSING',
            'vendorTaxNumber',
            'the number of the supplier is missing; the bill is in the sum of petty cash.',
          ),
        ]
      : []),
    ...(isWrong
      ? [found('SUPPLIER_TAX_NUMBER', 'vendorTaxNumber', 'the number of the supplier is not a valid Israeli number.')]
      : []),
    ...(number
      ? []
      : [found('DOCUMENT_NUMBER_MISSING', 'documentNumber', "the number of the supplier's invoice is missing.")]),
    ...il.purchaseWarnings(purchase).map(({ code, path, message }) => found(code, path, message)),
  ]
}
