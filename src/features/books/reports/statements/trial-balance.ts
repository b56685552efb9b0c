import { type Static, Text, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import type { ReportTable } from '../report-file.ts'
import {
  type Account,
  Amount,
  accountFields,
  accountOf,
  byCode,
  completenessFields,
  gapsOf,
  gapWarnings,
  shown,
  sumOf,
  toAmount,
} from './statement.ts'
import type { SumRow } from './sums.ts'

const Row = Type.Object({
  ...accountFields,
  opening: Type.Number({ description: 'The balance before `from`; more debit than credit is positive.' }),
  debit: Amount,
  credit: Amount,
  closing: Type.Number({ description: 'The balance at the end of `to`.' }),
})

export const TrialBalance = Type.Object({
  from: Text,
  to: Text,
  currency: Text,
  accounts: Type.Array(Row),
  totals: Type.Object(
    {
      openingDebit: Amount,
      openingCredit: Amount,
      debit: Amount,
      credit: Amount,
      closingDebit: Amount,
      closingCredit: Amount,
    },
    { description: 'Debits equal credits in each pair.' },
  ),
  ...completenessFields,
})
export type TrialBalance = Static<typeof TrialBalance>

type Given = { from: string; to: string; currency: string; accounts: ReadonlyMap<string, Account> }

export function trialBalance(
  before: SumRow[],
  during: SumRow[],
  { from, to, currency, accounts }: Given,
): TrialBalance {
  const amount = toAmount(currency)
  const balances = new Map<string | null, { opening: bigint; debit: bigint; credit: bigint }>()
  const at = (id: string | null) => {
    const found = balances.get(id) ?? { opening: 0n, debit: 0n, credit: 0n }
    balances.set(id, found)
    return found
  }
  for (const { accountId, home, debit, credit } of before)
    if (home === currency) at(accountId).opening += debit - credit
  for (const { accountId, home, debit, credit } of during)
    if (home === currency) {
      at(accountId).debit += debit
      at(accountId).credit += credit
    }
  const rows = [...balances]
    .map(([id, sums]) => ({
      account: accountOf(accounts, id),
      ...sums,
      closing: sums.opening + sums.debit - sums.credit,
    }))
    .filter(({ opening, debit, credit }) => opening !== 0n || debit !== 0n || credit !== 0n)
    .toSorted((one, other) => byCode(one.account, other.account))
  const positive = (key: 'opening' | 'closing') => sumOf(rows.map((row) => (row[key] > 0n ? row[key] : 0n)))
  const negative = (key: 'opening' | 'closing') => sumOf(rows.map((row) => (row[key] < 0n ? -row[key] : 0n)))
  const gaps = gapsOf([...before, ...during], currency)
  return withWarnings(
    {
      from,
      to,
      currency,
      accounts: rows.map(({ account, opening, debit, credit, closing }) => ({
        ...shown(account),
        opening: amount(opening),
        debit: amount(debit),
        credit: amount(credit),
        closing: amount(closing),
      })),
      totals: {
        openingDebit: amount(positive('opening')),
        openingCredit: amount(negative('opening')),
        debit: amount(sumOf(rows.map(({ debit }) => debit))),
        credit: amount(sumOf(rows.map(({ credit }) => credit))),
        closingDebit: amount(positive('closing')),
        closingCredit: amount(negative('closing')),
      },
      fxIncomplete: gaps.faceValues.length > 0,
    },
    gapWarnings(gaps),
  )
}

export const trialBalanceTable = ({ from, to, accounts }: TrialBalance): ReportTable => ({
  name: `trial-balance-${from}-${to}`,
  columns: [
    { key: 'code', title: 'Account', titleHe: 'חשבון', type: 'text' },
    { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
    { key: 'nameHe', title: 'Hebrew name', titleHe: 'שם בעברית', type: 'text' },
    { key: 'opening', title: 'Opening balance', titleHe: 'יתרת פתיחה', type: 'money' },
    { key: 'debit', title: 'Debit', titleHe: 'חובה', type: 'money' },
    { key: 'credit', title: 'Credit', titleHe: 'זכות', type: 'money' },
    { key: 'closing', title: 'Closing balance', titleHe: 'יתרת סגירה', type: 'money' },
    { key: 'accountId', title: 'Account id', titleHe: 'מזהה חשבון', type: 'text' },
  ],
  rows: accounts.map((row) => [
    row.code,
    row.name,
    row.nameHe,
    row.opening,
    row.debit,
    row.credit,
    row.closing,
    row.accountId,
  ]),
})
