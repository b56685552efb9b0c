import { invalid } from '../../../core/define/failure.ts'
import {
  defaulted,
  Id,
  Instant,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  type Warning,
  Warnings,
} from '../../../core/define/schema.ts'
import { toMajor, toMinor } from '../../../core/values/money.ts'
import type { AccountPurpose } from '../../../countries/chart.ts'

export const entryKinds = ['MANUAL', 'OPENING'] as const

const Day = Type.String({
  maxLength: 40,
  description: 'A calendar day, such as 2026-01-31.',
  examples: ['2026-01-31'],
})
const amount = (side: string) =>
  Type.Number({ minimum: 0, description: `The ${side} in the main currency of the organization.`, examples: [100] })

const EntryLine = Type.Object({
  accountId: Id,
  accountCode: Text,
  accountName: Text,
  debit: Type.Number(),
  credit: Type.Number(),
  description: nullable(Text),
})

/** An entry of the journal that a person made. It does not change any more; `reverse` undoes it. */
export const JournalEntry = Type.Object({
  id: Id,
  organizationId: Id,
  number: Type.Integer({ description: 'Without gaps, from 1.' }),
  kind: OneOf(...entryKinds),
  date: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  description: Text,
  reference: nullable(Text),
  currency: Type.String({ description: 'The main currency of the organization when the entry was made.' }),
  total: Type.Number({ description: 'The sum of the debits, which is that of the credits.' }),
  lines: Type.Array(EntryLine),
  reversesId: nullable(Id),
  reversedById: nullable(Id),
  createdBy: nullable(Id),
  createdAt: Instant,
  warnings: Type.Optional(Warnings),
})
export type JournalEntry = Static<typeof JournalEntry>

/** A day before 1900 is most likely a mistake. */
export function unusualDayWarnings(date: string): Warning[] {
  if (date >= '1900-01-01') return []
  const message = `The entry is dated ${date}, which is before 1900. Reverse it if that is a mistake.`
  return [{ code: 'UNUSUAL_DATE', path: 'date', message }]
}

/** What the journal books to the account of a purpose by itself. Cash and equity are booked by hand too. */
const booked: Partial<Record<AccountPurpose, string>> = {
  RECEIVABLES: 'sales documents and their payments',
  CUSTOMER_CREDITS: 'sales documents and their payments',
  UNBILLED: 'receipts and payment requests',
  PAYABLES: 'expenses and their payments',
  SUPPLIER_ADVANCES: 'expenses and their payments',
  INPUT_TAX: 'the tax of expenses',
  OUTPUT_TAX: 'the tax of sales documents',
  WITHHOLDING: 'tax that customers withheld',
  WITHHOLDING_PAYABLE: 'tax that was withheld from suppliers',
  PAYROLL_PAYABLES: 'payslips and their payments',
  STOCK: 'movements of the stock',
  GOODS_RECEIVED: 'orders and the bills for them',
}
const taxPurposes: readonly (string | null)[] = ['INPUT_TAX', 'OUTPUT_TAX']

/** `takesTax`: the tax of a category of lines is booked to it. */
type EntryAccount = { id: string; code: string; purpose: string | null; takesTax: boolean }

/** Warnings about lines on accounts that the journal keeps by itself. An opening balance belongs there. */
export function controlWarnings(
  kind: JournalEntry['kind'],
  ids: readonly string[],
  accounts: readonly EntryAccount[],
): Warning[] {
  if (kind === 'OPENING') return []
  return ids.flatMap((id, at) => {
    const account = accounts.find((each) => each.id === id)
    const sentences = account ? controlSentences(account) : []
    if (sentences.length === 0) return []
    return [{ code: 'CONTROL_ACCOUNT', path: `lines.${at}.accountId`, message: sentences.join(' ') }]
  })
}

function controlSentences({ code, purpose, takesTax }: EntryAccount): string[] {
  const ofPurpose = Object.entries(booked).find(([each]) => each === purpose)?.[1]
  const source = ofPurpose ?? (takesTax ? 'the tax of documents' : undefined)
  if (source === undefined) return []
  const isTax = takesTax || taxPurposes.includes(purpose)
  return [
    `The journal books the account ${code} from ${source} by itself; with this entry its balance differs from them.`,
    ...(isTax ? ['The tax report has the amount on a line of its own.'] : []),
  ]
}

const Reference = nullable(Type.String({ maxLength: 200 }))

export const NewJournalEntry = Type.Object({
  organizationId: Type.Optional(Id),
  date: Day,
  description: NonEmpty,
  reference: Type.Optional(Reference),
  kind: defaulted(OneOf(...entryKinds), 'MANUAL'),
  lines: Type.Array(
    Type.Object({
      accountId: Id,
      ...optional({
        debit: amount('debit'),
        credit: amount('credit'),
        description: nullable(Type.String({ maxLength: 1_000 })),
      }),
    }),
    {
      minItems: 2,
      maxItems: 500,
      description: 'Each with a debit or a credit; debits and credits add up to the same.',
      examples: [
        [
          { accountId: '01990000-0000-7000-8000-000000000001', debit: 100, description: 'Rent for January' },
          { accountId: '01990000-0000-7000-8000-000000000002', credit: 100, description: 'From the bank' },
        ],
      ],
    },
  ),
})
type NewLine = Static<typeof NewJournalEntry>['lines'][number]

export const Reversal = Type.Object({ id: Id, ...optional({ date: Day, reason: NonEmpty }) })

/** The lines in minor units. Refuses a line without one side, and an entry whose sides differ. */
export function toEntryLines(lines: readonly NewLine[], currency: string) {
  const rows = lines.map(({ accountId, debit = 0, credit = 0, description = null }, at) => {
    if ((debit === 0) === (credit === 0))
      throw invalid(`lines.${at}`, 'A line has either a debit or a credit.', 'AMOUNT')
    return {
      position: at + 1,
      accountId,
      description,
      debitMinor: lineMinor(`lines.${at}.debit`, debit, currency),
      creditMinor: lineMinor(`lines.${at}.credit`, credit, currency),
    }
  })
  const debits = rows.reduce((sum, row) => sum + BigInt(row.debitMinor), 0n)
  const credits = rows.reduce((sum, row) => sum + BigInt(row.creditMinor), 0n)
  if (debits !== credits)
    throw invalid(
      'lines',
      `The debits are ${toMajor(debits, currency)} ${currency} and the credits ${toMajor(credits, currency)} ${currency}; both must be the same.`,
      'AMOUNT_MISMATCH',
    )
  return rows
}

function lineMinor(path: string, amount: number, currency: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind === 'too-large') throw invalid(path, 'The amount is too large.', 'AMOUNT_TOO_LARGE')
  if (parsed.kind === 'finer')
    throw invalid(path, `The amount has more decimal places than ${currency}.`, 'AMOUNT_TOO_FINE')
  return Number(parsed.minor)
}

type EntryRow = Omit<JournalEntry, 'total' | 'lines'> & {
  lines: (Omit<Static<typeof EntryLine>, 'debit' | 'credit'> & { debitMinor: number; creditMinor: number })[]
}

/** An entry as the API shows it, in major units. */
export function toJournalEntry({ lines, ...row }: EntryRow): JournalEntry {
  const major = (minor: number | bigint) => toMajor(BigInt(minor), row.currency)
  return {
    ...row,
    total: major(lines.reduce((sum, { debitMinor }) => sum + BigInt(debitMinor), 0n)),
    lines: lines.map(({ debitMinor, creditMinor, ...line }) => ({
      ...line,
      debit: major(debitMinor),
      credit: major(creditMinor),
    })),
  }
}
