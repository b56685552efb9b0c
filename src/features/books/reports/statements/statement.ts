import type { Database } from '../../../../core/define/operation.ts'
import { Id, nullable, type Static, Text, Type, type Warning, Warnings } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { type AccountType, accountTypes } from '../../../../countries/chart.ts'

/** What the statements have in common: accounts, amounts in minor units, and what is missing in the figures. */

export const Amount = Type.Number()

/** An account as a row of a statement; its id or code leads to its lines with reports_general_ledger. */
export const accountFields = {
  accountId: nullable(Id),
  code: nullable(Text),
  name: nullable(Text),
  nameHe: nullable(Text),
}
const AccountShown = Type.Object(accountFields)
type AccountShown = Static<typeof AccountShown>

export const completenessFields = {
  fxIncomplete: Type.Boolean({
    description:
      'true: some lines are booked at their face value, because no exchange rate was known. A warning names them.',
  }),
  warnings: Type.Optional(Warnings),
}

export type Account = AccountShown & {
  type: AccountType | null
  /** Whether the cost of goods sold or adjustments of stock were ever booked to it by the journal itself. */
  isCostOfGoods: boolean
}

/** The chart of accounts by id. */
export async function readAccounts(db: Database): Promise<Map<string, Account>> {
  const rows = await db
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'code',
      'name',
      'nameHe',
      'type',
      eb
        .exists(
          eb
            .selectFrom('accountPeriods')
            .select('accountId')
            .whereRef('accountPeriods.accountId', '=', 'accounts.id')
            .where('subject', 'in', ['PURPOSE:COST_OF_GOODS_SOLD', 'PURPOSE:STOCK_ADJUSTMENTS']),
        )
        .as('isCostOfGoods'),
    ])
    .execute()
  return new Map(
    rows.map(({ id, code, name, nameHe, type, isCostOfGoods }) => [
      id,
      {
        accountId: id,
        code,
        name,
        nameHe,
        type: accountTypes.find((each) => each === type) ?? null,
        isCostOfGoods: Boolean(isCostOfGoods),
      },
    ]),
  )
}

const noAccount: Account = { accountId: null, code: null, name: null, nameHe: null, type: null, isCostOfGoods: false }

export const accountOf = (accounts: ReadonlyMap<string, Account>, id: string | null): Account =>
  (id === null ? undefined : accounts.get(id)) ?? noAccount

export const shown = ({ accountId, code, name, nameHe }: Account): AccountShown => ({ accountId, code, name, nameHe })

/** In the order of codes; what has no account is last. */
export const byCode = (one: { code: string | null }, other: { code: string | null }): number =>
  one.code === other.code ? 0 : one.code === null || (other.code !== null && one.code > other.code) ? 1 : -1

export const toAmount = (currency: string) => (minor: bigint) => toMajor(minor, currency)

export const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n)

/** What a statement leaves out or shows at face value. */
export type Gaps = { faceValues: readonly string[]; otherHomes: readonly string[] }

/** The lines of some sums that are booked at face value, and those of an earlier main currency, which are not in the totals. */
export const gapsOf = (rows: readonly { home: string; faces: string[] }[], currency: string): Gaps => ({
  faceValues: distinct(rows.filter(({ home }) => home === currency).flatMap(({ faces }) => faces)).filter(Boolean),
  otherHomes: distinct(rows.map(({ home }) => home)).filter((home) => home !== currency),
})

const distinct = (texts: readonly string[]) => [...new Set(texts)].toSorted()

export function gapWarnings({ faceValues, otherHomes }: Gaps): Warning[] {
  const missing = `No exchange rate was known for ${faceValues.join(', ')}; the face value is booked.`
  const earlier = `Lines booked in ${otherHomes.join(', ')}, an earlier main currency, are not in the figures.`
  return [
    ...(faceValues.length > 0 ? [{ code: 'EXCHANGE_RATE_MISSING', path: 'fxIncomplete', message: missing }] : []),
    ...(otherHomes.length > 0 ? [{ code: 'EARLIER_CURRENCY', path: 'currency', message: earlier }] : []),
  ]
}
