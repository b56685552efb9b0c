import '../own-world.ts'
import { expect, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { inProof, proves } from '../prove.ts'
import { createBranch } from './bank/branch.ts'
import { randomOf, seedOf } from './bank/random.ts'
import { answerTo, doneBy, read, type Server } from './expenses/walk.ts'
import { expectPayments, expectSummary, type ShownPaymentRow, type Summary } from './payroll/compare.ts'
import { type Country, emptyBooks } from './payroll/model.ts'
import { type Move, months, nextMove } from './payroll/moves.ts'
import { walkedApi } from './walked-api.ts'

/** How many kills, and how many steps between them: 60 steps, or 3,000. A refused request is no step. */
const [rounds, stepsBetween] = inProof([1, 30], [14, 200])
const countries: Country[] = ['IL', 'SG', 'US']

type Walk = Awaited<ReturnType<typeof createWalk>>

test(
  'INV-08: whatever three companies hire, pay, set off, void and settle, payslips and payments are those of a model',
  async () => {
    const seed = seedOf('The walk over payroll')
    const { server, killSomething, expectSound } = await walkedApi()
    const all = await Promise.all(countries.map((country) => createWalk(server, country)))

    let isOver = false
    const walking = all.map((walk, n) => takeSteps(server, walk, { seed: seed * 10 + n, isOver: () => isOver }))
    const random = randomOf(seed)
    for (let round = 0; round < rounds; round++) {
      await untilTaken(all, stepsBetween)
      await killSomething(random, round)
    }
    await untilTaken(all, stepsBetween)
    isOver = true
    await Promise.all(walking)

    expect(all.flatMap(({ wrong }) => wrong)).toEqual([])
    for (const walk of all) for (const month of months) await expectMonth(server, walk, month)
    await expectSound()
    if (!proves) return
    const done = doneBy(all)
    process.stderr.write(
      `${rounds} kills, ${all.reduce((sum, { steps }) => sum + steps, 0)} steps: ${JSON.stringify(done)}\n`,
    )
    expect(Object.keys(done)).toEqual(
      expect.arrayContaining([
        'hire',
        'raise',
        'leave',
        'generate one',
        'generate all',
        'regenerate',
        'approve some',
        'approve all',
        'advance',
        'apply',
        'unapply',
        'pay NET',
        'pay NET with claims',
        'pay STATUTORY',
        'void payslip',
        'remove',
        'settle',
        'void ADVANCE',
        'void NET',
        'void STATUTORY',
      ]),
    )
  },
  proves ? 3_600_000 : 300_000,
)

async function createWalk(server: Server, country: Country) {
  const { organizationId, authorization } = await createBranch(server.url, `payroll-${country}`, country)
  const wrong: unknown[] = []
  return { organizationId, authorization, books: emptyBooks(country), wrong, done: new Map<string, number>(), steps: 0 }
}

const summaryOf = (server: Server, walk: Walk, month: string) =>
  read<Summary>(server, walk, `/api/payroll/summary?organizationId=${walk.organizationId}&month=${month}`)

async function expectMonth(server: Server, walk: Walk, month: string) {
  expectSummary(walk.books, await summaryOf(server, walk, month))
  const path = `/api/payroll/payments?organizationId=${walk.organizationId}&month=${month}`
  expectPayments(walk.books, month, (await read<{ payments: ShownPaymentRow[] }>(server, walk, path)).payments)
}

/** Sends one request after the other until `isOver`, and keeps the model in step with the answers. */
async function takeSteps(server: Server, walk: Walk, { seed, isOver }: { seed: number; isOver: () => boolean }) {
  const random = randomOf(seed)
  while (!isOver()) {
    const move = nextMove({ ...walk, random, summary: (month) => summaryOf(server, walk, month) })
    const reply = await answerTo(server, walk, move, newId())
    const wrong = await takeStep(walk, move, reply).catch((error) => ({ error: String(error) }))
    const month = random.chance(0.1) ? random.pick(months) : undefined
    const other =
      !wrong && month && (await expectMonth(server, walk, month).catch((error) => ({ error: String(error), month })))
    if (!wrong && !other) continue
    walk.wrong.push({
      country: walk.books.country,
      move: { ...move, apply: undefined },
      reply: { status: reply.status, body: reply.body },
      wrong,
      other,
    })
    return
  }
}

/** Compares an answer with the model; returns what is wrong about it. */
async function takeStep(walk: Walk, move: Move, { status, body }: { status: number; body: unknown }) {
  if (status >= 300) {
    const { details = [] } = (body as { error?: { details?: { code?: string }[] } }).error ?? {}
    const code = details[0]?.code ?? ''
    const isForeseen = !move.isAllowed || (code !== '' && move.orCode?.split(' ').includes(code))
    return [400, 404, 409].includes(status) && isForeseen ? undefined : 'The request was refused.'
  }
  if (!move.isAllowed) return 'The request was carried out.'
  await move.apply(body as never)
  walk.done.set(move.name, (walk.done.get(move.name) ?? 0) + 1)
  walk.steps++
  return undefined
}

/** Fails at once if an answer was wrong, since that client has stopped. */
async function untilTaken(all: readonly Walk[], more: number) {
  const taken = () => all.reduce((sum, { steps }) => sum + steps, 0)
  const enough = taken() + more
  const settled = () => taken() >= enough || all.some(({ wrong }) => wrong.length > 0)
  await vi.waitFor(() => expect(settled()).toBe(true), { timeout: 240_000, interval: 20 })
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([])
}
