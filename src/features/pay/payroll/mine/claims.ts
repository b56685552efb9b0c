import { conflict } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged } from '../../../../core/define/query.ts'
import {
  Currency,
  Id,
  Instant,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
} from '../../../../core/define/schema.ts'
import type { Services } from '../../../../core/define/services.ts'
import { FileInput } from '../../../../core/files/file.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { insertAttachment, nextAttachment } from '../../../../ledger/attachments.ts'
import { Attachment, toAttachment } from '../../../buying/expenses/attachments/attachment.ts'
import { expenseKind } from '../../../buying/expenses/kind.ts'
import { expenses, type ListedRow, selectListed } from '../../../buying/expenses/reading/read.ts'
import { createExpense } from '../../../buying/expenses/writing/create.ts'
import { storeFile } from '../../../platform/files/store.ts'

/** What an employee sees of a claim: nothing that only readers of expenses see. */
const Claim = Type.Object({
  id: Id,
  organizationId: Id,
  description: nullable(Text),
  vendor: nullable(Text),
  notes: nullable(Text),
  amount: Type.Number(),
  currency: Text,
  date: Type.String(),
  status: OneOf(...expenseKind.statuses),
  statusReason: nullable({ ...Text, description: 'Why it was rejected, for example.' }),
  paidAmount: Type.Number(),
  openBalance: Type.Number({ description: 'What is still to be reimbursed, once it is approved.' }),
  attachments: Type.Array(Attachment),
  createdAt: Instant,
})

const claims = (db: Database) => selectListed(expenses(db)).select(['e.notes', 'e.statusReason'])
type ClaimRow = ListedRow & { notes: string | null; statusReason: string | null }

function toClaim(services: Services & { now: Date }, row: ClaimRow): Static<typeof Claim> {
  const major = (minor: number) => toMajor(BigInt(minor), row.currency)
  return {
    ...{ id: row.id, organizationId: row.organizationId, description: row.title, vendor: row.vendor, notes: row.notes },
    ...{ amount: major(row.totalMinor), currency: row.currency, date: row.date, createdAt: row.createdAt },
    ...{ status: row.status, statusReason: row.statusReason, paidAmount: major(row.paidMinor) },
    openBalance: major(row.totalMinor - row.paidMinor - row.creditedMinor),
    attachments: row.attached.map((attachment) => toAttachment(services, row, attachment)),
  }
}

/** The employee that a person is in the organization. */
const employeeOf = (db: Database, userId: string) =>
  db.selectFrom('employees').select(['id', 'currency']).where('userId', '=', userId).executeTakeFirst()

export const myClaims = operation({
  name: 'payroll_my_claims',
  http: 'GET /api/hr/me/claims',
  does: 'Lists the expense claims of the signed-in employee, the latest first, with what is still to be reimbursed.',
  scope: 'payroll:read',
  role: 'EMPLOYEE',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    ...paging(),
    status: Type.Optional(OneOf(...expenseKind.statuses)),
  }),
  output: Type.Object({ claims: Type.Array(Claim), pagination: Pagination }),
  async run(context, { status, page, limit }) {
    const { db, who } = context
    const { userId } = await who
    const own = db.selectFrom('employees').select('id').where('userId', '=', userId)
    let query = claims(db).where('e.claimantId', 'in', own).where('d.documentType', '=', 'EXPENSE')
    if (status !== undefined) query = query.where('d.status', '=', status)
    const { rows, pagination } = await paged(query.orderBy('d.issueDate', 'desc').orderBy('d.id', 'desc'), {
      page,
      limit,
    })
    return { claims: rows.map((row) => toClaim(context, row)), pagination }
  },
})

export const createMyClaim = operation({
  name: 'payroll_my_claims_create',
  http: 'POST /api/hr/me/claims',
  does: 'Claims an expense that the signed-in employee has paid, with the receipt if there is one: a multipart form with the part file, or JSON. It waits for review.',
  scope: 'payroll:write',
  role: 'EMPLOYEE',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    amount: Type.Number({ exclusiveMinimum: 0, description: 'Including tax, in major units.', examples: [42.5] }),
    date: Type.String({ minLength: 1, maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] }),
    ...optional({
      currency: { ...Currency, description: 'The currency of the pay unless given.' },
      description: nullable(Type.String({ maxLength: 1_000, examples: ['Taxi to the customer'] })),
      vendor: nullable(Type.String({ maxLength: 1_000 })),
      notes: nullable(Text),
      file: FileInput,
    }),
  }),
  output: Claim,
  status: 201,
  rate: 'uploads',
  outside: true,
  upload: true,
  async run(context, { description = null, vendor = null, notes = null, currency, ...given }) {
    const member = await context.who
    const employee = await context.tx(({ db }) => employeeOf(db, member.userId))
    if (!employee)
      throw conflict('You are no employee of this organization, so you cannot claim expenses.', 'NO_EMPLOYEE')
    const stored = context.upload && (await storeFile(context, context.upload, 'expense-attachment'))
    const { amount, date } = given
    return context.once(async (inside) => {
      const expense = {
        ...{ amount, date, currency: currency ?? employee.currency, source: 'MANUAL' as const },
        ...{ title: description, vendor, notes, claimantId: employee.id },
      }
      // Its warnings are about other expenses and suppliers, which an employee does not see.
      const { expense: created } = await createExpense({ ...inside, who: Promise.resolve(member) }, expense, {
        isSubmitted: true,
      })
      if (stored) {
        const { position } = await nextAttachment(inside.db, expenseKind, created.id)
        const file = await stored.row(inside)
        await insertAttachment(inside.db, { documentId: created.id, position, userId: member.userId, file })
      }
      return toClaim(context, await one(claims(inside.db).where('d.id', '=', created.id), 'claim'))
    })
  },
})
