import type { Database } from '../../../../core/define/operation.ts'
import { allocate, type PaymentContext, type Share } from '../../../../ledger/payments/record-payment.ts'
import { lockCredits, type OpenCredit, openCredits } from '../advances/set-off.ts'
import type { PayslipRow } from '../payslips/read.ts'

type OpenLine = { id: string; openMinor: number }

/**
 * Pays lines of a payslip with money that was paid before and is open again, because the payslip that it paid was voided: net
 * pay of the employee, or payments to authorities for them. Returns what was allocated, and what is left to pay.
 */
export async function useOpenMoney(
  context: Pick<PaymentContext, 'db' | 'member'>,
  payslip: PayslipRow,
  kind: 'NET' | 'STATUTORY',
  open: readonly OpenLine[],
) {
  const { db } = context
  const left = open.map((line) => ({ ...line }))
  const shares: Share[] = []
  const paymentIds: string[] = []
  if (left.length === 0) return { left, shares, paymentIds }
  const credits = kind === 'NET' ? await lockCredits(db, payslip, 'NET') : await lockStatutory(db, payslip)
  for (const credit of credits) {
    const used = takeFrom(credit, left).map((share) => ({ documentId: payslip.id, ...share }))
    if (used.length === 0) break
    await allocate(context, credit, used)
    shares.push(...used)
    paymentIds.push(credit.id)
  }
  return { left: left.filter(({ openMinor }) => openMinor > 0), shares, paymentIds }
}

/** Takes as much of a credit as the lines need, and notes what is left of them. */
function takeFrom({ openMinor }: OpenCredit, lines: OpenLine[]) {
  let available = openMinor
  return lines.flatMap((line) => {
    const amountMinor = Math.min(available, line.openMinor)
    if (amountMinor <= 0) return []
    available -= amountMinor
    line.openMinor -= amountMinor
    return [{ lineId: line.id, amountMinor }]
  })
}

/** Locks payments to authorities that have something left and that once paid a payslip of the employee. */
const lockStatutory = (db: Database, { employeeId, currency }: PayslipRow): Promise<OpenCredit[]> =>
  openCredits(db, 'PAYSLIP')
    .where('source', '=', 'STATUTORY')
    .where('currency', '=', currency)
    .where('id', 'in', (query) =>
      query
        .selectFrom('allocations as a')
        .innerJoin('payslips as s', (join) =>
          join.onRef('s.organizationId', '=', 'a.organizationId').onRef('s.id', '=', 'a.documentId'),
        )
        .select('a.paymentId')
        .where('s.employeeId', '=', employeeId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
