import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, type Inside, type Member, operation } from '../../../../core/define/operation.ts'
import { byId, one, toUuid } from '../../../../core/define/query.ts'
import { Id, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext, requiredDay } from '../../../../ledger/organization-context.ts'
import { lockPayable } from '../../../../ledger/payments/payable-documents.ts'
import { VoidReason } from '../../../../ledger/payments/payment.ts'
import { recordPayment, type Share } from '../../../../ledger/payments/record-payment.ts'
import { voidPayment } from '../../../../ledger/payments/void-payment.ts'
import { expenseKind } from '../../../buying/expenses/kind.ts'
import { emitPaid } from '../../../buying/expenses/payments/record.ts'
import { netLine, payslipKind } from '../kind.ts'
import { Month, type PayMonth, payMonth } from '../month.ts'
import { Day, Method } from '../payment-fields.ts'
import { payslipPaid, payslipPayload } from '../payslips/events.ts'
import { lockPayslip, openLines, type PayslipRow, payslipById } from '../payslips/read.ts'
import { useOpenMoney } from './open-money.ts'

export const pay = operation({
  name: 'payroll_pay',
  http: 'POST /api/payroll/pay',
  does: 'Records the payment of what is outstanding of an approved payslip: NET to the employee, with approved claims of theirs, or STATUTORY for all schemes at once. Money of a voided payslip that is open is used first.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    payslipId: Id,
    kind: OneOf('NET', 'STATUTORY'),
    paidAt: Day,
    method: Method,
    claimDocumentIds: Type.Optional(
      Type.Array(Id, { maxItems: 200, description: 'Approved claims of the employee to reimburse with the net pay.' }),
    ),
  }),
  output: Type.Object({ paymentId: Id, allocated: Type.Number(), status: Type.String() }),
  status: 201,
  async run(context, { payslipId, kind, paidAt, method = null, claimDocumentIds = [] }) {
    const { db, who, emit } = context
    if (kind === 'STATUTORY' && claimDocumentIds.length > 0)
      throw invalid('claimDocumentIds', 'Claims are reimbursed with the net pay (kind NET).')
    const claims = await lockClaims(db, claimDocumentIds)
    const { organization, member, payslip } = await pipeline({
      organization: organizationContext(db),
      member: who,
      payslip: lockPayslip(db, payslipId),
    })
    if (payslip.status !== 'APPROVED' && payslip.status !== 'PAID')
      throw conflict(
        `A payslip that is ${payslip.status} cannot be paid. ${payslip.status === 'DRAFT' ? 'Approve it first.' : ''}`.trim(),
        'WRONG_STATUS',
      )
    const day = requiredDay('paidAt', paidAt, organization)
    const open = (await openLines(db, payslip.id)).filter(({ id }) => (id === netLine) === (kind === 'NET'))
    const reimbursed = claimShares(claims, claimDocumentIds, payslip)
    if (open.length + reimbursed.length === 0)
      throw conflict(`Nothing of the ${kind === 'NET' ? 'net pay' : 'schemes'} is outstanding.`, 'NOTHING_OPEN')
    const reused = await useOpenMoney({ db, member }, payslip, kind, open)
    const shares: Share[] = [
      ...reused.left.map(({ id, openMinor }) => ({ documentId: payslip.id, lineId: id, amountMinor: openMinor })),
      ...reimbursed,
    ]
    const paymentId =
      (await record({ ...context, member }, payslip, { kind, paidAt: day, method, shares })) ?? reused.paymentIds.at(-1)
    if (paymentId === undefined) throw new Error('Something was outstanding.')
    if (reimbursed.length > 0) await emitPaid(context, member, reimbursed)
    const after = await payslipById(db, payslip.id)
    if (after.status === 'PAID' && payslip.status !== 'PAID') emit(payslipPaid, payslipPayload(after))
    const allocated = [...shares, ...reused.shares].reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    return { paymentId, allocated: toMajor(BigInt(allocated), payslip.currency), status: after.status }
  },
})

type NewPayment = { kind: 'NET' | 'STATUTORY'; paidAt: string; method: string | null; shares: readonly Share[] }

/** Records the payment of the shares; none if there is nothing left to pay. */
async function record(
  { db, emit, member }: Pick<Inside, 'db' | 'emit'> & { member: Member },
  payslip: PayslipRow,
  { kind, shares, ...payment }: NewPayment,
) {
  const amountMinor = shares.reduce((sum, share) => sum + share.amountMinor, 0)
  if (amountMinor === 0) return
  const { id, recorded } = recordPayment(
    { db, emit, member },
    {
      ...{ ...payment, kind: payslipKind, source: kind, currency: payslip.currency, amountMinor, shares, quiet: true },
      customerId: kind === 'NET' ? payslip.employeeId : null,
    },
  )
  await recorded
  return id
}

type Claim = Awaited<ReturnType<typeof lockPayable>>[number]

/** Locks claims before the payslip, in the order of their ids. */
function lockClaims(db: Database, ids: readonly string[]): Promise<Claim[]> {
  return lockPayable(db, expenseKind, [...new Set(ids.map((id) => toUuid(id)))])
}

/** The shares of claims; refuses those that are unknown, not approved, of somebody else, in another currency or paid. */
function claimShares(claims: readonly Claim[], ids: readonly string[], payslip: PayslipRow): Share[] {
  return ids.map((id, at) => {
    const path = `claimDocumentIds.${at}`
    const claim = claims.find((each) => each.id === id.toLowerCase())
    const isRepeated = ids.findIndex((other) => other.toLowerCase() === id.toLowerCase()) !== at
    if (claim?.documentType !== 'EXPENSE') throw invalid(path, 'The claim does not exist.', 'UNKNOWN_REFERENCE')
    if (isRepeated) throw invalid(path, 'The claim is listed twice.')
    if (claim.customerId !== payslip.employeeId)
      throw invalid(path, 'The claim is not owed to this employee.', 'OTHER_CUSTOMER')
    if (claim.status !== 'APPROVED') throw invalid(path, `The claim is ${claim.status}. Approve it first.`)
    if (claim.currency !== payslip.currency)
      throw invalid(path, `The claim is in ${claim.currency}, the payslip in ${payslip.currency}.`, 'CURRENCY')
    if (claim.openMinor <= 0) throw invalid(path, 'Nothing of the claim is outstanding.', 'NOTHING_OPEN')
    return { documentId: claim.id, amountMinor: claim.openMinor }
  })
}

const PaymentRow = Type.Object({
  id: Id,
  paidAt: Type.String(),
  counterpartyId: nullable(Id),
  employeeName: nullable(Text),
  amount: Type.Number(),
  method: nullable(Text),
  allocatedTotal: Type.Number(),
  openRemainder: Type.Number(),
  source: OneOf('ADVANCE', 'NET', 'STATUTORY'),
  payslipIds: Type.Array(Id),
})

export const payments = operation({
  name: 'payroll_payments',
  http: 'GET /api/payroll/payments',
  does: 'Lists the payments of payroll that were made in a month or that pay its payslips: advances, net pay, payments to authorities.',
  scope: 'payroll:read',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    month: Type.Optional(Month),
    paymentId: Type.Optional({ ...Id, description: 'Lists this payment alone, of whatever month.' }),
  }),
  output: Type.Object({ month: Type.String(), payments: Type.Array(PaymentRow) }),
  async run({ db, now }, { month: text, paymentId }) {
    const { timezone } = await organizationContext(db)
    const month = payMonth(text, { now, timezone })
    const rows = paymentId ? await validPayment(db, paymentId) : await paymentsOfMonth(db, month)
    return { month: month.month, payments: rows.map(toPaymentRow) }
  },
})

const payrollPayments = (db: Database) =>
  db
    .selectFrom('payments as p')
    .leftJoin('customers as c', (join) =>
      join.onRef('c.organizationId', '=', 'p.organizationId').onRef('c.id', '=', 'p.counterpartyId'),
    )
    .where('p.kind', '=', sql.lit('PAYSLIP'))
    .select([
      'p.id',
      'p.paidAt',
      'p.counterpartyId',
      'p.amountMinor',
      'p.currency',
      'p.method',
      'p.allocatedMinor',
      'p.refundedMinor',
    ])
    .select([
      sql<'ADVANCE' | 'NET' | 'STATUTORY'>`p.source`.as('source'),
      sql<string | null>`coalesce(c.name, c.email, (select min(d.counterparty_name) from allocations a
        join documents d on d.organization_id = a.organization_id and d.id = a.document_id and d.kind = 'PAYSLIP'
        where a.organization_id = p.organization_id and a.payment_id = p.id))`.as('employeeName'),
      sql<
        string[]
      >`array(select distinct a.document_id from allocations a join payslips s on s.organization_id = a.organization_id and s.id = a.document_id
        where a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null order by 1)`.as(
        'payslipIds',
      ),
    ])

const paymentById = byId((db, id) => payrollPayments(db).where('p.id', '=', id))

const validPayment = (db: Database, id: string) =>
  payrollPayments(db).where('p.id', '=', toUuid(id)).where('p.voidedAt', 'is', null).execute()

const paymentsOfMonth = (db: Database, { from, to }: PayMonth) =>
  payrollPayments(db)
    .where('p.voidedAt', 'is', null)
    .where((payment) =>
      payment.or([
        payment.between('p.paidAt', from, to),
        payment(
          'p.id',
          'in',
          payment
            .selectFrom('allocations as a')
            .innerJoin('payslips as s', (join) =>
              join.onRef('s.organizationId', '=', 'a.organizationId').onRef('s.id', '=', 'a.documentId'),
            )
            .select('a.paymentId')
            .where('s.month', '=', from),
        ),
      ]),
    )
    .orderBy('p.paidAt')
    .orderBy('p.id')
    .execute()

type Row = Awaited<ReturnType<typeof paymentsOfMonth>>[number]

function toPaymentRow({
  amountMinor,
  allocatedMinor,
  refundedMinor,
  currency,
  ...row
}: Row): Static<typeof PaymentRow> {
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  return {
    ...row,
    amount: major(amountMinor),
    allocatedTotal: major(allocatedMinor),
    openRemainder: major(amountMinor - allocatedMinor - refundedMinor),
  }
}

export const voidOne = operation({
  name: 'payroll_payments_void',
  http: 'POST /api/payroll/payments/{id}/void',
  does: 'Voids a payment of payroll that was recorded by mistake, such as an advance; the payslips and claims that it paid are outstanding again.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: { table: 'payments', by: 'id', kind: payslipKind.name },
  input: Type.Object({
    id: Id,
    reason: Type.Optional(nullable(VoidReason)),
  }),
  output: PaymentRow,
  async run(context, { id, reason = null }) {
    const payment = await one(paymentById(context.db, id), 'payment')
    const credit = 'A payment of payroll is no credit.'
    await voidPayment({ ...context, emit: () => {} }, { id, reason }, { kind: payslipKind, credit })
    return {
      ...toPaymentRow({ ...payment, allocatedMinor: 0, amountMinor: payment.amountMinor }),
      openRemainder: 0,
      payslipIds: [],
    }
  },
})
