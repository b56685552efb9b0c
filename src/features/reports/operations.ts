import { invalid } from '../../core/define/failure.ts'
import { operation } from '../../core/define/operation.ts'
import { paging } from '../../core/define/page.ts'
import { defaulted, Id, OneOf, Type } from '../../core/define/schema.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { csvFile, toCsv } from '../../core/files/csv.ts'
import { inFormat, orFile } from '../../core/files/file.ts'
import { toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { organizationContext, requiredDay } from '../../ledger/organization-context.ts'
import { findAccount, Journal, journalWarnings, readJournal } from './journal.ts'

const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31.',
  examples: ['2026-01-31'],
})

export const journal = operation({
  name: 'reports_journal',
  http: 'GET /api/reports/journal',
  does: 'Shows the journal of a period in the main currency: documents, payments, exchange differences and entries that people made.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    from: Day,
    to: Day,
    account: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Only lines of this account: its code or id.',
        examples: ['600'],
      }),
    ),
    format: defaulted(
      Type.Unsafe<'json' | 'csv'>({
        ...OneOf('json', 'csv'),
        description: 'csv answers a file with all lines of the period, whatever the page.',
      }),
      'json',
    ),
    ...paging({ limit: 100, max: 1_000 }),
  }),
  output: orFile(Journal, 'text/csv'),
  async run({ db }, { account, format, page, limit, ...given }) {
    const { organization, accountId } = await pipeline({
      organization: organizationContext(db),
      accountId: findAccount(db, account),
    })
    const { currency } = organization
    const [from, to] = [requiredDay('from', given.from, organization), requiredDay('to', given.to, organization)]
    if (to < from) throw invalid('to', 'to is before from.')
    const part = format === 'csv' ? { limit: csvMax + 1, offset: 0 } : { limit, offset: (page - 1) * limit }
    const { sums, lines } = await readJournal(db, currency, { from, to, accountId, ...part })
    if (format === 'csv') {
      if (sums.count > csvMax)
        throw invalid('to', `The period has ${sums.count} lines, and a file has at most ${csvMax}. Give a shorter one.`)
      const rows = lines.map((line) => columns.map((column) => line[column]))
      return inFormat(csvFile(`journal-${from}-${to}.csv`, toCsv(columns, rows)))
    }
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    const report = {
      from,
      to,
      currency,
      entries: lines,
      totals: { debit: major(sums.debitMinor), credit: major(sums.creditMinor) },
      pagination: { page, limit, total: sums.count, totalPages: Math.ceil(sums.count / limit) },
    }
    return withWarnings(report, journalWarnings(sums))
  },
})

/** The most lines of a file. */
const csvMax = 100_000

const columns = [
  'date', 'event', 'number', 'description', 'accountCode', 'accountName', 'debit', 'credit', 'homeCurrency', 'currency',
  'originalDebit', 'originalCredit', 'exchangeRate', 'documentId', 'paymentId', 'entryId', 'eventId',
] as const // biome-ignore format: a list of words
