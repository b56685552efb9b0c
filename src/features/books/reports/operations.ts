import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { paging } from '../../../core/define/page.ts'
import { defaulted, Id, Type, type Warning } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { requiredDay } from '../../../ledger/organization-context.ts'
import { type Cursor, readCursor, toCursor } from './cursor.ts'
import { findAccount, Journal, journalTable, journalWarnings, toLine } from './journal.ts'
import { lastKey, type Period, readAfter, readPage, startOf, sumsOf } from './read-journal.ts'
import { reportContext } from './report-context.ts'
import { fileRowsMax, reportFile, reportFormat, reportOutput } from './report-file.ts'

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
    ...reportFormat,
    ...paging({ limit: 100, max: 1_000 }),
    totals: defaulted(
      Type.Boolean({
        description:
          'false: totals and pagination.total are those of the page alone. The first page then takes the same time however long the period is.',
        examples: [true],
      }),
      true,
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description:
          'The nextCursor of the page before; page is then not used. Such a page takes the same time however long the period is.',
      }),
    ),
  }),
  output: reportOutput(Journal),
  async run({ db }, { account, format, page, limit, cursor, totals, ...days }) {
    const { organization, accountId } = await pipeline({
      organization: reportContext(db),
      accountId: findAccount(db, account),
    })
    const { currency } = organization
    const [from, to] = [requiredDay('from', days.from, organization), requiredDay('to', days.to, organization)]
    if (to < from) throw invalid('to', 'to is before from.')
    const period = { from, to, home: currency, accountId }
    if (format !== 'json') {
      const { lines, isWhole } = await readPage(db, period, {
        offset: 0,
        limit: fileRowsMax,
        most: fileRowsMax,
        withinMs: fileMs,
      })
      if (!isWhole)
        throw invalid(
          'to',
          `The period is too long for a file, which has at most ${fileRowsMax} lines. Give a shorter one.`,
        )
      const { id: organizationId, language } = organization
      const table = journalTable(`journal-${from}-${to}`, lines.map(toLine))
      return reportFile(table, { format, organizationId, language, shortenBy: 'to' })
    }
    const given = cursor === undefined ? undefined : readCursor(cursor, period)
    const { sums, lines, next, carried } =
      given || !totals
        ? await continued(db, period, { cursor: given ?? { after: startOf(period), sums: null }, limit })
        : await numbered(db, period, { page, limit })
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    const report = {
      from,
      to,
      currency,
      entries: lines.map(toLine),
      totals: { debit: major(sums.debitMinor), credit: major(sums.creditMinor) },
      pagination: { page, limit, total: sums.count, totalPages: Math.ceil(sums.count / limit) },
      nextCursor: next && toCursor({ after: next, sums: carried }),
    }
    const isUnasked = totals && !given && carried === null
    return withWarnings(report, [...journalWarnings(sums), ...(isUnasked ? [sumsOfPage] : [])])
  },
})

type PageNumber = { page: number; limit: number }

/** A page by its number, with the sums of the period, or its own if the period takes too long to sum up. */
async function numbered(db: Database, period: Period, { page, limit }: PageNumber) {
  const offset = (page - 1) * limit
  const { sums, lines, isWhole } = await readPage(db, period, { offset, limit, withinMs: sumsMs })
  if (isWhole) return { sums, lines, carried: sums, next: offset + limit < sums.count ? lastKey(lines) : null }
  if (lines.length < limit)
    throw invalid('page', 'The period is too long to count its pages. Read it with cursor, or give a shorter one.')
  return { sums: sumsOf(lines, period.home), lines, carried: null, next: lastKey(lines) }
}

/** The page after a line, with the sums of the cursor or of the page alone. */
async function continued(db: Database, period: Period, { cursor, limit }: { cursor: Cursor; limit: number }) {
  const read = await readAfter(db, period, { after: cursor.after, limit })
  return { ...read, carried: cursor.sums, sums: cursor.sums ?? sumsOf(read.lines, period.home) }
}

/** How long the lines of a period are summed up, and how long they are read for a file. */
const [sumsMs, fileMs] = [4_000, 7_000]

const sumsOfPage: Warning = {
  code: 'TOTALS_OF_PAGE',
  path: 'totals',
  message:
    'The period is too long to be summed up in one request: totals and pagination.total are those of this page. Read all pages with nextCursor, or give a shorter period.',
}
