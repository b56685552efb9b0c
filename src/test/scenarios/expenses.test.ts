import '../own-world.ts'
import { expect, test, vi } from 'vitest'
import type { Pool } from '../../db/pool.ts'
import { inProof, proves } from '../prove.ts'
import { randomOf, seedOf } from './bank/random.ts'
import { balancesOf, creditedOf, openOf, paidOf, remainderOf } from './expenses/model.ts'
import { createWalk, doneBy, read, type Server, takeSteps, type Walk } from './expenses/walk.ts'
import { walkedApi } from './walked-api.ts'

const walks = 4
/** How many kills, and how many answers between them. */
const [rounds, answersBetween] = inProof([1, 100], [40, 400])

test(
  'INV-03 INV-04 INV-05: whatever four clients enter, approve, pay, credit and refund, the books are those of a model',
  async () => {
    const seed = seedOf('The walk over expenses')
    const { server, system, killSomething, expectSound } = await walkedApi()
    const all = await Promise.all(Array.from({ length: walks }, (_, n) => createWalk(server, `walk-${n}`)))

    let isOver = false
    const walking = all.map((walk, n) => takeSteps(server, walk, { seed: seed * 10 + n, isOver: () => isOver }))
    const random = randomOf(seed)
    for (let round = 0; round < rounds; round++) {
      await untilAnswered(all, answersBetween)
      await killSomething(random, round)
    }
    await untilAnswered(all, answersBetween)
    await untilEveryKindSucceeded(all)
    isOver = true
    await Promise.all(walking)

    expect(all.flatMap(({ wrong }) => wrong)).toEqual([])
    for (const walk of all) await expectBooks(server, walk, system)
    await expectSound()
    const done = doneBy(all)
    if (proves)
      process.stderr.write(
        `${rounds} kills, ${all.reduce((sum, { answers }) => sum + answers, 0)} answers; carried out: ${JSON.stringify(done)}\n`,
      )
  },
  proves ? 3_600_000 : 300_000,
)

const kinds = [
  'create',
  'to DRAFT',
  'to PENDING_REVIEW',
  'to APPROVED',
  'to REJECTED',
  'change',
  'remove',
  'pay',
  'advance',
  'allocate',
  'unallocate',
  'void',
  'refund',
  'credit',
  'void credit',
]

/** Some kinds of requests are possible only after others: clients go on until each kind has succeeded. */
async function untilEveryKindSucceeded(all: readonly Walk[]) {
  const settled = () => {
    const done = doneBy(all)
    return all.some(({ wrong }) => wrong.length > 0) || kinds.every((kind) => kind in done)
  }
  await vi.waitFor(() => expect(settled(), JSON.stringify(doneBy(all))).toBe(true), { timeout: 120_000, interval: 50 })
}

/** Fails at once if an answer was wrong, since that client has stopped. */
async function untilAnswered(all: readonly Walk[], more: number) {
  const answered = () => all.reduce((sum, { answers }) => sum + answers, 0)
  const enough = answered() + more
  const settled = () => answered() >= enough || all.some(({ wrong }) => wrong.length > 0)
  await vi.waitFor(() => expect(settled()).toBe(true), { timeout: inProof(120_000, 600_000), interval: 20 })
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([])
}

type ShownExpense = {
  id: string
  amount: number
  status: string
  paidAmount: number
  creditedAmount: number
  openBalance: number
}
type ShownPayment = { id: string; amount: number; openRemainder: number; voidedAt: string | null }

const cents = (amount: number) => Math.round(amount * 100)

/** The API shows the expenses, payments and balances of the model. */
async function expectBooks(server: Server, walk: Walk, system: Pool) {
  const { books, organizationId } = walk
  const expenses = await pages<ShownExpense>(server, walk, 'expenses', '/api/expenses')
  const shown = expenses.map((each) => [each.id, each.status, cents(each.amount), cents(each.paidAmount), cents(each.creditedAmount), cents(each.openBalance)])
  const expected = [...books.expenses].map(([id, each]) => [id, each.status, each.total, paidOf(each), creditedOf(each), openOf(each)])
  expect(byId(shown)).toEqual(byId(expected))
  expect(expected.length).toBeGreaterThan(0)
  const payments = await pages<ShownPayment>(server, walk, 'payments', '/api/expenses/payments')
  const listed = payments.map((each) => [each.id, cents(each.amount), cents(each.openRemainder), each.voidedAt !== null])
  const modelled = [...books.payments].map(([id, { amount, isVoided }]) => [id, amount, remainderOf(books, id), isVoided])
  expect(byId(listed)).toEqual(byId(modelled))
  const { rows } = await system.raw.query(
    `select account, sum(minor)::int as balance from journal_lines('2000-01-01', '00000000-0000-0000-0000-000000000000',
       '2999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff') where organization_id = $1 group by 1 having sum(minor) <> 0`,
    [organizationId],
  )
  expect(Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))).toEqual(balancesOf(books))
} // biome-ignore format: a rule a line

const byId = (rows: unknown[][]) => rows.sort(([a], [b]) => String(a).localeCompare(String(b)))

async function pages<T>(server: Server, walk: Walk, field: string, path: string): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; ; page++) {
    const query = `organizationId=${walk.organizationId}&limit=100&page=${page}`
    const part = (await read<Record<string, T[]>>(server, walk, `${path}?${query}`))[field] ?? []
    found.push(...part)
    if (part.length < 100) return found
  }
}
