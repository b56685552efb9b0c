import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { byId, one, paged, toUuid } from '../../../core/define/query.ts'
import { ById, Id, OneOf, optional, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { toDay, today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { dayOf, organizationContext, requiredDay } from '../../../ledger/organization-context.ts'
import {
  controlWarnings,
  entryKinds,
  JournalEntry,
  NewJournalEntry,
  Reversal,
  toEntryLines,
  toJournalEntry,
  unusualDayWarnings,
} from './journal-entry.ts'

const DayFilter = Type.String({ maxLength: 40, examples: ['2026-01-31'] })

export const list = operation({
  name: 'reports_journal_entries',
  http: 'GET /api/journal-entries',
  does: 'Lists the journal entries that people made, opening balances included, the latest first.',
  scope: 'reports:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    ...optional({ from: DayFilter, to: DayFilter, kind: OneOf(...entryKinds) }),
  }),
  output: Type.Object({ entries: Type.Array(JournalEntry), pagination: Pagination }),
  async run({ db }, { organizationId: _, from, to, kind, ...page }) {
    let query = entries(db).orderBy('date', 'desc').orderBy('number', 'desc').orderBy('id')
    if (from) query = query.where('date', '>=', calendarDay('from', from))
    if (to) query = query.where('date', '<=', calendarDay('to', to))
    if (kind) query = query.where('kind', '=', kind)
    const { rows, pagination } = await paged(query, page)
    return { entries: rows.map(toJournalEntry), pagination }
  },
})

export const create = operation({
  name: 'reports_journal_entry_create',
  http: 'POST /api/journal-entries',
  does: 'Makes a balanced journal entry in the main currency; OPENING enters opening balances. An entry is final.',
  scope: 'reports:write',
  role: 'MANAGER',
  within: 'organizationId',
  input: NewJournalEntry,
  output: JournalEntry,
  status: 201,
  async run({ db }, { date, description, reference = null, kind, lines }) {
    const ids = lines.map(({ accountId }) => toUuid(accountId).toLowerCase())
    const { organization, accounts } = await pipeline({
      organization: organizationContext(db),
      accounts: entryAccounts(db, ids),
    })
    refuseAccounts(ids, accounts)
    const rows = toEntryLines(lines, organization.currency)
    const day = requiredDay('date', date, organization)
    const entry = await insertEntry(
      db,
      { id: newId(), kind, date: day, description, reference },
      rows.map((row, at) => ({ ...row, accountId: ids[at] ?? row.accountId })),
    )
    return withWarnings(entry, [...unusualDayWarnings(day), ...controlWarnings(kind, ids, accounts)])
  },
})

export const get = operation({
  name: 'reports_journal_entry',
  http: 'GET /api/journal-entries/{id}',
  does: 'Reads one journal entry that a person made.',
  scope: 'reports:read',
  within: 'journalEntries',
  input: ById,
  output: JournalEntry,
  run: async ({ db }, { id }) => toJournalEntry(await one(entryById(db, id), 'journal entry')),
})

export const reverse = operation({
  name: 'reports_journal_entry_reverse',
  http: 'POST /api/journal-entries/{id}/reverse',
  does: 'Undoes a journal entry with a second one whose debits and credits are exchanged; possible once.',
  scope: 'reports:write',
  role: 'MANAGER',
  within: 'journalEntries',
  input: Reversal,
  output: JournalEntry,
  status: 201,
  async run({ db, now }, { id, date, reason }) {
    const { organization, entry } = await pipeline({
      organization: organizationContext(db),
      entry: one(entryById(db, id), 'journal entry'),
    })
    if (entry.reversesId !== null)
      throw conflict('This entry is itself a reversal. Make a new entry instead.', 'REVERSED')
    if (entry.reversedById !== null) throw conflict('The entry was reversed before.', 'REVERSED')
    if (entry.currency !== organization.currency)
      throw conflict(
        `The entry is in ${entry.currency}, and the organization now uses ${organization.currency}. Make a new entry instead.`,
        'CURRENCY',
      )
    // an entry of an earlier version may be dated after today
    const current = today(now, organization.timezone)
    const isAhead = entry.date > current
    const last = isAhead ? entry.date : current
    // an opening balance that was wrong was so from its day on
    const usual = entry.kind === 'OPENING' ? entry.date : last
    const day = dayOf('date', date ?? null, organization) ?? usual
    if (day < entry.date) throw invalid('date', `The entry is dated ${entry.date}; give that date or a later one.`)
    const { kind, reference } = entry
    const description = reason ?? `Reversal of entry ${entry.number}`
    const reversal = await insertEntry(
      db,
      { id: newId(), kind, date: day, description, reference, reversesId: id },
      entry.lines.map((line, at) => ({
        position: at + 1,
        accountId: line.accountId,
        debitMinor: line.creditMinor,
        creditMinor: line.debitMinor,
        description: line.description,
      })),
    )
    return withWarnings(reversal, unusualDayWarnings(day))
  },
})

function calendarDay(path: string, text: string): string {
  const day = toDay(text)
  if (day === undefined) throw invalid(path, `${path} must be a day such as 2026-01-31.`)
  return day
}

type EntryColumns = {
  id: string
  kind: JournalEntry['kind']
  date: string
  description: string
  reference: string | null
  reversesId?: string
}
type LineColumns = {
  position: number
  accountId: string
  debitMinor: number
  creditMinor: number
  description: string | null
}

/** Inserts an entry with its lines. The database gives it its number and compares both sides at the commit. */
async function insertEntry(db: Database, entry: EntryColumns, lines: readonly LineColumns[]): Promise<JournalEntry> {
  const { row } = await pipeline({
    entry: db.insertInto('journalEntries').values(entry).execute(),
    lines: db
      .insertInto('journalEntryLines')
      .values(lines.map((line) => ({ ...line, entryId: entry.id })))
      .execute(),
    row: one(entryById(db, entry.id), 'journal entry'),
  })
  return toJournalEntry(row)
}

const entryAccounts = (db: Database, ids: readonly string[]) =>
  db
    .selectFrom('accounts')
    .select(['id', 'active', 'code', 'purpose'])
    .select(
      sql<boolean>`type in ('ASSET', 'LIABILITY') and exists (select from account_mappings m
        where m.organization_id = accounts.organization_id and m.account_id = accounts.id and m.tax_category is not null)`.as(
        'takesTax',
      ),
    )
    .where('id', 'in', [...ids])
    .execute()

function refuseAccounts(ids: readonly string[], found: readonly { id: string; active: boolean; code: string }[]) {
  for (const [at, id] of ids.entries()) {
    const account = found.find((each) => each.id === id)
    if (!account) throw invalid(`lines.${at}.accountId`, 'There is no such account.', 'UNKNOWN_REFERENCE')
    if (!account.active) throw invalid(`lines.${at}.accountId`, `The account ${account.code} is not active.`)
  }
}

type LineRow = LineColumns & { accountCode: string; accountName: string }

const lines = sql<
  LineRow[]
>`(select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'accountId', l.account_id,
    'accountCode', a.code, 'accountName', a.name, 'debitMinor', l.debit_minor, 'creditMinor', l.credit_minor,
    'description', l.description) order by l.position), '[]')
  from journal_entry_lines l join accounts a on a.organization_id = l.organization_id and a.id = l.account_id
  where l.organization_id = journal_entries.organization_id and l.entry_id = journal_entries.id)`

const entries = (db: Database) =>
  db
    .selectFrom('journalEntries')
    .selectAll('journalEntries')
    .select(lines.as('lines'))
    .select(
      sql<string | null>`(select r.id from journal_entries r
        where r.organization_id = journal_entries.organization_id and r.reverses_id = journal_entries.id)`.as(
        'reversedById',
      ),
    )

const entryById = byId((db, id) => entries(db).where('id', '=', id))
