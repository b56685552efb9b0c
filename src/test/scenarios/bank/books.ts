import { expect } from 'vitest'
import type { Pool } from '../../../db/pool.ts'
import { ask } from '../../processes/api-process.ts'
import { type Branch, minorOf, type ShownDocument, type ShownPayment, stateOf } from './branch.ts'
import type { Entry } from './clients.ts'

/** The checks at the end of the bank test: the journal of the clients against the API and the tables. */

type Row = Record<string, unknown>
const rows = async (system: Pool, text: string, values: unknown[] = []) =>
  (await system.raw.query(text, values)).rows as Row[]

/**
 * Every request was carried out completely or not at all: its audit row, its remembered answer, its events and its rows
 * are committed together, whether or not the client got an answer.
 */
export async function expectWhole(system: Pool, journal: readonly Entry[]) {
  const left = await traces(system)
  const torn = journal.filter(({ move: { mark, kind } }) => {
    const { audited = 0, remembered = 0, events = 0, made = 0 } = left.get(mark) ?? {}
    const carriedOut = audited === 1 && remembered === 1
    const untouched = audited === 0 && remembered === 0 && events === 0 && made === 0
    return !untouched && !(carriedOut && (!makes.includes(kind) || events > 0))
  })
  expect(torn.map(({ move }) => ({ ...move, ...left.get(move.mark) }))).toEqual([])
}

/** An acknowledged request was carried out once; a refused one was not. */
export async function expectJournal(system: Pool, journal: readonly Entry[]) {
  const left = await traces(system)
  const wrong = journal.filter(({ status = 500, move: { mark, kind } }) => {
    const { audited = 0, events = 0, made = 0, documents = 0 } = left.get(mark) ?? {}
    if (status >= 300) return audited > 0 || events > 0 || made > 0
    return audited !== 1 || (makes.includes(kind) && events === 0) || documents > 1
  })
  expect(wrong.map(({ move, status }) => ({ status, ...move, ...left.get(move.mark) }))).toEqual([])
}

/** Requests that always create a row and an event; the others may find everything done already. */
const makes: Entry['move']['kind'][] = ['draft', 'create', 'pay', 'paySeveral', 'credit', 'debit', 'refund']

type Traces = { audited: number; remembered: number; events: number; made: number; documents: number }

async function traces(system: Pool): Promise<Map<string, Traces>> {
  const found = await rows(
    system,
    `select mark, sum(audited)::int as audited, sum(remembered)::int as remembered, sum(events)::int as events,
       sum(documents + money)::int as made, sum(documents)::int as documents
     from (select request_id as mark, 1 as audited, 0 as remembered, 0 as events, 0 as documents, 0 as money from audit_log
       union all select key, 0, 1, 0, 0, 0 from idempotency_keys where status < 300
       union all select cause ->> 'requestId', 0, 0, 1, 0, 0 from events
       union all select notes, 0, 0, 0, 1, 0 from documents where notes is not null
       union all select method, 0, 0, 0, 0, 1 from payments where method is not null
       union all select void_reason, 0, 0, 0, 0, 1 from payments where void_reason is not null) t
     group by mark`,
  )
  return new Map(found.map((row) => [String(row.mark), row as Traces]))
}

/** Document numbers run from one to the counter, for each organization and type (INV-06). */
export async function expectNumbers(system: Pool) {
  const numbers = await rows(
    system,
    `select organization_id, document_type, count(*)::int as count, count(distinct number)::int as different, max(sequence)::int as max,
       (select next_number::int - 1 from document_numbering n
        where n.organization_id = d.organization_id and n.document_type = d.document_type) as counter
     from documents d where sequence is not null group by 1, 2`,
  )
  expect(numbers.length).toBeGreaterThan(3)
  for (const { count, different, max, counter } of numbers)
    expect([different, max, counter]).toEqual([count, count, count])
}

/** The API shows exactly the documents and payments that the clients of an organization were told of. */
export async function expectBooks(system: Pool, url: string, branch: Branch) {
  const { model, organizationId } = branch
  const [documents, payments] = [await allDocuments(url, branch), await allPayments(url, branch)]
  const expected = [...model.documents.keys()].filter((id) => !model.removed.has(id))
  expect(expected.length).toBeGreaterThan(0)
  expect(documents.map(({ id }) => id).sort()).toEqual(expected.sort())
  for (const document of documents) expect([document.id, stateOf(document)]).toEqual([document.id, model.documents.get(document.id)])
  expect([...documents, ...payments].filter((each) => each.organizationId !== organizationId)).toEqual([])

  const money = payments.filter(({ source }) => source !== 'CREDIT_MEMO')
  const shown = money.map(({ id, amount, currency, voidedAt }) => [id, minorOf(amount, currency), voidedAt !== null])
  const modelled = [...model.payments].map(([id, { amountMinor, voided }]) => [id, amountMinor, voided])
  expect(byId(shown)).toEqual(byId(modelled))

  const credited = await credits(system, organizationId)
  for (const document of documents.filter(isOwed)) {
    const live = [...model.payments.values()].filter(({ voided }) => !voided)
    const paid = sum(live.map(({ shares }) => shares.get(document.id) ?? 0n))
    const minor = (amount: number) => minorOf(amount, document.currency)
    expect([document.id, minor(document.paidAmount), minor(document.creditedAmount)]).toEqual([document.id, paid, credited.get(document.id) ?? 0n])
    const settled = document.status === 'PAID'
    const isOpen = minor(document.total) > paid + (credited.get(document.id) ?? 0n)
    expect([document.id, settled]).toEqual([document.id, !isOpen && document.status !== 'DRAFT' && paid > 0n])
  }
  expectMoney(branch, { documents, payments })
} // biome-ignore format: a rule a line

/** In each currency, payments less refunds plus credits equal what they settled of documents plus the open remainders of payments. */
function expectMoney({ model }: Branch, { documents, payments }: { documents: ShownDocument[]; payments: ShownPayment[] }) {
  const live = [...model.payments.values()].filter(({ voided }) => !voided)
  for (const currency of new Set(documents.map((document) => document.currency))) {
    const here = <T extends { currency: string | null }>(all: Iterable<T>) => [...all].filter((each) => each.currency === currency)
    const moneyIn = sum(here(live).map(({ amountMinor, isRefund }) => (isRefund ? -amountMinor : amountMinor)))
    const granted = sum(here(model.documents.values()).filter(({ documentType }) => documentType === 'CREDIT_MEMO').map(({ totalMinor }) => totalMinor))
    const paid = sum(here(documents.filter(isOwed)).map(({ paidAmount, creditedAmount }) => minorOf(paidAmount, currency) + minorOf(creditedAmount, currency)))
    const open = sum(here(payments).filter(({ voidedAt }) => voidedAt === null).map(({ openRemainder }) => minorOf(openRemainder, currency)))
    expect([currency, moneyIn + granted]).toEqual([currency, paid + open])
  }
} // biome-ignore format: a sum a line

/** Receipts and credit memos have no open balance. */
const isOwed = ({ documentType }: ShownDocument) => documentType !== 'RECEIPT' && documentType !== 'CREDIT_MEMO'

async function credits(system: Pool, organizationId: string): Promise<Map<string, bigint>> {
  const found = await rows(
    system,
    `select a.document_id as id, sum(a.amount_minor)::text as minor from allocations a
     join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
     where a.organization_id = $1 and p.source = 'CREDIT_MEMO' and a.voided_at is null group by 1`,
    [organizationId],
  )
  return new Map(found.map(({ id, minor }) => [String(id), BigInt(String(minor))]))
}

const allDocuments = (url: string, branch: Branch) => pages<ShownDocument>(url, branch, 'documents', 'invoices')
const allPayments = (url: string, branch: Branch) => pages<ShownPayment>(url, branch, 'payments', 'payments')

async function pages<T>(
  url: string,
  { authorization, organizationId }: Branch,
  path: string,
  field: string,
): Promise<T[]> {
  const found: T[] = []
  for (let page = 1, more = true; more; page++) {
    const query = new URLSearchParams({ organizationId, limit: '100', page: String(page) })
    const { body } = await ask(`${url}/api/${path}?${query}`, { headers: { authorization } })
    const part = (body as Record<string, unknown>)[field] as T[]
    found.push(...part)
    more = part.length === 100
  }
  return found
}

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const byId = <T extends unknown[]>(entries: T[]) => entries.toSorted(([a], [b]) => String(a).localeCompare(String(b)))
