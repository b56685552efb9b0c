import { setImmediate } from 'node:timers/promises'
import { conflict } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { lockFor, toUuid } from '../../../../core/define/query.ts'
import { Count, Id, Type } from '../../../../core/define/schema.ts'
import { today } from '../../../../core/values/day.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { applyAgain, takeAdvancesBack } from '../advances/set-off.ts'
import { Month, monthOfDay, type PayMonth, payMonth } from '../month.ts'
import { outdatedDrafts, paidBeyondEnd } from '../outdated.ts'
import { lockPayslip } from '../payslips/read.ts'
import { rulesOf } from '../rules.ts'
import { GivenInputs, noInputs, type RunInputs } from '../run-inputs.ts'
import { loadEmployees, loadPaid, type PayableEmployee } from './load.ts'
import { changedPayslips, type NewPayslip, payslipOf } from './payslip-of.ts'
import { insertPayslips, replacePayslip } from './write.ts'

export const generate = operation({
  name: 'payroll_generate',
  http: 'POST /api/payroll/generate',
  does: 'Makes a DRAFT payslip for every employed person who has none for the month, or for the given employees. Somebody whose pay cannot be computed is listed in errors.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    month: Month,
    employeeIds: Type.Optional(Type.Array(Id, { maxItems: 10_000 })),
    runInputs: GivenInputs,
  }),
  output: Type.Object({
    generated: Count,
    errors: Type.Array(Type.Object({ counterpartyId: Id, message: Type.String() })),
  }),
  async run({ db, emitAll, now, who }, { month: text, employeeIds, runInputs }) {
    const { organization, member } = await pipeline({ organization: organizationContext(db), member: who })
    const month = payMonth(text, { now, timezone: organization.timezone })
    const country = rulesOf(organization)
    const wanted = employeeIds && [...new Set(employeeIds)]
    await lockFor(db, `payroll of ${month.month}`) // one call at a time makes the payslips of a month
    const { employees, drafts, overpaid } = await pipeline({
      employees: loadEmployees(db, month, wanted ? wanted.map((id) => toUuid(id)) : null),
      drafts: outdatedDrafts(db, month),
      overpaid: paidBeyondEnd(db, month),
    })
    const isWanted = ({ counterpartyId }: Problem) => wanted?.some((id) => id.toLowerCase() === counterpartyId) ?? true
    const asked = { month, inputs: runInputs ?? noInputs, knownOn: today(now, organization.timezone) }
    const { payslips, errors } = await computeAll(db, country, { ...asked, employees })
    await insertPayslips({ db, emitAll, ...member }, country, payslips)
    const missing = (wanted ?? []).filter((id) => !employees.some((employee) => employee.id === id.toLowerCase()))
    return {
      generated: payslips.length,
      errors: [
        ...errors,
        ...[...drafts.map(outdatedProblem), ...overpaid.map(overpaidProblem)].filter(isWanted),
        ...missing.map((counterpartyId) => ({ counterpartyId, message: 'The employee does not exist.' })),
      ],
    }
  },
})

type Problem = { counterpartyId: string; message: string }

const outdatedProblem = ({ counterpartyId }: { counterpartyId: string }): Problem => ({
  counterpartyId,
  message:
    'The employment or the terms changed after the draft was computed. Compute it again (payroll_regenerate), or delete it.',
})

const overpaidProblem = ({
  counterpartyId,
  month,
  endDate,
}: {
  counterpartyId: string
  month: string
  endDate: string
}): Problem => ({
  counterpartyId,
  message: `The employment ended on ${endDate}, which the payslip of ${month} does not know. Void it (payroll_void) and generate ${month} again.`,
})

type Asked = { month: PayMonth; inputs: RunInputs; knownOn: string }

/** Computes many payslips. Other requests are served between them. */
async function computeAll(
  db: Database,
  country: Country,
  { employees, ...asked }: Asked & { employees: readonly PayableEmployee[] },
) {
  const payslips: NewPayslip[] = []
  const errors: Problem[] = []
  const wanted = employees.filter(({ payslipId }) => payslipId === null)
  const changes = await changesOf(db, country, { ...asked, employees: wanted })
  for (const [at, employee] of wanted.entries()) {
    const payslip = payslipOf(country, employee, { ...asked, ...changes(employee) })
    if ('problem' in payslip) errors.push({ counterpartyId: employee.id, message: payslip.problem })
    else payslips.push(payslip)
    if (at % 50 === 49) await setImmediate()
  }
  return { payslips, errors }
}

/** What changed of earlier months, for each employee. What was paid is read only for those with a change. */
async function changesOf(
  db: Database,
  country: Country,
  { employees, month, knownOn }: Pick<Asked, 'month' | 'knownOn'> & { employees: readonly PayableEmployee[] },
) {
  const known = { month, knownOn, tables: new Map<string, string>() }
  const changed = new Map(employees.map((employee) => [employee.id, changedPayslips(country, employee, known)]))
  const ids = [...changed].filter(([, payslips]) => payslips.length > 0).map(([id]) => id)
  const paid = await loadPaid(db, month, ids)
  return ({ id }: PayableEmployee) => ({ changed: changed.get(id) ?? [], paid: paid.get(id) ?? new Map() })
}

export const regenerate = operation({
  name: 'payroll_regenerate',
  http: 'POST /api/payroll/regenerate',
  does: 'Computes a DRAFT payslip again, with the facts of today and the given inputs. Advances that were set off stay so, as far as the new net pay allows.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, payslipId: Id, runInputs: GivenInputs }),
  output: Type.Object({
    documentId: Id,
    total: Type.Number({ description: 'The net pay.' }),
    lineCount: Type.Integer({ minimum: 0, description: 'The itemised lines of the payslip.' }),
  }),
  async run({ db, emitAll, now, who }, { payslipId, runInputs }) {
    const { organization, member, payslip, settled } = await pipeline({
      organization: organizationContext(db),
      member: who,
      payslip: lockPayslip(db, payslipId),
      settled: settledClaim(db, payslipId),
    })
    if (payslip.status !== 'DRAFT')
      throw conflict(
        `A payslip that is ${payslip.status} cannot be computed again. Void it, and generate the month.`,
        'WRONG_STATUS',
      )
    if (settled)
      throw conflict('An authority has paid for leave on this payslip. Approve it, and void it then.', 'WRONG_STATUS')
    const country = rulesOf(organization)
    const month = monthOfDay(payslip.month)
    const [employee] = await loadEmployees(db, month, [payslip.employeeId])
    if (!employee) throw new Error('A payslip has an employee.')
    const asked = { month, inputs: runInputs ?? payslip.inputs, knownOn: today(now, organization.timezone) }
    const changes = await changesOf(db, country, { ...asked, employees: [employee] })
    const computed = payslipOf(country, employee, { ...asked, ...changes(employee) })
    if ('problem' in computed) throw conflict(computed.problem, 'CANNOT_COMPUTE')
    const setOff = await takeAdvancesBack({ db, member }, payslip)
    await replacePayslip({ db, emitAll, ...member }, country, computed, payslip.id)
    await applyAgain({ db, member }, payslip, setOff, computed.netMinor)
    return {
      documentId: payslip.id,
      total: toMajor(computed.netMinor, payslip.currency),
      lineCount: computed.lines.length,
    }
  },
})

/** A claim of a payslip for leave that its authority has paid, in part or in full. */
const settledClaim = (db: Database, payslipId: string) =>
  db
    .selectFrom('leaveClaims as c')
    .innerJoin('documents as d', (join) =>
      join.onRef('d.organizationId', '=', 'c.organizationId').onRef('d.id', '=', 'c.id'),
    )
    .select('c.id')
    .where('c.payslipId', '=', toUuid(payslipId))
    .where('d.paidMinor', '>', 0)
    .limit(1)
    .executeTakeFirst()
