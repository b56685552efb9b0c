import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Count, Id, nullable, optional, type Static, Type } from '../../../../core/define/schema.ts'
import { FileInput } from '../../../../core/files/file.ts'
import { toDay, today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { insertAttachment, nextAttachment } from '../../../../ledger/attachments.ts'
import { organizationContext, requiredDay } from '../../../../ledger/organization-context.ts'
import { paymentMinor } from '../../../../ledger/payments/payable-documents.ts'
import { recordPayment } from '../../../../ledger/payments/record-payment.ts'
import { storeFile } from '../../../platform/files/store.ts'
import { Attachment, toAttachment } from '../../../selling/documents/attachments/attachment.ts'
import { payslipKind } from '../kind.ts'
import { Day, Method } from '../payment-fields.ts'
import { payslipPaid, payslipPayload } from '../payslips/events.ts'
import { lockPayslip, type PayslipRow, payslipById } from '../payslips/read.ts'
import { rulesOf } from '../rules.ts'
import { toPayFacts } from '../stored-facts.ts'
import { allocateCredits, allocationsOf, lockCredits, takeAdvancesBack } from './set-off.ts'

export const advance = operation({
  name: 'payroll_advance',
  http: 'POST /api/payroll/advance',
  does: 'Records an advance that was paid to an employee or another person. It stays open until it is set off against a payslip.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    counterpartyId: Id,
    amount: Type.Number({ exclusiveMinimum: 0, description: 'In major units.' }),
    paidAt: Day,
    method: Method,
  }),
  output: Type.Object({ paymentId: Id }),
  status: 201,
  async run({ db, emit, who }, { counterpartyId, amount, paidAt, method = null }) {
    const { organization, member, person } = await pipeline({
      organization: organizationContext(db),
      member: who,
      person: personById(db, counterpartyId),
    })
    if (!person) throw invalid('counterpartyId', 'The person does not exist.', 'UNKNOWN_REFERENCE')
    const { currency } = rulesOf(organization)
    const { id, recorded } = recordPayment(
      { db, emit, member },
      {
        ...{ kind: payslipKind, customerId: person.id, currency, source: 'ADVANCE', method, shares: [], quiet: true },
        amountMinor: paymentMinor('amount', amount, currency),
        paidAt: requiredDay('paidAt', paidAt, organization),
      },
    )
    await recorded
    return { paymentId: id }
  },
})

const personById = (db: Database, id: string) =>
  db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', toUuid(id))
    .where('kind', '=', 'INDIVIDUAL')
    .executeTakeFirst()

const Consent = Type.Object({
  affirmed: Type.Boolean({ description: 'The employee agreed in writing.' }),
  ...optional({
    at: Type.String({ maxLength: 40, description: 'When the employee agreed.', examples: ['2026-03-25'] }),
    attachmentId: nullable({ ...Id, description: 'The signed consent, from payroll_consent_upload.' }),
  }),
})

export const apply = operation({
  name: 'payroll_apply',
  http: 'POST /api/payroll/apply',
  does: 'Sets open advances off against the net pay of a DRAFT or APPROVED payslip: without consent as much as the law allows, with consent up to the net pay.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    payslipId: Id,
    ...optional({
      authorizeFinalPaySetoff: Type.Boolean({ description: 'Allows setting off against the last pay of a leaver.' }),
      consent: nullable(Consent),
    }),
  }),
  output: Type.Object({
    applied: Type.Number({ description: 'What this call set off.' }),
    status: Type.String(),
    residualAdvanceDebt: Type.Number({ description: 'What the employee still owes of advances.' }),
  }),
  async run(context, { payslipId, authorizeFinalPaySetoff: finalAuthorized = false, consent = null }) {
    const { db, who, emit } = context
    const { organization, member, payslip } = await pipeline({
      organization: organizationContext(db),
      member: who,
      payslip: lockPayslip(db, payslipId),
    })
    if (payslip.status !== 'DRAFT' && payslip.status !== 'APPROVED')
      throw conflict(`Advances cannot be set off against a payslip that is ${payslip.status}.`, 'WRONG_STATUS')
    const stored = await consentColumns(db, payslip, consent, { now: context.now, timezone: organization.timezone })
    const credits = await lockCredits(db, payslip, 'ADVANCE')
    const openMinor = credits.reduce((sum, credit) => sum + credit.openMinor, 0)
    const hasConsent = consent?.affirmed === true
    const { limitMinor, rule } = await limitFor(db, payslip, { organization, openMinor, hasConsent, finalAuthorized })
    const applied = await allocateCredits({ db, member }, payslip, credits, Math.min(openMinor, limitMinor))
    await db
      .insertInto('payslipConsents')
      .values({ id: newId(), payslipId: payslip.id, ...stored, finalAuthorized, appliedMinor: applied, rule })
      .execute()
    const after = await payslipById(db, payslip.id)
    if (after.status === 'PAID') emit(payslipPaid, payslipPayload(after))
    const major = (minor: number) => toMajor(BigInt(minor), payslip.currency)
    return { applied: major(applied), status: after.status, residualAdvanceDebt: major(openMinor - applied) }
  },
})

type Limit = { organization: { country: string }; openMinor: number; hasConsent: boolean; finalAuthorized: boolean }

/** How much more may be set off against a payslip, after what was set off before. */
async function limitFor(db: Database, payslip: PayslipRow, { organization, openMinor, ...asked }: Limit) {
  const before = (await allocationsOf(db, payslip.id, ['ADVANCE'])).reduce((sum, each) => sum + each.amountMinor, 0)
  const netOpen = payslip.netMinor - payslip.netPaidMinor
  const { limitMinor, rule } = rulesOf(organization).payroll.setOff({
    ...asked,
    netMinor: BigInt(netOpen + before),
    wagesMinor: BigInt(payslip.grossMinor - payslip.reimbursementsMinor),
    monthlyWageMinor: BigInt(payslip.wageMinor),
    advancesMinor: BigInt(openMinor + before),
    isFinal: payslip.isFinal,
    facts: toPayFacts(payslip.facts),
  })
  return { limitMinor: Math.max(0, Math.min(Number(limitMinor) - before, netOpen)), rule }
}

/** Refuses a consent of the future and a file that is not attached to the payslip. */
async function consentColumns(
  db: Database,
  payslip: PayslipRow,
  consent: Static<typeof Consent> | null,
  { now, timezone }: { now: Date; timezone: string },
) {
  const { affirmed = false, at, attachmentId = null } = consent ?? {}
  const day = at === undefined ? null : toDay(at, timezone)
  if (day === undefined || (day !== null && day > today(now, timezone)))
    throw invalid('consent.at', 'consent.at must be a day or time that is not in the future, such as 2026-03-25.')
  if (attachmentId !== null) {
    const attached = db.selectFrom('documentAttachments').select('id').where('id', '=', toUuid(attachmentId))
    if (!(await attached.where('documentId', '=', payslip.id).executeTakeFirst()))
      throw invalid('consent.attachmentId', 'The file is not attached to this payslip.', 'UNKNOWN_REFERENCE')
  }
  return { affirmed, consentedAt: at ?? null, attachmentId }
}

export const unapply = operation({
  name: 'payroll_unapply',
  http: 'POST /api/payroll/unapply',
  does: 'Takes all advances back that were set off against a payslip; they are open again exactly as before.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, payslipId: Id }),
  output: Type.Object({
    unapplied: Type.Number(),
    status: Type.String(),
    attachedPaymentCount: { ...Count, description: 'The payments that still pay the payslip.' },
  }),
  async run({ db, who }: Inside<'organizationId'>, { payslipId }) {
    const { member, payslip } = await pipeline({ member: who, payslip: lockPayslip(db, payslipId) })
    if (payslip.status === 'VOID') throw conflict('The payslip is void; its advances are open already.', 'WRONG_STATUS')
    const taken = await takeAdvancesBack({ db, member }, payslip)
    const { after, left } = await pipeline({
      after: payslipById(db, payslip.id),
      left: allocationsOf(db, payslip.id, ['NET', 'STATUTORY']),
    })
    const unapplied = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    return {
      unapplied: toMajor(BigInt(unapplied), payslip.currency),
      status: after.status,
      attachedPaymentCount: new Set(left.map(({ paymentId }) => paymentId)).size,
    }
  },
})

export const consentUpload = operation({
  name: 'payroll_consent_upload',
  http: 'POST /api/payroll/consent-upload',
  does: 'Stores the signed consent of an employee with a payslip: a multipart form with the part file, or JSON. Its id goes into consent.attachmentId of payroll_apply.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, payslipId: Id, file: FileInput }),
  output: Attachment,
  status: 201,
  rate: 'uploads',
  outside: true,
  upload: true,
  async run(context, { payslipId }) {
    const { id } = await context.tx(({ db }) => payslipById(db, payslipId))
    const stored = await storeFile(context, context.upload, 'payroll')
    return context.once(async (inside) => {
      const { db } = inside
      const { userId } = await context.who
      const { organizationId, position } = await nextAttachment(db, payslipKind, id)
      const file = await stored.row(inside)
      const attachmentId = await insertAttachment(db, { documentId: id, position, userId, file })
      const { id: fileId, fileName, fileType, fileSize } = file
      return toAttachment(context, { id, organizationId }, { id: attachmentId, fileId, fileName, fileType, fileSize })
    })
  },
})
