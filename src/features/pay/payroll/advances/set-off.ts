import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { allocate, type PaymentContext } from '../../../../ledger/payments/record-payment.ts'
import { takeBack } from '../../../../ledger/payments/void-payment.ts'
import { netLine } from '../kind.ts'
import type { PayslipRow } from '../payslips/read.ts'

type Context = Pick<PaymentContext, 'db' | 'member'>

/** An advance, or money of a net payment that is open again, with what is left of it. */
export type OpenCredit = {
  id: string
  currency: string
  paidAt: string
  method: string | null
  openMinor: number
}

/** Payments of a kind that have something left. */
export const openCredits = (db: Database, kind: 'PAYSLIP' | 'LEAVE_CLAIM') =>
  db
    .selectFrom('payments')
    .select([
      'id',
      'currency',
      'paidAt',
      'method',
      sql<number>`amount_minor - allocated_minor - refunded_minor`.as('openMinor'),
    ])
    .where('kind', '=', sql.lit(kind))
    .where('voidedAt', 'is', null)
    .where(sql<boolean>`amount_minor > allocated_minor + refunded_minor`)

/** Locks what is left of the payments to an employee, the oldest first. */
export const lockCredits = (db: Database, { employeeId, currency }: PayslipRow, source: 'ADVANCE' | 'NET') =>
  openCredits(db, 'PAYSLIP')
    .where('source', '=', source)
    .where('counterpartyId', '=', employeeId)
    .where('currency', '=', currency)
    .orderBy('paidAt')
    .orderBy('id')
    .forUpdate()
    .execute()

/** Allocates credits to the net pay of a payslip until the amount is reached. Returns what was allocated. */
export async function allocateCredits(
  context: Context,
  { id }: Pick<PayslipRow, 'id'>,
  credits: readonly OpenCredit[],
  amountMinor: number,
) {
  let left = amountMinor
  for (const credit of credits) {
    const share = Math.min(left, credit.openMinor)
    if (share <= 0) break
    left -= share
    await allocate(context, credit, [{ documentId: id, lineId: netLine, amountMinor: share }])
  }
  return amountMinor - left
}

type Source = 'ADVANCE' | 'NET' | 'STATUTORY' | 'LEAVE_CLAIM'
export type Taken = { id: string; paymentId: string; documentId: string; amountMinor: number; currency: string }

/** The live allocations of a payslip from payments of these sources. */
export const allocationsOf = (db: Database, payslipId: string, sources: readonly Source[]): Promise<Taken[]> =>
  db
    .selectFrom('allocations as a')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.organizationId', '=', 'a.organizationId').onRef('p.id', '=', 'a.paymentId'),
    )
    .select(['a.id', 'a.paymentId', 'a.documentId', 'a.amountMinor', 'p.currency'])
    .where('a.documentId', '=', payslipId)
    .where('a.voidedAt', 'is', null)
    .where('p.source', 'in', [...sources])
    .orderBy('a.id')
    .execute()

/** Takes the advances back that were set off against a payslip, and returns what they were. */
export async function takeAdvancesBack(context: Context, { id }: Pick<PayslipRow, 'id'>): Promise<Taken[]> {
  const taken = await allocationsOf(context.db, id, ['ADVANCE'])
  await takeBack(context, taken)
  return taken
}

/** Sets the same advances off again, after the payslip was computed again. */
export async function applyAgain(context: Context, payslip: PayslipRow, taken: readonly Taken[], netMinor: bigint) {
  const sum = taken.reduce((all, { amountMinor }) => all + amountMinor, 0)
  if (BigInt(sum) > netMinor)
    throw conflict(
      'Less would be left of the net pay than the advances that were set off. Take them back first (payroll_unapply).',
      'ADVANCES_EXCEED_NET',
    )
  const ids = taken.map(({ paymentId }) => paymentId)
  if (ids.length === 0) return
  const credits = await lockCredits(context.db, payslip, 'ADVANCE')
  for (const { paymentId, amountMinor } of taken) {
    const credit = credits.find(({ id }) => id === paymentId)
    if (credit) await allocateCredits(context, payslip, [credit], amountMinor)
  }
}
