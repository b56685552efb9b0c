import { sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext, requiredDay } from '../../../../ledger/organization-context.ts'
import { paymentMinor } from '../../../../ledger/payments/payable-documents.ts'
import { allocate, type PaymentContext, recordPayment, type Share } from '../../../../ledger/payments/record-payment.ts'
import { openCredits } from '../advances/set-off.ts'
import { leaveClaimKind } from '../kind.ts'
import { Day, Method } from '../payment-fields.ts'
import { rulesOf } from '../rules.ts'

export const settle = operation({
  name: 'payroll_gpl_settle',
  http: 'POST /api/payroll/gpl-settle',
  does: 'Records what an authority paid for government-paid leave and settles the given claims with it, the oldest first. Without an amount all of them are settled. Money of the authority that is open after a void is used first.',
  country: 'SG',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    authorityOrgId: Id,
    lineIds: Type.Array(Id, { minItems: 1, maxItems: 1_000, description: 'From gplOutstanding of the summary.' }),
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'All that is outstanding unless given.' })),
    paidAt: Day,
    method: Method,
  }),
  output: Type.Object({ paymentId: Id, allocated: Type.Number(), outstanding: Type.Number() }),
  status: 201,
  async run({ db, emit, who }, { authorityOrgId, lineIds, amount, paidAt, method = null }) {
    const { organization, member, claims } = await pipeline({
      organization: organizationContext(db),
      member: who,
      claims: lockClaims(db, lineIds),
    })
    const { currency } = rulesOf(organization)
    refuseOthers(claims, lineIds, authorityOrgId)
    const outstanding = claims.reduce((sum, { openMinor }) => sum + openMinor, 0)
    if (outstanding === 0) throw invalid('lineIds', 'Nothing of these claims is outstanding.', 'NOTHING_OPEN')
    const amountMinor = amount === undefined ? outstanding : paymentMinor('amount', amount, currency)
    if (amountMinor > outstanding)
      throw invalid('amount', 'The amount is more than what is outstanding of these claims.', 'AMOUNT_OVER_OPEN')
    let left = amountMinor
    const shares = claims.flatMap(({ id, openMinor }) => {
      const share = Math.min(left, openMinor)
      left -= share
      return share > 0 ? [{ documentId: id, amountMinor: share }] : []
    })
    const day = requiredDay('paidAt', paidAt, organization)
    const reused = await useOpenMoney({ db, member }, toUuid(authorityOrgId), shares)
    const newMinor = reused.left.reduce((sum, share) => sum + share.amountMinor, 0)
    let paymentId = reused.paymentIds.at(-1)
    if (newMinor > 0) {
      const { id, recorded } = recordPayment(
        { db, emit, member },
        {
          ...{ kind: leaveClaimKind, source: 'LEAVE_CLAIM', customerId: toUuid(authorityOrgId), currency },
          ...{ amountMinor: newMinor, method, shares: reused.left, quiet: true, paidAt: day },
        },
      )
      await recorded
      paymentId = id
    }
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    return { paymentId: paymentId ?? '', allocated: major(amountMinor), outstanding: major(outstanding - amountMinor) }
  },
})

/** Settles with money of the authority that is open, because the payslip of its claim was voided. Returns what is left to settle. */
async function useOpenMoney(
  context: Pick<PaymentContext, 'db' | 'member'>,
  authorityId: string,
  shares: readonly Share[],
) {
  const credits = await openCredits(context.db, 'LEAVE_CLAIM')
    .where('counterpartyId', '=', authorityId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const left = shares.map((share) => ({ ...share }))
  const paymentIds: string[] = []
  for (const credit of credits) {
    let available = credit.openMinor
    const used = left.flatMap((share) => {
      const amountMinor = Math.min(available, share.amountMinor)
      if (amountMinor <= 0) return []
      available -= amountMinor
      share.amountMinor -= amountMinor
      return [{ documentId: share.documentId, amountMinor }]
    })
    if (used.length === 0) break
    await allocate(context, credit, used)
    paymentIds.push(credit.id)
  }
  return { left: left.filter(({ amountMinor }) => amountMinor > 0), paymentIds }
}

type Claim = { id: string; authorityId: string | null; openMinor: number; coversUntil: string }

/** Locks claims that are not void, in the order of their ids, and returns them with the oldest first. */
async function lockClaims(db: Database, ids: readonly string[]): Promise<Claim[]> {
  const rows = await db
    .selectFrom('documents as d')
    .innerJoin('leaveClaims as c', (join) =>
      join.onRef('c.organizationId', '=', 'd.organizationId').onRef('c.id', '=', 'd.id'),
    )
    .select(['d.id', 'd.counterpartyId as authorityId', 'c.coversUntil', sql<number>`open_minor(d)`.as('openMinor')])
    .where('d.id', 'in', [...new Set(ids.map((id) => toUuid(id)))])
    .where('d.status', '<>', 'VOID')
    .orderBy('d.id')
    .forNoKeyUpdate('d')
    .execute()
  return rows.toSorted((a, b) => a.coversUntil.localeCompare(b.coversUntil) || a.id.localeCompare(b.id))
}

function refuseOthers(claims: readonly Claim[], lineIds: readonly string[], authorityOrgId: string) {
  for (const [at, id] of lineIds.entries()) {
    const claim = claims.find((each) => each.id === id.toLowerCase())
    if (!claim) throw invalid(`lineIds.${at}`, 'The claim does not exist.', 'UNKNOWN_REFERENCE')
    if (claim.authorityId !== authorityOrgId.toLowerCase())
      throw invalid('authorityOrgId', 'The claims are owed by another authority.', 'UNKNOWN_REFERENCE')
  }
}
