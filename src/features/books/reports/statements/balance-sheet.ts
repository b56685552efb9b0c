import { type Static, Text, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import type { AccountType } from '../../../../countries/chart.ts'
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

const pair = { amount: Amount, comparedAmount: Amount }
const Pair = Type.Object(pair)
type Pair = Static<typeof Pair>
const Section = Type.Object({ accounts: Type.Array(Type.Object({ ...accountFields, ...pair })), total: Pair })

export const BalanceSheet = Type.Object({
  date: Text,
  comparedDate: Text,
  currency: Text,
  assets: Section,
  liabilities: Section,
  equity: Type.Object({
    accounts: Section.properties.accounts,
    retainedEarnings: Type.Object(pair, { description: 'Results of earlier years that no entry has closed.' }),
    resultOfYear: Type.Object(pair, { description: 'The result from 1 January to the day.' }),
    total: Pair,
  }),
  liabilitiesAndEquity: Type.Object(pair, { description: 'Equals the total of the assets.' }),
  ...completenessFields,
})
export type BalanceSheet = Static<typeof BalanceSheet>

/** Sums up to a day: before the year of the day, and in it. */
export type UpTo = { earlier: SumRow[]; year: SumRow[] }

type Minor = { amount: bigint; compared: bigint }
type Given = { date: string; comparedDate: string; currency: string; accounts: ReadonlyMap<string, Account> }

export function balanceSheet(
  on: UpTo,
  compared: UpTo,
  { date, comparedDate, currency, accounts }: Given,
): BalanceSheet {
  const toMajor = toAmount(currency)
  const toPair = ({ amount, compared }: Minor): Pair => ({ amount: toMajor(amount), comparedAmount: toMajor(compared) })
  const inHome = (rows: SumRow[]) => rows.filter(({ home }) => home === currency)
  const [now, then] = [
    [...on.earlier, ...on.year],
    [...compared.earlier, ...compared.year],
  ].map((rows) => inHome(rows)) as [SumRow[], SumRow[]]
  const typeOf = (row: SumRow) => accountOf(accounts, row.accountId).type
  const section = (type: AccountType, sign: 1n | -1n) => {
    const balances = new Map<string | null, Minor>()
    const at = (id: string | null) => {
      const found = balances.get(id) ?? { amount: 0n, compared: 0n }
      balances.set(id, found)
      return found
    }
    // what has no account is an asset, so that the sides are equal
    const isOf = (row: SumRow) => (typeOf(row) ?? 'ASSET') === type
    for (const row of now.filter(isOf)) at(row.accountId).amount += sign * (row.debit - row.credit)
    for (const row of then.filter(isOf)) at(row.accountId).compared += sign * (row.debit - row.credit)
    const rows = [...balances]
      .map(([id, minor]) => ({ account: accountOf(accounts, id), minor }))
      .filter(({ minor }) => minor.amount !== 0n || minor.compared !== 0n)
      .toSorted((one, other) => byCode(one.account, other.account))
    return {
      rows: rows.map(({ account, minor }) => ({ ...shown(account), ...toPair(minor) })),
      total: totalOf(rows.map(({ minor }) => minor)),
    }
  }
  const isResult = (row: SumRow) => ['INCOME', 'EXPENSE'].includes(typeOf(row) ?? '')
  const resultOf = (rows: SumRow[]) =>
    sumOf(
      inHome(rows)
        .filter(isResult)
        .map(({ debit, credit }) => credit - debit),
    )
  const [assets, liabilities, equity] = [section('ASSET', 1n), section('LIABILITY', -1n), section('EQUITY', -1n)]
  const retained = { amount: resultOf(on.earlier), compared: resultOf(compared.earlier) }
  const result = { amount: resultOf(on.year), compared: resultOf(compared.year) }
  const equityTotal = totalOf([equity.total, retained, result])
  const gaps = gapsOf([...on.earlier, ...on.year, ...compared.earlier, ...compared.year], currency)
  return withWarnings(
    {
      date,
      comparedDate,
      currency,
      assets: { accounts: assets.rows, total: toPair(assets.total) },
      liabilities: { accounts: liabilities.rows, total: toPair(liabilities.total) },
      equity: {
        accounts: equity.rows,
        retainedEarnings: toPair(retained),
        resultOfYear: toPair(result),
        total: toPair(equityTotal),
      },
      liabilitiesAndEquity: toPair(totalOf([liabilities.total, equityTotal])),
      fxIncomplete: gaps.faceValues.length > 0,
    },
    gapWarnings(gaps),
  )
}

const totalOf = (parts: readonly Minor[]): Minor => ({
  amount: sumOf(parts.map(({ amount }) => amount)),
  compared: sumOf(parts.map(({ compared }) => compared)),
})

export const balanceSheetTable = ({ date, comparedDate, ...sheet }: BalanceSheet): ReportTable => {
  const { assets, liabilities, equity } = sheet
  const rows = (section: string, { accounts }: { accounts: Static<typeof Section>['accounts'] }) =>
    accounts.map(({ code, name, nameHe, amount, comparedAmount, accountId }) => [
      section,
      code,
      name,
      nameHe,
      amount,
      comparedAmount,
      accountId,
    ])
  const line = (section: string, name: string, nameHe: string, { amount, comparedAmount }: Pair) => [
    section,
    null,
    name,
    nameHe,
    amount,
    comparedAmount,
    null,
  ]
  return {
    name: `balance-sheet-${date}`,
    columns: [
      { key: 'section', title: 'Section', titleHe: 'סעיף', type: 'text' },
      { key: 'code', title: 'Account', titleHe: 'חשבון', type: 'text' },
      { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
      { key: 'nameHe', title: 'Hebrew name', titleHe: 'שם בעברית', type: 'text' },
      { key: 'amount', title: date, titleHe: date, type: 'money' },
      { key: 'comparedAmount', title: comparedDate, titleHe: comparedDate, type: 'money' },
      { key: 'accountId', title: 'Account id', titleHe: 'מזהה חשבון', type: 'text' },
    ],
    rows: [
      ...rows('ASSETS', assets),
      line('ASSETS', 'Total assets', 'סך הנכסים', assets.total),
      ...rows('LIABILITIES', liabilities),
      line('LIABILITIES', 'Total liabilities', 'סך ההתחייבויות', liabilities.total),
      ...rows('EQUITY', equity),
      line('EQUITY', 'Retained earnings', 'עודפים', equity.retainedEarnings),
      line('EQUITY', 'Result of the year', 'תוצאת השנה', equity.resultOfYear),
      line('EQUITY', 'Total equity', 'סך ההון', equity.total),
      line('TOTAL', 'Liabilities and equity', 'התחייבויות והון', sheet.liabilitiesAndEquity),
    ],
  }
}
