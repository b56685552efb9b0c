import { operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { byteOrderMark, csvRow } from '../../../../core/files/csv.ts'
import { File, inFormat, orFile } from '../../../../core/files/file.ts'
import { spool } from '../../../../core/files/spool.ts'
import { today } from '../../../../core/values/day.ts'
import { minorDigits, toMajor } from '../../../../core/values/money.ts'
import { attachmentUrl } from '../attachments/attachment.ts'
import { sources } from '../expense.ts'
import { expenseKind } from '../kind.ts'
import { dayFilters } from '../reading/list.ts'
import type { ExportedRow } from './read.ts'
import { exportedRows } from './rows.ts'

const filters = {
  organizationId: Id,
  status: Type.Optional(OneOf(...expenseKind.statuses)),
  source: Type.Optional(OneOf(...sources)),
  categoryId: Type.Optional(Id),
  ...dayFilters,
}

export const csv = operation({
  name: 'expenses_csv',
  http: 'GET /api/expenses/export/csv',
  does: 'Exports expenses as a CSV file, by date.',
  scope: 'expenses:read',
  within: 'organizationId',
  rate: 'heavyReads',
  input: Type.Object(filters),
  output: File,
  outside: true,
  async run(context, { organizationId: _, ...filter }) {
    async function* lines() {
      yield byteOrderMark + csvRow(columns.map(([name]) => name))
      for await (const rows of exportedRows(context, filter))
        yield rows.map((row) => csvRow(columns.map(([, value]) => value(row)))).join('')
    }
    const fileName = `expenses-${today(context.now, 'UTC')}.csv`
    return spool({ path: context.storage.scratch(), fileName, fileType: 'text/csv' }, lines())
  },
})

/** The columns of the CSV file. Amounts and rates are decimal text without quotes, so that spreadsheets compute with them. */
const columns: readonly (readonly [name: string, value: (row: ExportedRow) => string | number | null])[] = [
  ['id', ({ id }) => id],
  ['date', ({ date }) => date],
  ['title', ({ title }) => title],
  ['vendor', ({ vendor }) => vendor],
  ['category', (row) => categoriesOf(row).join('; ') || null],
  ['amount', ({ amount }) => Number(amount)],
  ['currency', ({ currency }) => currency],
  ['taxAmount', ({ taxAmount }) => numberOf(taxAmount)],
  ['taxRate', ({ taxRate }) => numberOf(taxRate)],
  ['deductibleTaxAmount', ({ deductibleTaxAmount }) => numberOf(deductibleTaxAmount)],
  ['paidAmount', ({ paidAmount }) => numberOf(paidAmount)],
  ['creditedAmount', ({ creditedAmount }) => numberOf(creditedAmount)],
  ['openBalance', ({ openBalance }) => numberOf(openBalance)],
  ['status', ({ status }) => status],
  ['source', ({ source }) => source],
  ['paymentMethod', ({ paymentMethod }) => paymentMethod],
  ['dueDate', ({ dueDate }) => dueDate],
  ['documentNumber', ({ documentNumber }) => documentNumber],
  ['vendorTaxNumber', ({ vendorTaxNumber }) => vendorTaxNumber],
  ['vatAllocationNumber', ({ allocationNumber }) => allocationNumber],
  ['customers', ({ customers }) => customers.map(({ name }) => name ?? '').join('; ') || null],
  ['notes', ({ notes }) => notes],
  ['attachments', ({ attached }) => attached.length],
  ['createdBy', ({ createdBy }) => createdBy?.email ?? null],
  ['createdAt', ({ createdAt }) => createdAt],
  ['claimant', ({ claimant }) => claimant?.name ?? null],
  ['exchangeRate', ({ exchangeRate }) => numberOf(exchangeRate)],
  ['homeAmount', (row) => numberOf(homeAmount(row))],
  ['homeCurrency', ({ homeCurrency }) => homeCurrency],
]

/** The names of the categories of an expense or its splits, each once. */
const categoriesOf = ({ category, splits }: ExportedRow): string[] => {
  const all = splits.length > 0 ? splits.map((split) => split.category) : [category]
  return [...new Set(all.flatMap((each) => each?.name ?? []))]
}

/** The amount in the currency of the organization as decimal text; null where no rate is known. */
const homeAmount = ({ homeMinor, homeCurrency }: Pick<ExportedRow, 'homeMinor' | 'homeCurrency'>): string | null =>
  homeMinor === null ? null : toMajor(BigInt(homeMinor), homeCurrency).toFixed(minorDigits(homeCurrency))

const numberOf = (text: string | null) => (text === null ? null : Number(text))

const Decimal = Type.String({ description: 'A decimal number, such as 117.00.', examples: ['117.00'] })

const ManifestEntry = Type.Object({
  id: Id,
  date: Text,
  title: nullable(Text),
  vendor: nullable(Text),
  category: nullable(Type.Object({ id: Id, name: Text })),
  amount: Decimal,
  currency: Text,
  taxAmount: nullable(Decimal),
  taxRate: nullable(Decimal),
  deductibleTaxAmount: Decimal,
  paidAmount: Decimal,
  creditedAmount: Decimal,
  openBalance: Decimal,
  exchangeRate: nullable(Decimal),
  homeAmount: nullable({ ...Decimal, description: 'The amount in homeCurrency; null where no rate is known.' }),
  homeCurrency: Text,
  claimant: nullable(Type.Object({ id: Id, name: nullable(Text) })),
  splits: Type.Array(
    Type.Object({
      category: nullable(Type.Object({ id: Id, name: Text })),
      description: nullable(Text),
      amount: Decimal,
      taxAmount: nullable(Decimal),
    }),
  ),
  status: Text,
  source: Text,
  paymentMethod: nullable(Text),
  dueDate: nullable(Text),
  documentNumber: nullable(Text),
  vendorTaxNumber: nullable(Text),
  vatAllocationNumber: nullable(Text),
  customers: Type.Array(Type.Object({ id: Id, name: nullable(Text) })),
  notes: nullable(Text),
  attachments: Type.Array(
    Type.Object({
      id: Id,
      fileName: Text,
      fileType: nullable(Text),
      fileSize: nullable(Type.Integer()),
      storageUrl: Type.String({ description: 'Opens the file without credentials for 15 minutes.' }),
    }),
  ),
  createdBy: nullable(Type.Object({ id: Id, name: nullable(Text), email: nullable(Text) })),
  createdAt: Instant,
})

const Manifest = Type.Object({
  organization: Type.Object({ id: Id, name: Text }),
  generatedAt: Instant,
  expenses: Type.Array(ManifestEntry),
})

/** Up to so many expenses the manifest is an ordinary answer; a longer one is written to a file first, with the same text. */
const answeredRows = 500

export const manifest = operation({
  name: 'expenses_manifest',
  http: 'GET /api/expenses/export/manifest',
  does: 'Exports expenses with links to their attachments as JSON, by date. Amounts and rates are decimal strings.',
  scope: 'expenses:read',
  within: 'organizationId',
  rate: 'heavyReads',
  input: Type.Object({
    ...filters,
    ids: Type.Optional(
      Type.String({ maxLength: 40_000, description: 'Only these expenses: ids separated by commas.' }),
    ),
  }),
  output: orFile(Manifest, 'application/json'),
  outside: true,
  async run(context, { organizationId: _, ids, ...filter }) {
    const named = ids?.split(',').map((id) => toUuid(id.trim()))
    const organization = await context.tx(({ db }) =>
      db.selectFrom('organizations').select(['id', 'name']).executeTakeFirstOrThrow(),
    )
    const head = { organization, generatedAt: context.now.toISOString() }
    const pages = exportedRows(context, { ...filter, ids: named })
    const toEntry = (row: ExportedRow) =>
      entryOf(row, (id) => attachmentUrl(context, { id, organizationId: organization.id }, context.now))
    const entries = await firstEntries(pages, toEntry)
    if (entries.length < answeredRows) return { ...head, expenses: entries }
    async function* pieces() {
      yield `${JSON.stringify(head).slice(0, -1)},"expenses":[${entries.map((entry) => JSON.stringify(entry)).join()}`
      for await (const rows of pages) yield rows.map((row) => `,${JSON.stringify(toEntry(row))}`).join('')
      yield ']}'
    }
    const fileName = `expenses-${today(context.now, 'UTC')}.json`
    return inFormat(await spool({ path: context.storage.scratch(), fileName, fileType: 'application/json' }, pieces()))
  },
})

/** The entries of whole pages: all of them, or `answeredRows` and more. */
async function firstEntries<T>(pages: AsyncGenerator<ExportedRow[]>, toEntry: (row: ExportedRow) => T): Promise<T[]> {
  const entries: T[] = []
  while (entries.length < answeredRows) {
    const page = await pages.next()
    if (page.done) break
    entries.push(...page.value.map(toEntry))
  }
  return entries
}

function entryOf(
  { organizationId: _, attached, allocationNumber, homeMinor, ...row }: ExportedRow,
  linkOf: (id: string) => string,
): Static<typeof ManifestEntry> {
  const attachments = attached.map((file) => ({ ...file, storageUrl: linkOf(file.id) }))
  const { homeCurrency } = row
  return {
    ...row,
    homeAmount: homeAmount({ homeMinor, homeCurrency }),
    vatAllocationNumber: allocationNumber,
    attachments,
  }
}
