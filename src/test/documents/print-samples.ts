import { countryView } from '../../features/selling/documents/country-view.ts'
import type { PrintData } from '../../features/selling/documents/print/print-data.ts'

/** Documents to print, without a database. */

type Row = PrintData['row']
type Item = Row['items'][number]
export type Sample = Omit<Partial<PrintData>, 'row' | 'sale' | 'country'> & {
  row?: Partial<Row>
  organization?: Partial<Organization>
  customer?: Row['buyer']
}
type Organization = NonNullable<Row['organization']>

const item = (description: string, quantity: number, unitPrice: number, more: Partial<Item> = {}): Item => ({
  id: description,
  itemId: null,
  description,
  quantity,
  unitPrice,
  amountMinor: Math.round(quantity * unitPrice * 100),
  taxRate: null,
  taxCategory: null,
  discountPercent: null,
  discountMinor: null,
  ...more,
})

/** A document with these lines and their totals. */
function over(items: Item[], taxRate: number | null, more: Partial<Row> = {}): Partial<Row> {
  const subtotalMinor = items.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const taxMinor = Math.round(
    items.reduce((sum, line) => sum + (line.amountMinor * Number(line.taxRate ?? taxRate ?? 0)) / 100, 0),
  )
  const sums = { subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor }
  return { items, taxRate: taxRate === null ? null : String(taxRate), ...sums, ...more }
}

export function printData({
  row: ownRow,
  organization = israel.organization,
  customer = israel.customer,
  ...more
}: Sample = {}): PrintData {
  const row = {
    id: '0199a000-0000-7000-8000-000000000001',
    organizationId: '0199a000-0000-7000-8000-000000000002',
    customerId: '0199a000-0000-7000-8000-000000000003',
    documentType: 'INVOICE',
    invoiceNumber: 'INV-0042',
    status: 'SENT',
    inDispute: false,
    dueDate: '2026-03-14',
    currency: 'ILS',
    exchangeRate: null,
    exchangeRateDate: null,
    rateCurrency: 'ILS',
    givenRateDate: null,
    countryRate: null,
    countryRateDate: null,
    paidMinor: 0,
    creditedMinor: 0,
    convertedToId: null,
    sourceDocumentId: null,
    notes: null,
    vatAllocationNumber: null,
    generatorVersion: '0.1.0',
    issueDate: '2026-02-12',
    issueDateGiven: false,
    paymentId: null,
    createdAt: '2026-02-12T08:30:00Z',
    updatedAt: '2026-02-12T08:30:00Z',
    counterpartyName: 'גלובקס תעשיות בע"מ',
    customerEmail: null,
    createdBy: null,
    payments: [],
    direction: 'OUTGOING',
    bankAccountId: null,
    payUntil: null,
    paymentMethod: null,
    paymentDate: null,
    receiptNumber: null,
    sentAt: null,
    cancelledAt: null,
    countrySpecificData: null,
    organization: { id: '', currency: 'ILS', ...organization },
    buyer: customer,
    bankAccount: null,
    issuedAs: null,
    chosenLanguage: null,
    ...israeliLines,
    ...ownRow,
  } as Row
  const details = { reference: null, details: null, withheldMinor: 0, paid: [] }
  const own = {
    id: 'p',
    paidAt: row.paymentDate ?? row.issueDate,
    method: row.paymentMethod,
    amountMinor: row.totalMinor,
  }
  const isReceipt = row.documentType === 'RECEIPT' || row.documentType === 'INVOICE_RECEIPT'
  const received = (row.paymentId === null ? row.payments : [own]).map((payment) => ({ ...payment, ...details }))
  row.openMinor = row.paymentId || row.cancelledAt ? 0 : row.totalMinor - row.paidMinor - row.creditedMinor
  const seen = countryView(row)
  if (!seen) throw new Error('A sample needs a country.')
  return {
    row,
    ...seen,
    issuedAt: '2026-02-12T08:30:00Z',
    source: { number: null, issueDate: null, documentType: null, countrySpecificData: null },
    account: israel.account,
    logo: undefined,
    original: undefined,
    paidAtIssue: new Set(),
    received: isReceipt ? received : [],
    receivedAtIssue: isReceipt ? received : [],
    paymentVoided: false,
    ...more,
  }
}

const israeliLines = over(
  [
    item('ייעוץ ארכיטקטורת ענן – Cloud architecture, ינואר 2026', 12, 420),
    item('אחסון שרתים (Hosting) כולל גיבוי', 1, 1_850.5),
    item('תמיכה טכנית 24/7', 3, 299.9),
  ],
  18,
)

const account = {
  id: '1',
  organizationId: '2',
  currencies: [],
  isDefault: true,
  localBankCode: null,
  routingNumber: null,
  bankAddress: null,
  bankCountry: null,
  notes: null,
  swiftCode: null,
  iban: null,
  branchCode: null,
  createdAt: '',
  updatedAt: '',
}

export const israel = {
  customer: {
    name: 'גלובקס תעשיות בע"מ',
    country: 'IL',
    kind: 'ORGANIZATION' as const,
    registrationNumber: '514713288',
    address: 'דרך מנחם בגין 132\nתל אביב 6701101',
  },
  account: {
    ...account,
    bankName: 'בנק לאומי',
    accountName: 'סטודיו אלון בע"מ',
    accountNumber: '1234567',
    branchCode: '800',
    localBankCode: '10',
    iban: 'IL620108000000001234567',
    swiftCode: 'LUMIILITXXX',
  },
  organization: {
    name: 'סטודיו אלון בע"מ',
    country: 'IL' as const,
    registrationNumber: '513456782',
    taxNumber: null,
    address: 'שדרות רוטשילד 45\nתל אביב 6688312',
    email: 'office@alon.example',
    phone: '+972 3-555-0142',
  },
}

export const singapore: Sample = {
  customer: {
    name: 'Globex Holdings Pte. Ltd.',
    country: 'SG',
    kind: 'ORGANIZATION',
    registrationNumber: '201912345D',
    address: '22 Raffles Place, #14-01\nSingapore 048617',
  },
  account: {
    ...account,
    bankName: 'DBS Bank',
    accountName: 'Merlion Studio Pte. Ltd.',
    accountNumber: '072-901234-5',
    branchCode: '072',
    swiftCode: 'DBSSSGSG',
  },
  organization: {
    name: 'Merlion Studio Pte. Ltd.',
    country: 'SG',
    currency: 'SGD',
    registrationNumber: '200012345W',
    taxNumber: 'M90364879X',
    address: '1 Orchard Road, #05-12\nSingapore 238801',
    email: 'accounts@merlion.example',
    phone: '+65 6123 4567',
  },
  row: {
    currency: 'SGD',
    counterpartyName: 'Globex Holdings Pte. Ltd.',
    customerEmail: null,
    ...over(
      [
        item('Brand identity, second phase', 1, 4_800),
        item('Printing of letterheads', 2_500, 0.085),
        item('Export delivery to Batam', 1, 320, { taxRate: 0, taxCategory: 'ZR' }),
      ],
      9,
    ),
  },
}

export const america: Sample = {
  customer: {
    name: 'Initech LLC',
    country: 'US',
    kind: 'ORGANIZATION',
    registrationNumber: null,
    address: '4120 Freidrich Lane\nAustin, TX 78744',
  },
  account: {
    ...account,
    bankName: 'First Republic of Queens',
    accountName: 'Hudson Works Inc.',
    accountNumber: '000123456789',
    routingNumber: '021000021',
  },
  organization: {
    name: 'Hudson Works Inc.',
    country: 'US',
    currency: 'USD',
    registrationNumber: '12-3456789',
    taxNumber: null,
    address: '350 Fifth Avenue\nNew York, NY 10118',
    email: 'billing@hudson.example',
    phone: '+1 (212) 555-0199',
  },
  row: {
    currency: 'USD',
    counterpartyName: 'Initech LLC',
    customerEmail: null,
    notes: 'Net 30. Late payments bear interest of 1.5% a month.',
    ...over([item('Oak shelving, 6 ft', 4, 389.5), item('Installation on site', 6, 95)], 8.875),
  },
}

/** Enough lines for three pages. */
export const manyLines = (count: number, describe: (at: number) => string, rate: number) =>
  over(
    Array.from({ length: count }, (_, at) => item(describe(at + 1), 1 + (at % 7), 40 + 13.75 * (at % 11))),
    rate,
  )

export const lines = { item, over }
