import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Field } from '../../../core/tables/field.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { RowResult } from '../../platform/imports/import.ts'
import type { Importer } from '../../platform/imports/importer.ts'
import type { ImportRow, Outcome, Problem, Work } from '../../platform/imports/write.ts'

/** The fields of an import of opening balances, with the headers that name them in English and Hebrew. */
const fields: readonly Field[] = [
  { name: 'account', type: 'TEXT', maxLength: 1_000, required: true, headers: ['account', 'account code', 'account number', 'account no', 'account name', 'code', 'gl account', 'חשבון', 'מספר חשבון', 'קוד חשבון', 'מפתח חשבון', 'שם חשבון', 'שם החשבון'] },
  { name: 'date', type: 'DAY', required: true, headers: ['date', 'as of', 'balance date', 'opening date', 'תאריך', 'ליום', 'נכון ליום', 'תאריך יתרה'] },
  { name: 'debit', type: 'AMOUNT', headers: ['debit', 'dr', 'debit amount', 'debit balance', 'חובה', 'סכום חובה'] },
  { name: 'credit', type: 'AMOUNT', headers: ['credit', 'cr', 'credit amount', 'credit balance', 'זכות', 'סכום זכות'] },
  { name: 'balance', type: 'AMOUNT', headers: ['balance', 'opening balance', 'amount', 'יתרה', 'יתרת פתיחה', 'סכום'] },
  { name: 'description', type: 'TEXT', maxLength: 1_000, headers: ['description', 'details', 'notes', 'memo', 'תיאור', 'פירוט', 'פרטים', 'הערות'] },
] // biome-ignore format: a field each

export const openingBalanceImporter: Importer = {
  scopes: ['reports:write'],
  managersOnly: 'Opening balances are entered by a MANAGER.', // as journal entries
  reading: { fields, identity: [['account', 'date']], oneOf: [['debit', 'credit', 'balance']], rowsMax: 5_000 },
  run: importOpeningBalances,
}

/** A row of the file; amounts are minor units as text. */
type Balance = {
  row: number
  account: string
  date: string
  debit?: string
  credit?: string
  balance?: string
  description?: string
}
type Account = {
  id: string
  code: string
  name: string
  nameHe: string | null
  active: boolean
  purpose: string | null
}
type Stored = { accountId: string; date: string; minor: number }

/** A balance of an account on a day; positive is a debit. */
type Planned = { row: number; account: Account; date: string; minor: bigint; description: string | null }

/**
 * Imports opening balances: one entry of the kind OPENING for each day. What the balances of a day do not add up to goes to the
 * account for opening balances. A balance that is stored already is unchanged, and another one on the same day is refused.
 */
async function importOpeningBalances({ db, records, organization, write }: Work, now: Date): Promise<Outcome> {
  const balances = JSON.parse(records) as Balance[]
  const dates = [...new Set(balances.map(({ date }) => date))]
  const { accounts, stored } = await pipeline({
    accounts: db.selectFrom('accounts').select(['id', 'code', 'name', 'nameHe', 'active', 'purpose']).execute(),
    stored: openingBalancesOn(db, dates),
  })
  const lastDay = today(now, organization.timezone)
  const { planned, problems, rows } = plan(balances, accounts, stored, { lastDay, currency: organization.currency })
  const opening = accounts.find(({ purpose }) => purpose === 'OPENING_BALANCES')
  if (write && problems.length === 0) {
    await recordImport(db, write, { rows: rows.length, created: planned.length })
    for (const date of dates)
      await insertEntry(
        db,
        date,
        balanced(
          planned.filter((each) => each.date === date),
          opening,
        ),
        write.fileName,
      )
  }
  return {
    created: planned.length,
    updated: 0,
    unchanged: rows.length - planned.length - problems.length,
    rows,
    problems,
  }
}

/** What accounts have as their opening balance on these days; reversed entries do not count. */
const openingBalancesOn = async (db: Database, dates: string[]): Promise<Stored[]> =>
  (
    await sql<Stored>`select l.account_id, e.date::text as date, sum(l.debit_minor - l.credit_minor)::bigint as minor
      from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
      where e.kind = 'OPENING' and e.reverses_id is null and e.date = any(${dates}::date[])
        and not exists (select from journal_entries x where x.organization_id = e.organization_id and x.reverses_id = e.id)
      group by 1, 2`.execute(db)
  ).rows

type Rules = { lastDay: string; currency: string }

function plan(
  balances: readonly Balance[],
  accounts: readonly Account[],
  stored: readonly Stored[],
  { lastDay, currency }: Rules,
) {
  const planned: Planned[] = []
  const problems: Problem[] = []
  const rows: RowResult[] = []
  const seen = new Map<string, number>()
  const byName = accountsByName(accounts)
  const storedBy = new Map(stored.map(({ accountId, date, minor }) => [`${accountId} ${date}`, BigInt(minor)]))
  for (const { row, account: called, date, description = null, ...amounts } of balances) {
    const refuse = (field: string, message: string) => {
      problems.push({ row, field, message })
      rows.push({ row, result: 'ERROR', id: null })
    }
    const account = byName.get(called.toLowerCase())
    const minor = signed(amounts)
    if (!account) refuse('account', `there is no account "${called}"; give its code or its name`)
    else if (seen.has(`${account.id} ${date}`))
      refuse('account', `the row is the same record as row ${seen.get(`${account.id} ${date}`)}`)
    else if (!account.active) refuse('account', `the account ${account.code} is not active`)
    else if (date > lastDay) refuse('date', `the date is after ${lastDay}`)
    else {
      seen.set(`${account.id} ${date}`, row)
      const before = storedBy.get(`${account.id} ${date}`)
      const isBalancing = account.purpose === 'OPENING_BALANCES'
      if (minor === 0n || before === minor || (isBalancing && before !== undefined))
        rows.push({ row, result: 'UNCHANGED', id: null })
      else if (before !== undefined)
        refuse(
          'account',
          `the account ${account.code} has an opening balance of ${toMajor(before, currency)} ${currency} on ${date} already; reverse that entry first`,
        )
      else {
        planned.push({ row, account, date, minor, description })
        rows.push({ row, result: 'CREATE', id: null })
      }
    }
  }
  return { planned, problems, rows }
}

/** Accounts by code, and by name where no code is the same. */
function accountsByName(accounts: readonly Account[]): Map<string, Account> {
  const found = new Map<string, Account>()
  const note = (name: string | null, account: Account) => {
    if (name !== null && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), account)
  }
  for (const account of accounts) note(account.code, account)
  for (const account of accounts) {
    note(account.name, account)
    note(account.nameHe, account)
  }
  return found
}

/** A debit less a credit; a balance is a debit, or a credit if it is negative. */
const signed = ({ debit = '0', credit = '0', balance = '0' }: Partial<Balance>) =>
  BigInt(debit) - BigInt(credit) + BigInt(balance)

type Line = { accountId: string; minor: bigint; description: string | null }

/** The lines of an entry, with one more for the difference. */
function balanced(planned: readonly Planned[], opening: Account | undefined): Line[] {
  const lines = planned.map(({ account, minor, description }) => ({ accountId: account.id, minor, description }))
  const rest = lines.reduce((sum, { minor }) => sum + minor, 0n)
  return rest === 0n || !opening ? lines : [...lines, { accountId: opening.id, minor: -rest, description: null }]
}

async function recordImport(db: Database, write: ImportRow, { rows, created }: { rows: number; created: number }) {
  const counts = { rowCount: rows, createdCount: created, updatedCount: 0, unchangedCount: rows - created }
  await db
    .insertInto('imports')
    .values({ ...write, ...counts })
    .execute()
}

async function insertEntry(db: Database, date: string, lines: readonly Line[], fileName: string) {
  if (lines.length === 0) return
  const id = newId()
  await pipeline({
    entry: db
      .insertInto('journalEntries')
      .values({ id, kind: 'OPENING', date, description: `Opening balances from ${fileName}`, reference: null })
      .execute(),
    lines: db
      .insertInto('journalEntryLines')
      .values(
        lines.map(({ accountId, minor, description }, at) => ({
          entryId: id,
          position: at + 1,
          accountId,
          description,
          debitMinor: minor > 0n ? Number(minor) : 0,
          creditMinor: minor < 0n ? Number(-minor) : 0,
        })),
      )
      .execute(),
  })
}
