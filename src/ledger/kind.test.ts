import { beforeAll, expect, test } from 'vitest'
import { kinds } from '../catalog/kinds.ts'
import type { Database, Member } from '../core/define/operation.ts'
import { one } from '../core/define/query.ts'
import { newId } from '../core/values/id.ts'
import { asProduct, within } from '../test/secrets.ts'
import { violations } from '../test/violations.ts'
import { member, type Someone } from '../test/world.ts'
import { appendHistory } from './history.ts'
import { balancesOn } from './journal/entries.ts'
import { canTransition, freezableColumns, type LedgerKind, ledgerKind, toKindRow } from './kind.ts'
import { insertLines } from './lines.ts'
import { lockCounters, lockDocument } from './numbering.ts'
import { lockPayable, sharesOf } from './payments/payable-documents.ts'
import { paymentById } from './payments/read-payment.ts'
import { allocate, paymentOfDocument, recordPayment, type Share } from './payments/record-payment.ts'
import { voidPayments } from './payments/void-payment.ts'
import { readAmounts, totalsProblems } from './totals.ts'

/** A supplier's bill: payable before it is approved, not numbered, without the status PAID. */
const billKind = ledgerKind({
  name: 'TEST_BILL',
  direction: 'INCOMING',
  paymentDirection: 'INCOMING',
  documentTypes: ['TEST_BILL'],
  unbilledTypes: [],
  statuses: ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED'],
  draftStatuses: ['DRAFT', 'PENDING', 'REJECTED'],
  payableStatuses: ['DRAFT', 'PENDING', 'APPROVED'],
  transitions: {
    DRAFT: ['PENDING', 'APPROVED', 'REJECTED'],
    PENDING: ['DRAFT', 'APPROVED', 'REJECTED'],
    APPROVED: ['PENDING'],
    REJECTED: ['DRAFT'],
  },
  unpaid: null,
  numbered: false,
  freezes: {
    whenFinal: ['counterparty_id', 'currency', 'minor_digits', 'subtotal_minor', 'tax_minor', 'total_minor', 'lines'],
    whenPaid: ['currency', 'minor_digits', 'total_minor', 'lines'],
  },
  paysLines: false,
  counterpartyNeeded: false,
  accounts: { balance: 'PAYABLES', result: 'EXPENSES' },
  finalEvents: [],
})

/** A payslip: numbered, paid line by line, PAID when it has no open balance. */
const slipKind = ledgerKind({
  ...billKind,
  name: 'TEST_SLIP',
  documentTypes: ['TEST_SLIP'],
  unbilledTypes: [],
  statuses: ['DRAFT', 'APPROVED', 'PAID'],
  draftStatuses: ['DRAFT'],
  payableStatuses: ['APPROVED', 'PAID'],
  transitions: { DRAFT: ['APPROVED'], APPROVED: ['PAID'], PAID: [] },
  unpaid: { openStatus: 'APPROVED', sentStatus: null },
  numbered: true,
  freezes: { whenFinal: [...billKind.freezes.whenFinal, 'issue_date'], whenPaid: [] },
  paysLines: true,
  counterpartyNeeded: true,
})

/** Adds a kind as a migration does: its row and a table for its own columns, without a trigger. */
const addKind = async (kind: LedgerKind, table: string) => {
  const row = toKindRow(kind)
  await asProduct(
    `insert into ledger_kinds (${Object.keys(row)}) select ${Object.keys(row)} from jsonb_populate_record(null::ledger_kinds, $1)`,
    [JSON.stringify(row)],
  )
  await asProduct(`create table ${table} (
      organization_id uuid not null default current_organization() references organizations on delete cascade,
      document_id uuid not null, reference text not null, primary key (organization_id, document_id),
      foreign key (organization_id, document_id) references documents on delete cascade);
    select organization_table('${table}')`)
}

beforeAll(async () => {
  await addKind(billKind, 'test_bills')
  await addKind(slipKind, 'test_slips')
})

test('the rows of ledger_kinds equal the declared kinds', async () => {
  const rows = await asProduct("select * from ledger_kinds where kind not like 'TEST_%' order by kind")
  expect(rows).toEqual(kinds.map(toKindRow))
})

test('no two numbered kinds share a document type, since each type has its own counter', () => {
  const numbered = [...kinds, billKind, slipKind].filter((kind) => kind.numbered)
  const types = numbered.flatMap(({ documentTypes }) => documentTypes)
  expect(new Set(types).size).toBe(types.length)
})

test('the database guard compares every column that a kind may freeze', async () => {
  const [{ body = '' } = {}] = await asProduct(
    "select prosrc as body from pg_proc where proname = 'refuse_frozen_change'",
  )
  for (const column of freezableColumns.filter((name) => name !== 'lines')) expect(body).toContain(`becomes.${column}`)
})

type Scene = { organizationId: string; member: Member; amy: Someone }

async function scene(): Promise<Scene> {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  return { amy, organizationId, member: { userId: amy.userId, organizationId, role: 'OWNER' } as Member }
}

const lines = [
  { id: 'net', description: 'Net', quantity: 1, unitPrice: 70, amount: 70 },
  { id: 'tax', description: 'Tax office', quantity: 1, unitPrice: 30, amount: 30 },
]
const totals = { currency: 'SGD', items: lines, subtotal: 100, taxRate: null, taxAmount: 0, total: 100 }

/** Creates a document of a kind as its feature would: the document, its lines, its history and the row in its own table. */
const create = (
  at: Scene,
  kind: LedgerKind,
  { table, status = 'DRAFT', counterpartyId = null as string | null }: New,
) =>
  within(at.organizationId, async (db, connection) => {
    const id = newId()
    const amounts = readAmounts(totals, { draft: false })
    await db
      .insertInto('documents')
      .values({
        id, kind: kind.name, direction: kind.direction, documentType: String(kind.documentTypes[0]), status, counterpartyId,
        bankAccountId: null, currency: 'SGD', minorDigits: 2, issueDate: '2026-03-05', dueDate: null, payUntil: null,
        subtotalMinor: 100_00, taxMinor: 0, totalMinor: 100_00, taxRate: null, notes: null, paymentMethod: null,
        paymentDate: null, countrySpecificData: null, generatorVersion: '0', createdBy: at.member.userId,
      }) // biome-ignore format: a list of words
      .execute()
    await insertLines(db, id, lines, amounts)
    await appendHistory(db, id, 'CREATED', {})
    await connection.query(`insert into ${table} (document_id, reference) values ($1, 'R-1')`, [id])
    return id
  })
type New = { table: string; status?: string; counterpartyId?: string | null }

const move = (at: Scene, id: string, status: string) =>
  within(at.organizationId, async (db) => {
    await lockCounters(db, { documentId: id, becomesFinal: true })
    await lockDocument(db, id)
    await db.updateTable('documents').set({ status }).where('id', '=', id).execute()
    await appendHistory(db, id, 'ISSUED', {})
  })

const read = async (at: Scene, id: string) => {
  const [row] = await asProduct(
    'select status, number, paid_minor::int as paid, issued_at is not null as final from documents where organization_id = $1 and id = $2',
    [at.organizationId, id],
  )
  return row
}

const noEvents = { emit: () => {} }

const pay = (at: Scene, kind: LedgerKind, amountMinor: number, shares: readonly Share[]) =>
  within(at.organizationId, async (db) => {
    const payment = { kind, customerId: null, currency: 'SGD', amountMinor, paidAt: '2026-03-09', method: null, shares }
    const { id, recorded } = recordPayment({ db, ...noEvents, member: at.member }, { ...payment, source: 'PAYMENT' })
    await recorded
    return id
  })

const voidPayment = (at: Scene, id: string, documentIds: string[]) =>
  within(at.organizationId, async (db) => {
    const payment = await one(paymentById(db, id), 'payment')
    await voidPayments({ db, ...noEvents, member: at.member }, [payment], { reason: null, documentIds })
  })

/** Allocates the open remainder of a payment. */
const allocateRest = (at: Scene, kind: LedgerKind, paymentId: string, documentId: string) =>
  within(at.organizationId, async (db) => {
    const documents = await lockPayable(db, kind, [documentId])
    const payment = await one(paymentById(db, paymentId), 'payment')
    const { currency, customerId, amountMinor, allocatedMinor } = payment
    const open = { currency, customerId, amountMinor: amountMinor - allocatedMinor }
    const { shares } = sharesOf(kind, open, [{ documentId }], documents)
    await allocate({ db, member: at.member }, payment, shares)
    return shares
  })

const balances = (at: Scene) =>
  within(at.organizationId, async (db: Database) => {
    const found = await balancesOn(db, '2999-12-31')
    return Object.fromEntries(
      found.filter((each) => each.balanceMinor !== 0).map((each) => [each.account, each.balanceMinor]),
    )
  })

/** `verify` also reports the two kinds of this file. */
const failedChecks = async () => (await violations()).filter(({ id }) => id !== 'KINDS')

test('a document of an incoming kind is partly paid before it is final, issued, reopened by a void and paid from an open remainder', async () => {
  const at = await scene()
  const id = await create(at, billKind, { table: 'test_bills' })
  const first = await pay(at, billKind, 40_00, [{ documentId: id, amountMinor: 40_00 }])
  expect(await read(at, id)).toEqual({ status: 'DRAFT', number: null, paid: 40_00, final: false })
  expect(await balances(at)).toEqual({ CASH: -40_00, PREPAYMENTS: 40_00 })

  await move(at, id, 'APPROVED')
  expect(await read(at, id)).toEqual({ status: 'APPROVED', number: null, paid: 40_00, final: true })
  expect(await balances(at)).toEqual({ CASH: -40_00, EXPENSES: 100_00, PAYABLES: -60_00 })

  await voidPayment(at, first, [id])
  expect(await read(at, id)).toEqual({ status: 'APPROVED', number: null, paid: 0, final: true })
  const second = await pay(at, billKind, 150_00, [])
  expect(await allocateRest(at, billKind, second, id)).toEqual([{ documentId: id, amountMinor: 100_00 }])
  expect(await read(at, id)).toEqual({ status: 'APPROVED', number: null, paid: 100_00, final: true })
  expect(await balances(at)).toEqual({ CASH: -150_00, EXPENSES: 100_00, PREPAYMENTS: 50_00 })
  expect(await failedChecks()).toEqual([])
})

test('columns frozen while paid can change again after the void; columns frozen when final cannot', async () => {
  const at = await scene()
  const id = await create(at, billKind, { table: 'test_bills' })
  const change = (set: string) =>
    within(at.organizationId, (_, connection) => connection.query(`update documents set ${set} where id = $1`, [id]))
  await change('notes = null, total_minor = 11000, tax_minor = 1000')
  const payment = await pay(at, billKind, 10_00, [{ documentId: id, amountMinor: 10_00 }])
  await expect(change('total_minor = 12000, tax_minor = 2000')).rejects.toThrow('An issued document does not change.')
  await expect(
    within(at.organizationId, (_, connection) =>
      connection.query('update document_lines set amount_minor = 1 where document_id = $1', [id]),
    ),
  ).rejects.toThrow('An issued document does not change.')
  await voidPayment(at, payment, [id])
  await change('total_minor = 12000, tax_minor = 2000')
  await move(at, id, 'APPROVED')
  expect(await balances(at)).toEqual({ EXPENSES: 100_00, TAX: 20_00, PAYABLES: -120_00 })
  const customer = await at.amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await expect(change(`counterparty_id = '${customer.id}'`)).rejects.toThrow('An issued document does not change.')
  await move(at, id, 'PENDING') // a kind without numbers can become a draft again
  await change(`counterparty_id = '${customer.id}'`)
  expect(await failedChecks()).toEqual([])
})

test('the database refuses transitions and payments that the kind does not allow', async () => {
  const at = await scene()
  const id = await create(at, billKind, { table: 'test_bills' })
  expect(canTransition(billKind, 'REJECTED', 'APPROVED')).toBe(false)
  await move(at, id, 'REJECTED')
  await expect(move(at, id, 'APPROVED')).rejects.toThrow('from REJECTED to APPROVED')
  await expect(pay(at, billKind, 1_00, [{ documentId: id, amountMinor: 1_00 }])).rejects.toThrow('cannot be paid')
  await move(at, id, 'DRAFT')
  await pay(at, billKind, 1_00, [{ documentId: id, amountMinor: 1_00 }])
  await expect(move(at, id, 'REJECTED')).rejects.toThrow('has no payments')
  await expect(move(at, id, 'UNSENT')).rejects.toThrow('status of that kind')
  const outgoing = { ...billKind, paymentDirection: 'OUTGOING' as const }
  await expect(pay(at, outgoing, 1_00, [{ documentId: id, amountMinor: 1_00 }])).rejects.toThrow('cannot be paid')
  await expect(pay(at, billKind, 100_00, [{ documentId: id, amountMinor: 100_00 }])).rejects.toThrow(
    'paid_within_total',
  )
})

test('a document whose lines are paid separately is PAID with its last line and reopened by a void', async () => {
  const at = await scene()
  const { id: counterpartyId } = await at.amy.call('customers_create', {
    name: 'Dana',
    kind: 'INDIVIDUAL',
    country: 'SG',
  })
  await expect(create(at, slipKind, { table: 'test_slips' })).rejects.toThrow('names its counterparty')
  const [id, other] = [
    await create(at, slipKind, { table: 'test_slips', counterpartyId }),
    await create(at, slipKind, { table: 'test_slips', counterpartyId }),
  ]
  await move(at, id, 'APPROVED')
  await move(at, other, 'APPROVED')
  expect([(await read(at, id))?.number, (await read(at, other))?.number]).toEqual(['1', '2'])

  const whole = paymentOfDocument(id, {
    kind: slipKind, customerId: null, currency: 'SGD', amountMinor: 1_00, paidAt: '2026-03-09', method: null, source: 'PAYMENT',
  }) // biome-ignore format: a list of words
  await expect(pay(at, slipKind, 1_00, whole.shares)).rejects.toThrow('cannot be paid')
  await expect(pay(at, slipKind, 80_00, [{ documentId: id, lineId: 'net', amountMinor: 80_00 }])).rejects.toThrow(
    'line_paid_within_amount',
  )
  await pay(at, slipKind, 70_00, [{ documentId: id, lineId: 'net', amountMinor: 70_00 }])
  const tax = await pay(at, slipKind, 60_00, [
    { documentId: id, lineId: 'tax', amountMinor: 30_00 },
    { documentId: other, lineId: 'tax', amountMinor: 30_00 },
  ])
  expect(await read(at, id)).toMatchObject({ status: 'PAID', paid: 100_00 })
  expect(await read(at, other)).toMatchObject({ status: 'APPROVED', paid: 30_00 })
  await voidPayment(at, tax, [id, other])
  expect(await read(at, id)).toMatchObject({ status: 'APPROVED', paid: 70_00 })
  await expect(asProduct('delete from documents where id = $1', [id])).rejects.toThrow('for good')
  expect(await failedChecks()).toEqual([])
})

test('the code and the database match amounts by the same rule', async () => {
  const cases = [
    [[70, 30], 100, 0, 100], [[70, 30], 101, 0, 101], [[70, 30], 102, 0, 102], [[70, 30], 103, 0, 103], [[70, 30], 100, 9, 111],
    [[70, 30], 100, 9, 112], [[1, 1, 1], 5, 0, 5], [[1, 1, 1], 6, 0, 6], [[1, 1, 1], 3, 0, 6], [[1, 1, 1], 3, 0, 7], [[], 0, 0, 0], [[], 1, 0, 1], [[1], 0, 0, 0], [[2], 0, 0, 0],
  ] as const // biome-ignore format: a list of cases
  for (const [amounts, subtotal, tax, total] of cases) {
    const exact = {
      lines: amounts.map((amount) => ({
        amount: BigInt(amount),
        quantity: '1',
        unitPrice: '1',
        taxRate: null,
        discountPercent: null,
        discountMinor: null,
      })),
    }
    const problems = totalsProblems({
      ...exact,
      subtotal: BigInt(subtotal),
      taxAmount: BigInt(tax),
      total: BigInt(total),
      taxRate: null,
    })
    const sum = amounts.reduce((all: number, amount) => all + amount, 0)
    const [row] = await asProduct('select amounts_match($1, $2, $3, $4, $5) as match', [
      amounts.length,
      sum,
      subtotal,
      tax,
      total,
    ])
    expect([amounts, subtotal, tax, total, row?.match]).toEqual([amounts, subtotal, tax, total, problems.length === 0])
  }
})
