import { sql } from 'kysely'
import type { Inside } from '../../../../core/define/operation.ts'
import { newId } from '../../../../core/values/id.ts'
import { minorDigits, toMajor } from '../../../../core/values/money.ts'
import { productVersion } from '../../../../core/values/product-version.ts'
import type { Country } from '../../../../countries/country.ts'
import type { LeaveAuthority, Step } from '../../../../countries/payroll/payroll.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { leaveClaimKind, payslipKind } from '../kind.ts'
import { payslipGenerated } from '../payslips/events.ts'
import type { StoredStep } from '../payslips/payslip.ts'
import type { NewPayslip } from './payslip-of.ts'

type Writer = Pick<Inside, 'db' | 'emitAll'> & { userId: string; organizationId: string }
type Rows = { payslip: NewPayslip; id: string }

/** Inserts payslips with their documents, lines and claims: a fixed number of statements, however many there are. */
export async function insertPayslips(context: Writer, country: Country, payslips: readonly NewPayslip[]) {
  if (payslips.length === 0) return
  const { db, emitAll, organizationId, userId } = context
  const rows = payslips.map((payslip) => ({ payslip, id: newId() }))
  emitAll(
    payslipGenerated,
    rows.map(({ payslip, id }) => eventPayload(payslip, { id, organizationId })),
  )
  await pipeline({
    documents: insertInto(
      db,
      'documents',
      rows.map((row) => documentRow(row, userId)),
    ),
    owed: insertInto(db, 'document_lines', rows.flatMap(owedRows)),
    payslips: insertInto(
      db,
      'payslips',
      rows.map(({ payslip, id }) => ({ id, ...payslipColumns(payslip) })),
    ),
    lines: insertInto(db, 'payslip_lines', rows.flatMap(lineRows)),
    claims: insertClaims(context, country, rows),
    history: insertCreated(
      db,
      rows.map(({ id }) => id),
      userId,
    ),
  })
}

/** The first entry in the history of documents. */
const insertCreated = (db: Inside['db'], ids: readonly string[], userId: string) =>
  insertInto(
    db,
    'document_events',
    ids.map((id) => ({ id: newId(), document_id: id, type: 'CREATED', payload: { userId } })),
  )

/** Computes a draft again in place: the same document with other amounts and lines. */
export async function replacePayslip(context: Writer, country: Country, payslip: NewPayslip, id: string) {
  const { db, userId } = context
  const total = Number(payslip.grossMinor + payslip.contributionsMinor)
  const claims = db.selectFrom('leaveClaims').select('id').where('payslipId', '=', id)
  const { changed } = await pipeline({
    owed: db.deleteFrom('documentLines').where('documentId', '=', id).execute(),
    lines: db.deleteFrom('payslipLines').where('payslipId', '=', id).execute(),
    claims: db.deleteFrom('documents').where('id', 'in', claims).execute(),
    changed: db
      .updateTable('documents')
      .set({ subtotalMinor: total, totalMinor: total, issueDate: payslip.month.to, generatorVersion: productVersion })
      .where('id', '=', id)
      .execute(),
    payslip:
      sql`update payslips p set (period_start, period_end, is_final, gross_minor, reimbursements_minor, deductions_minor, net_minor,
        contributions_minor, wage_minor, tables, facts, bases, corrections, inputs, work, warnings, terms_at, computed_at) =
      (select r.period_start, r.period_end, r.is_final, r.gross_minor, r.reimbursements_minor, r.deductions_minor, r.net_minor,
        r.contributions_minor, r.wage_minor, r.tables, r.facts, r.bases, r.corrections, r.inputs, r.work, r.warnings, r.terms_at, now()
        from jsonb_populate_record(null::payslips, ${JSON.stringify(payslipColumns(payslip))}::jsonb) r) where p.id = ${id}`.execute(
        db,
      ),
    newOwed: insertInto(db, 'document_lines', owedRows({ payslip, id })),
    newLines: insertInto(db, 'payslip_lines', lineRows({ payslip, id })),
    newClaims: insertClaims({ ...context, userId }, country, [{ payslip, id }]),
  })
  return changed
}

/** Inserts rows that have the same columns, from one parameter: the number of parameters of a statement is limited. */
async function insertInto(db: Inside['db'], table: string, rows: readonly object[]) {
  const [first] = rows
  if (!first) return
  const columns = sql.raw(
    Object.keys(first)
      .map((column) => `"${column}"`)
      .join(', '),
  )
  await sql`insert into ${sql.id(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}

const eventPayload = (payslip: NewPayslip, { id, organizationId }: { id: string; organizationId: string }) => ({
  ...{ id, organizationId, counterpartyId: payslip.employee.id, employeeName: payslip.employee.name },
  ...{ month: payslip.month.month, status: 'DRAFT', currency: payslip.employee.currency },
  gross: toMajor(payslip.grossMinor, payslip.employee.currency),
  net: toMajor(payslip.netMinor, payslip.employee.currency),
  isFinalPayslip: payslip.isFinal,
})

function documentRow({ payslip, id }: Rows, userId: string) {
  const { employee, month } = payslip
  return obligation({
    ...{ id, kind: payslipKind.name, direction: payslipKind.direction, document_type: 'PAYSLIP', created_by: userId },
    ...{ counterparty_id: employee.id, currency: employee.currency, issue_date: month.to },
    totalMinor: payslip.grossMinor + payslip.contributionsMinor,
  })
}

type Obligation = { currency: string; totalMinor: bigint; [column: string]: unknown }

const obligation = ({ totalMinor, ...columns }: Obligation) => ({
  ...columns,
  ...{ status: 'DRAFT', minor_digits: minorDigits(columns.currency), subtotal_minor: Number(totalMinor), tax_minor: 0 },
  ...{ total_minor: Number(totalMinor), generator_version: productVersion, issue_date_given: true },
})

const owedRows = ({ payslip, id }: Rows) =>
  payslip.owed.map((line, position) => documentLine(id, { ...line, position, currency: payslip.employee.currency }))

type Line = { id: string; description: string; amountMinor: bigint; position: number; currency: string }

const documentLine = (documentId: string, { id, description, amountMinor, position, currency }: Line) => ({
  ...{ document_id: documentId, position, id, description, quantity: 1 },
  ...{ unit_price: toMajor(amountMinor, currency), amount_minor: Number(amountMinor) },
})

/** The columns of a payslip, with their names in the database. */
function payslipColumns(payslip: NewPayslip) {
  return {
    ...{ employee_id: payslip.employee.id, month: payslip.month.from },
    ...{ period_start: payslip.periodStart, period_end: payslip.periodEnd, is_final: payslip.isFinal },
    ...{ gross_minor: Number(payslip.grossMinor), reimbursements_minor: Number(payslip.reimbursementsMinor) },
    ...{ deductions_minor: Number(payslip.deductionsMinor), net_minor: Number(payslip.netMinor) },
    ...{ contributions_minor: Number(payslip.contributionsMinor), wage_minor: payslip.wageMinor },
    ...{ tables: payslip.tables, facts: payslip.facts, bases: inNumbers(payslip.bases) },
    corrections: Object.fromEntries(
      Object.entries(payslip.corrections).map(([month, bases]) => [month, inNumbers(bases)]),
    ),
    ...{ inputs: payslip.inputs, work: payslip.inputs.work ?? null, warnings: payslip.warnings },
    terms_at: payslip.employee.termsAt,
  }
}

const inNumbers = (bases: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(bases).map(([name, minor]) => [name, Number(minor)]))

const lineRows = ({ payslip, id }: Rows) =>
  payslip.lines.map(({ kind, code, description, amountMinor, corrects = null, steps }, position) => ({
    ...{ payslip_id: id, position, kind, code, description, amount_minor: Number(amountMinor), corrects },
    steps: steps.map(storedStep),
  }))

const storedStep = ({ baseMinor, amountMinor, ...step }: Step): StoredStep => ({
  ...step,
  baseMinor: baseMinor === null ? null : Number(baseMinor),
  amountMinor: Number(amountMinor),
})

/** Claims against the authorities that pay leave, one for each adjustment of that kind. */
async function insertClaims({ db, userId }: Writer, { payroll }: Country, rows: readonly Rows[]) {
  const claims = rows.flatMap(({ payslip, id }) =>
    payslip.lines.flatMap((line) => {
      if (line.code !== 'LEAVE_PAY' || line.corrects || line.amountMinor <= 0n) return []
      const scheme = payroll.leaveScheme?.(line.description)
      return scheme ? [{ payslip, payslipId: id, id: newId(), line, scheme }] : []
    }),
  )
  if (claims.length === 0) return
  const authorities = new Map(claims.map(({ scheme }) => [scheme.authority.id, scheme.authority]))
  await pipeline({
    authorities: insertAuthorities(db, [...authorities.values()], claims[0]?.payslip.employee.currency ?? ''),
    documents: insertInto(
      db,
      'documents',
      claims.map(({ id, payslip, scheme, line }) =>
        obligation({
          ...{ id, kind: leaveClaimKind.name, direction: leaveClaimKind.direction, document_type: 'LEAVE_CLAIM' },
          ...{ created_by: userId, counterparty_id: scheme.authority.id, currency: payslip.employee.currency },
          ...{ issue_date: payslip.month.to, totalMinor: line.amountMinor },
        }),
      ),
    ),
    lines: insertInto(
      db,
      'document_lines',
      claims.map(({ id, line, scheme, payslip }) =>
        documentLine(id, {
          ...{ id: scheme.code, description: scheme.label, amountMinor: line.amountMinor },
          ...{ position: 0, currency: payslip.employee.currency },
        }),
      ),
    ),
    history: insertCreated(
      db,
      claims.map(({ id }) => id),
      userId,
    ),
    claims: insertInto(
      db,
      'leave_claims',
      claims.map(({ id, payslipId, payslip, scheme }) => ({
        ...{ id, payslip_id: payslipId, scheme: scheme.code, covers_until: payslip.periodEnd },
      })),
    ),
  })
}

/** Authorities are counterparties of the organization, with the same id everywhere. */
const insertAuthorities = (db: Inside['db'], authorities: readonly LeaveAuthority[], currency: string) =>
  db
    .insertInto('customers')
    .values(
      authorities.map(({ id, name }) => ({
        ...{
          id,
          name,
          kind: 'ORGANIZATION' as const,
          isCustomer: false,
          isAuthority: true,
          defaultCurrencies: [currency],
          status: 'ACTIVE' as const,
        },
        ...{ email: null, phone: null, address: null, country: null, registrationNumber: null, notes: null },
      })),
    )
    .onConflict((same) => same.columns(['organizationId', 'id']).doNothing())
    .execute()
