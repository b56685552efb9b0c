import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { type TransactionContext, withTransaction } from '../../core/run/transaction-context.ts'
import { analyzeGrownTables } from '../database.ts'
import { request as mcpRequest } from '../mcp.ts'
import { type CanaryCompany, canariesOf, canaryCompany, isCanaryText } from '../payroll/canary-company.ts'
import { inProof, proves } from '../prove.ts'
import { inputFor, keyOf, storedIn, tableOf } from '../rows.ts'
import { member, type Reply, type Someone, theApp, withKey } from '../world.ts'

/** Payroll data is visible only with payroll rights, whatever is called. */

const reads = operations.filter((operation) => operation.reads)

let company: CanaryCompany
let canaries: Awaited<ReturnType<typeof canariesOf>>
/** Ids of rows of payroll. */
let rowsOfPayroll: string[]
/** Those, and ids of rows that concern payroll, which a caller without payroll rights may know. */
let known: string[]
/** Callers without payroll rights, and whose data each of them may not see. */
let callers: { called: string; caller: Someone; hidden: string[] }[]
beforeAll(async () => {
  company = await canaryCompany()
  canaries = await canariesOf(company)
  const { amy, dana, noa, key, attachmentIds } = company
  rowsOfPayroll = [dana.id, ...attachmentIds.slice(0, 1), ...(await oneOfEachKind())]
  known = [
    ...rowsOfPayroll,
    dana.claimId,
    ...company.automationIds,
    ...(await runsOfAutomations()).map(({ runId }) => runId).slice(0, 1),
  ]
  const both = [dana.id, noa.id]
  callers = [
    { called: 'a VIEWER', caller: await member('VIEWER', { of: amy }), hidden: both },
    { called: 'an EMPLOYEE who is another person', caller: noa.user, hidden: [dana.id] },
    { called: 'a key of the OWNER without payroll', caller: key, hidden: both },
  ]
  await theApp().system.raw.query(analyzeGrownTables) // hundreds of reports follow
})

/** A row of each kind that payroll has, of the first employee. */
async function oneOfEachKind(): Promise<string[]> {
  const { rows } = await theApp().system.raw.query<{ id: string }>(
    `select min(id::text) as id from documents where organization_id = $1 and kind in ('PAYSLIP', 'LEAVE_CLAIM') group by kind, status
     union all select min(id::text) from payments where organization_id = $1 group by kind, source having min(kind) in ('PAYSLIP', 'LEAVE_CLAIM')
     union all select min(a.id::text) from allocations a join payments p on p.id = a.payment_id where p.organization_id = $1 and p.kind = 'PAYSLIP'
     union all select min(id::text) from files where organization_id = $1 and purpose = 'payroll'`,
    [company.organizationId],
  )
  return rows.map(({ id }) => id)
}

const whoOf = (id: string) => (id === company.dana.id ? 'dana' : 'noa')

/** What an answer shows of the payroll of these employees. */
function leaksIn(value: unknown, hidden: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => leaksIn(each, hidden))
  if (typeof value === 'number') return isFigure(value, hidden) ? [String(value)] : []
  if (typeof value === 'string') return leaksInText(value, hidden)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...leaksInText(name, hidden), ...leaksIn(inner, hidden)])
}

const isHidden = (minor: number, hidden: readonly string[]) =>
  hidden.includes(canaries.figures.get(Math.abs(minor)) ?? '')
const isFigure = (value: number, hidden: readonly string[]) =>
  isHidden(value, hidden) || isHidden(Math.round(value * 100), hidden)

function leaksInText(text: string, hidden: readonly string[]): string[] {
  const words = hidden.filter((id) => isCanaryText(text, whoOf(id))).map((id) => `text of ${whoOf(id)}`)
  // Without ids, in which any digits may stand.
  const plain = text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, ' ')
  const numbers = plain.match(/(?<![\w.])\d{1,3}(,\d{3})+(\.\d+)?(?!\w)|(?<![\w.])\d+(\.\d+)?(?![\w])/g) ?? []
  const figures = numbers.filter((number) => number.length > 5 && isFigure(Number(number.replaceAll(',', '')), hidden))
  return [...words, ...figures]
}

/** In npm test the year and the day on which it is booked. */
const periods = [
  { from: '2026-01-01', to: '2026-12-31', asOf: '2026-12-31' },
  { from: '2026-03-01', to: '2026-03-30', asOf: '2026-03-30' },
  { from: '2026-03-31', to: '2026-03-31', asOf: '2026-03-31' },
  { from: '2026-03-10', to: '2026-03-10', asOf: '2026-03-10' },
].filter((_, at) => proves || at % 2 === 0)

const sampleInputs = new Map<string, Promise<Record<string, unknown>>>()

/** Input for an operation: plausible values, the periods of the payroll, and its rows wherever an id is accepted. */
async function inputsFor(operation: Operation): Promise<Record<string, unknown>[]> {
  const { name, input: schema } = operation
  const sampled = sampleInputs.get(name) ?? inputFor(operation, company.amy)
  sampleInputs.set(name, sampled)
  const input: Record<string, unknown> = { ...(await sampled), ...(name in fitting ? fitting[name] : {}) }
  const takes = (field: string) => field in schema.properties
  if (takes('limit')) input.limit = 100
  if (takes('month')) input.month = '2026-03'
  const fields = Object.keys(schema.properties)
  const inPeriods =
    takes('from') || takes('asOf') ? periods.map((period) => ({ ...input, ...picked(period, fields) })) : [input]
  const inFormats = inPeriods.flatMap((each) =>
    takes('format') && name.startsWith('reports') && each === inPeriods[0]
      ? [each, { ...each, format: 'csv' }]
      : [each],
  )
  const bases = inFormats.flatMap((each) => (takes('basis') ? [each, { ...each, basis: 'cash' }] : [each]))
  const accounts = takes('account') ? await accountCodes() : []
  const byAccount = bases.flatMap((each) => [
    ...(name === 'reports_general_ledger' ? [] : [each]),
    ...accounts.map((account) => ({ ...each, account })),
  ])
  const ids = fields
    .filter((field) => field === keyOf(operation) || /\wId$/.test(field))
    .filter((field) => field !== 'organizationId')
  const [first = input] = byAccount
  const byId = ids.flatMap((field) => knownTo(operation).map((id) => ({ ...first, [field]: id })))
  const searched = takes('search') ? ['canary', 'Dana', '7654.32', '7654'].map((search) => ({ ...first, search })) : []
  const runs = name === 'automations_run' ? await runsOfAutomations() : []
  return [...byAccount, ...byId, ...searched, ...runs]
}

/** Whether rows of payroll are in the table that the operation is about. */
const sharesTable = (operation: Operation) =>
  ['documents', 'payments', 'allocations', 'expenses', 'files'].includes(storedIn(tableOf(operation) ?? ''))

/**
 * In npm test a sixth of the ids for each operation, in turn; all of them for one that shows figures or is about rows in a table
 * with those of payroll.
 */
const knownTo = (operation: Operation) => {
  const needsAll = proves || showing.includes(operation.name) || sharesTable(operation)
  return known.filter((_, at) => needsAll || at % 6 === operations.indexOf(operation as never) % 6)
}

const picked = (values: Record<string, string>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)))

/** Values without which the sample finds nothing. */
const fitting: Record<string, Record<string, unknown>> = {
  reports_statutory_file: { file: 'sg-iras-audit-file', from: '2026-01-01', to: '2026-12-31', format: 'file' },
}

const accountCodes = async () => {
  const { rows } = await theApp().system.raw.query<{ code: string }>(
    `select distinct a.code from accounts a join account_periods p on p.account_id = a.id where a.organization_id = $1
     and p.subject in ('PURPOSE:CASH', 'PURPOSE:PAYROLL', 'PURPOSE:PAYROLL_PAYABLES')`,
    [company.organizationId],
  )
  return rows.map(({ code }) => code)
}

async function runsOfAutomations() {
  const { rows } = await theApp().system.raw.query<{ id: string; runId: string }>(
    'select automation_id as id, id as "runId" from automation_runs where organization_id = $1',
    [company.organizationId],
  )
  return rows
}

type Ask = (caller: Someone, operation: Operation, input: Record<string, unknown>) => Promise<Reply>
const everyInput = (_at: number) => true

/** A role or scope that is missing is missing for any input. */
const isRefusedAlways = (body: unknown) => /"code":"(ROLE|SCOPE|SOURCE)"/.test(JSON.stringify(body))

/** What a caller finds with an operation, with all of its inputs or some of them. */
async function found(operation: Operation, caller: Someone, hidden: readonly string[], some = everyInput) {
  const leaks = new Set<string>()
  let answered = 0
  for (const input of (await inputsFor(operation)).filter((_, at) => some(at))) {
    const { status, body } = await caller.request(operation, input)
    if (status === 403 && isRefusedAlways(body)) break
    expect(status, `${operation.name} ${JSON.stringify(input)}: ${JSON.stringify(body)}`).toBeLessThan(500)
    if (status < 300) answered++
    for (const leak of leaksIn(body, hidden)) leaks.add(`${leak} in ${JSON.stringify(input)}`)
  }
  return { leaks: [...leaks], answered }
}

describe('a caller without payroll rights finds no figure of one person', () => {
  test.each(reads)('$name', async (operation) => {
    for (const [turn, { called, caller, hidden }] of callers.entries()) {
      // In npm test each caller sends the first input, and the others are shared out among them.
      const isTheirs = (at: number) => at === 0 || at % callers.length === turn
      const { leaks } = await found(operation, caller, hidden, inProof(isTheirs, everyInput))
      expect({ called, leaks }).toEqual({ called, leaks: [] })
    }
  })
})

/** Operations in which a caller with payroll rights finds figures or facts of one person. */
const showing = [
  'payroll_employees_list', 'payroll_employees_get', 'payroll_summary', 'payroll_payments', 'reports_journal',
  'reports_general_ledger', 'reports_statutory_file', 'automations_run', 'automations_runs', 'organizations_file', 'organizations_outbox',
] // biome-ignore format: a list of words

describe('the same calls with payroll rights find them', () => {
  test.each(reads.filter(({ name }) => showing.includes(name)))('$name', async (operation) => {
    const isFound = async (at: number) =>
      (await found(operation, company.amy, [company.dana.id, company.noa.id], (each) => each === at)).leaks.length > 0
    const { length } = await inputsFor(operation)
    let at = 0
    while (at < length && !(await isFound(at))) at++
    expect(at, 'the first input that shows a figure').toBeLessThan(length)
  })
})

describe('a tool call shows no more than the same request', () => {
  test('every tool that reads', async () => {
    const { key, dana, noa, amy } = company
    const all = await withKey(amy)
    const hidden = [dana.id, noa.id]
    const overMcp: Ask = (caller, operation, input) => mcpRequest(caller, operation, input)
    const leaking: string[] = []
    for (const operation of reads.filter(({ sources }) => sources.includes('API_KEY'))) {
      const [input = {}] = await inputsFor(operation)
      if (leaksIn((await overMcp(key, operation, input)).body, hidden).length > 0) leaking.push(operation.name)
    }
    expect(leaking).toEqual([])
    const summary = reads.find(({ name }) => name === 'payroll_summary')
    if (!summary) throw new Error('There is no payroll_summary.')
    const [input = {}] = await inputsFor(summary)
    expect(leaksIn((await overMcp(all, summary, input)).body, hidden)).not.toEqual([])
  })
})

describe('a caller without payroll rights changes nothing of payroll, and learns nothing from the refusal', () => {
  const writes = operations.filter(
    (operation) => !operation.reads && tableOf(operation) !== undefined && operation.feature !== 'payroll',
  )
  // In npm test a sixth of the rows for each operation, in turn; all of them where they are in its table.
  const cases = writes.map((operation, turn) => ({ operation, name: operation.name, turn }))
  test.each(cases)('$name', async ({ operation, turn }) => {
    const { key, dana, noa } = company
    const field = keyOf(operation)
    const sampled = await inputFor(operation, company.amy)
    const needsAll = proves || sharesTable(operation)
    for (const id of rowsOfPayroll.filter((_, at) => needsAll || at % 6 === turn % 6)) {
      const { status, body } = await key.request(operation, { ...sampled, [field]: id })
      expect([400, 403, 404], `${operation.name}: ${JSON.stringify(body)}`).toContain(status)
      expect(leaksIn(body, [dana.id, noa.id])).toEqual([])
    }
  })
})

test('an automation that was saved without payroll rights sends no figure, and one of the owner does', async () => {
  const hidden = [company.dana.id, company.noa.id]
  const sentTo = async (to: string) =>
    (await theApp().system.raw.query('select subject, text from outbox where "to" = $1', [to])).rows
  expect(leaksIn(await sentTo('owner@x.test'), hidden)).not.toEqual([])
  const byKey = await sentTo('key@x.test')
  expect(byKey.length).toBeGreaterThan(0)
  expect(leaksIn(byKey, hidden)).toEqual([])
})

test('what is kept beside the books holds no figure of one person', async () => {
  const hidden = [company.dana.id, company.noa.id]
  const rows = async (text: string) => (await theApp().system.raw.query(text, [company.organizationId])).rows
  const audit = await rows('select operation, object_id, detail from audit_log where organization_id = $1')
  expect(audit.filter(({ operation }) => String(operation).startsWith('payroll')).length).toBeGreaterThan(15)
  expect(leaksIn(audit, hidden)).toEqual([])
  expect(leaksIn(await rows('select kind, data from notifications where organization_id = $1'), hidden)).toEqual([])
})

type Line = {
  date: string
  event: string
  accountCode: string | null
  documentId: string | null
  paymentId: string | null
  description: string
  debit: number
  credit: number
}

const cents = (amount: number) => Math.round(amount * 100)

/** Debit less credit by account and month, in minor units. */
function byMonth(lines: readonly Line[]) {
  const sums: Record<string, number> = {}
  for (const { date, accountCode, debit, credit } of lines) {
    const place = `${date.slice(0, 7)} ${accountCode}`
    sums[place] = (sums[place] ?? 0) + cents(debit) - cents(credit)
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

describe('the payroll of a month is one entry for callers without payroll rights', () => {
  const journalOf = async (caller: Someone, limit = 1_000) => {
    const lines: Line[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = {
        organizationId: company.organizationId,
        from: '2026-01-01',
        to: '2026-12-31',
        limit,
        totals: limit > 100,
      }
      const { entries, nextCursor } = (await caller.call('reports_journal', {
        ...page,
        ...(cursor && { cursor }),
      })) as { entries: Line[]; nextCursor: string | null }
      lines.push(...entries)
      cursor = nextCursor
    }
    return lines
  }

  test('every account has the same sum in every month, and each entry is balanced', async () => {
    const [all, shown] = [await journalOf(company.amy), await journalOf(company.key)]
    expect(byMonth(shown)).toEqual(byMonth(all))
    const payroll = shown.filter(({ event }) => event === 'PAYROLL')
    expect([...new Set(payroll.map(({ description }) => description))]).toEqual(
      expect.arrayContaining(['Payroll 2026-02', 'Payroll 2026-03', 'Payroll 2026-04']),
    )
    expect(payroll.filter(({ documentId, paymentId }) => documentId !== null || paymentId !== null)).toEqual([])
    for (const month of new Set(payroll.map(({ date }) => date)))
      expect(
        payroll
          .filter(({ date }) => date === month)
          .reduce((sum, { debit, credit }) => sum + cents(debit) - cents(credit), 0),
      ).toBe(0)
    expect(all.some(({ event }) => event === 'PAYROLL')).toBe(false)
  })

  test('the pages of any size are the same lines', async () => {
    expect(await journalOf(company.key, inProof(20, 3))).toEqual(await journalOf(company.key))
  })

  test.each(['accrual', 'cash'])('profit and loss of a whole month, %s', async (basis) => {
    const period = { organizationId: company.organizationId, from: '2026-03-01', to: '2026-03-31' }
    const profitOf = (caller: Someone) => caller.call('reports_profit_and_loss', { ...period, basis } as never)
    expect(await profitOf(company.key)).toEqual(await profitOf(company.amy))
  })

  test('the account of payroll ends each month with the same balance', async () => {
    const [code = ''] = (
      await theApp().system.raw.query<{ code: string }>(
        `select a.code from accounts a join account_periods p on p.account_id = a.id where a.organization_id = $1 and p.subject = 'PURPOSE:PAYROLL_PAYABLES'`,
        [company.organizationId],
      )
    ).rows.map(({ code }) => code)
    for (const to of ['2026-02-28', '2026-03-31', '2026-12-31']) {
      const ledgerOf = async (caller: Someone) =>
        caller.call('reports_general_ledger', {
          organizationId: company.organizationId,
          account: code,
          from: '2026-01-01',
          to,
        } as never) as Promise<{ closingBalance: number; lines: { balance: number }[] }>
      const [all, shown] = [await ledgerOf(company.amy), await ledgerOf(company.key)]
      expect(shown.closingBalance).toBe(all.closingBalance)
      expect(shown.lines.at(-1)?.balance).toBe(shown.closingBalance)
    }
  })
})

test('the database shows rows of payroll only to a transaction with payroll rights', async () => {
  const { organizationId, dana } = company
  const rowsFor = (context: TransactionContext) =>
    withTransaction(theApp().confined, { organizationId, ...context }, async ({ connection }) => {
      const { rows } = await connection.query(`select (select count(*)::integer from employees) as employees,
        (select count(*)::integer from employee_terms) as terms, (select count(*)::integer from payslips) as payslips,
        (select count(distinct payslip_id)::integer from payslip_lines) as of_lines, (select count(*)::integer from payslip_consents) as consents,
        (select count(*)::integer from leave_claims) as claims, (select count(*)::integer from files where purpose = 'payroll') as files`)
      return rows[0]
    })
  const all = await rowsFor({ payroll: 'all' })
  const { rows: stored } = await theApp().system.raw.query(
    'select count(*)::integer as payslips from payslips where organization_id = $1',
    [organizationId],
  )
  expect(all).toMatchObject({ ...stored[0], ofLines: stored[0].payslips, consents: 2, claims: 2, files: 2 })
  const nothing = { employees: 0, terms: 0, payslips: 0, ofLines: 0, consents: 0, claims: 0, files: 0 }
  expect(await rowsFor({})).toEqual(nothing)
  expect(await rowsFor({ userId: dana.user.userId })).toEqual(nothing)
  expect(await rowsFor({ userId: dana.user.userId, payroll: 'own' })).toEqual({
    ...nothing,
    ...{ employees: 1, terms: 1, payslips: 2, ofLines: 2 },
  })
})

test('an employee reads their own payslips', async () => {
  const { dana, organizationId } = company
  const { payslips } = await dana.user.call('payroll_my_payslips', { organizationId })
  expect(payslips).toHaveLength(1)
  expect(leaksIn(payslips, [dana.id])).not.toEqual([])
})

test('this sweep covers every operation that reads', () => {
  expect(reads.length).toBeGreaterThanOrEqual(70)
  expect(canaries.figures.size).toBeGreaterThanOrEqual(20)
  expect(known.length).toBeGreaterThanOrEqual(12)
})
