import type { Database } from '../../../../core/define/operation.ts'
import { addDays } from '../../../../core/values/day.ts'
import { type JournalRow, toLine } from '../../../../features/books/reports/journal.ts'
import { type Period, readPage } from '../../../../features/books/reports/read-journal.ts'
import { fileRowsMax } from '../../../../features/books/reports/report-file.ts'
import { beginning, readSums } from '../../../../features/books/reports/statements/sums.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import { payrollProblems } from '../../../../features/books/statutory/payroll-problems.ts'
import { amountText, type Listed } from './audit-file.ts'

export type Ledger = Listed & { debitMinor: number; creditMinor: number; problems: FileProblem[] }

type Account = { id: string; code: string; name: string; openingMinor: number }

/**
 * The lines of the journal by account, each account with its opening balance and the balance after each line. Undefined if there are more
 * lines than a file has, or if reading takes too long.
 */
export async function readLedger(
  db: Database,
  { from, to, home }: Omit<Period, 'accountId'>,
  withinMs: number,
): Promise<Ledger | undefined> {
  const period = { from, to, home, accountId: undefined }
  const { lines, sums, isWhole } = await readPage(db, period, {
    offset: 0,
    limit: fileRowsMax,
    most: fileRowsMax,
    withinMs,
  })
  if (!isWhole || sums.count > fileRowsMax) return undefined
  const rows = lines.filter(({ homeCurrency }) => homeCurrency === home)
  const accounts = await accountsOf(db, { from, home })
  const byAccount = new Map<string | null, JournalRow[]>()
  for (const row of rows) {
    const own = byAccount.get(row.accountId)
    if (own) own.push(row)
    else byAccount.set(row.accountId, [row])
  }
  const records = accounts.flatMap((account) =>
    accountRecords(account, byAccount.get(account.id) ?? [], { from, home }),
  )
  const totals = [
    ['TotalDebit', amountText(sums.debitMinor, home)],
    ['TotalCredit', amountText(sums.creditMinor, home)],
    ['TransactionCountTotal', String(records.length)],
    ['GLTCurrency', home],
  ] as const
  const unknown = rows.filter(({ accountId }) => accountId === null).length
  const problems = [
    ...(unknown === 0
      ? []
      : [rejected('ACCOUNT_MISSING', `${unknown} lines of the journal have no account and are not in the ledger.`)]),
    ...payrollProblems(rows),
    ...(rows.length === lines.length
      ? []
      : [toCheck('EARLIER_CURRENCY', 'Lines in an earlier main currency are not in the ledger.')]),
    ...sums.faceValues.map((currency) =>
      toCheck('EXCHANGE_RATE_MISSING', `No rate was known for ${currency}; the face value is booked.`),
    ),
  ]
  return { records, totals, debitMinor: sums.debitMinor, creditMinor: sums.creditMinor, problems }
}

/** All accounts by their code, with what was on them before the period. */
async function accountsOf(db: Database, { from, home }: { from: string; home: string }): Promise<Account[]> {
  const accounts = await db.selectFrom('accounts').select(['id', 'code', 'name']).orderBy('code').execute()
  const [before = []] = await readSums(db, [
    { from: beginning, to: addDays(from, -1), basis: 'ACCRUAL', part: 'before' },
  ])
  const opening = new Map<string | null, bigint>()
  for (const { accountId, home: currency, debit, credit } of before)
    if (currency === home) opening.set(accountId, (opening.get(accountId) ?? 0n) + debit - credit)
  return accounts.map((account) => ({ ...account, openingMinor: Number(opening.get(account.id) ?? 0n) }))
}

type Shown = { from: string; home: string }

function accountRecords(
  { code, name, openingMinor }: Account,
  rows: readonly JournalRow[],
  { from, home }: Shown,
): string[][] {
  if (rows.length === 0 && openingMinor === 0) return []
  const amount = (minor: number) => amountText(minor, home)
  let balance = openingMinor
  const opening = [from, code, name, 'OPENING BALANCE', '', '', '', 'OPENING', amount(0), amount(0), amount(balance)]
  return [
    opening,
    ...rows.map((row) => {
      balance += row.homeMinor
      const sides = [amount(Math.max(row.homeMinor, 0)), amount(Math.max(-row.homeMinor, 0)), amount(balance)]
      const { description } = toLine(row)
      return [
        row.date,
        code,
        name,
        description,
        row.counterparty ?? '',
        transactionOf(row),
        row.number ?? '',
        sourceOf(row),
        ...sides,
      ]
    }),
  ]
}

/** The last 20 hexadecimal digits of the id of the event: the field has no place for more, and they are random. */
const transactionOf = ({ eventId }: JournalRow) => eventId.replaceAll('-', '').slice(-20)

const sourceOf = ({ event, documentType }: JournalRow): string => {
  if (event.startsWith('PAID')) return 'PAYMENT'
  if (event.startsWith('ALLOCATED')) return 'ALLOCATION'
  return documentType !== null && ['ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED'].includes(event)
    ? documentType
    : event
}
