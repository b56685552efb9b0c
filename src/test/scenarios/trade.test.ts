import '../own-world.ts'
import { expect, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import { inProof, proves } from '../prove.ts'
import { createBranch } from './bank/branch.ts'
import { randomOf, seedOf } from './bank/random.ts'
import { answerTo, doneBy, read, type Server } from './expenses/walk.ts'
import { emptyTrade, invoicedOf } from './trade/model.ts'
import { nextMove } from './trade/moves.ts'
import { walkedApi } from './walked-api.ts'

/** How many clients, how many kills, and how many steps between them: 50 steps, or 2,000. A refused request is no step. */
const [walks, rounds, stepsBetween] = inProof([2, 1, 25], [4, 9, 200])

type Walk = Awaited<ReturnType<typeof createWalk>>

test(
  'INV-09: whatever clients order, receive, deliver, invoice, credit and adjust, stock and journal are those of a model',
  async () => {
    const seed = seedOf('The walk over orders')
    const { server, system, killSomething, expectSound } = await walkedApi()
    const all = await Promise.all(Array.from({ length: walks }, (_, n) => createWalk(server, `trade-${n}`)))

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
    for (const walk of all) await expectTrade(server, walk, system)
    await expectSound()
    if (!proves) return
    const done = doneBy(all)
    process.stderr.write(
      `${rounds} kills, ${all.reduce((sum, { steps }) => sum + steps, 0)} steps: ${JSON.stringify(done)}\n`,
    )
    expect(Object.keys(done)).toEqual(
      expect.arrayContaining([
        'order SALES',
        'order PURCHASE',
        'receive',
        'deliver',
        'invoice',
        'issue',
        'drop',
        'credit',
        'adjust',
        'close',
        'cancel',
      ]),
    )
  },
  proves ? 3_600_000 : 300_000,
)

async function createWalk(server: Server, name: string) {
  const { organizationId, authorization } = await createBranch(server.url, name)
  const create = async (path: string, body: Record<string, unknown>): Promise<string> => {
    const reply = await answerTo(
      server,
      { authorization },
      { method: 'POST', path, body: { organizationId, ...body } },
      newId(),
    )
    return (reply.body as { id: string }).id
  }
  const trade = emptyTrade()
  for (const item of ['Lamp', 'Vase', 'Chair'])
    trade.levels.set(await create('/api/items', { name: item }), { quantity: 0, value: 0, cost: null })
  const customerId = await create('/api/customers', { name: 'Globex', country: 'SG' })
  const supplierId = await create('/api/suppliers', { name: 'Acme', country: 'SG' })
  const wrong: unknown[] = []
  return {
    organizationId,
    authorization,
    trade,
    customerId,
    supplierId,
    wrong,
    done: new Map<string, number>(),
    steps: 0,
  }
}

/** Sends one request after the other until `isOver`, and keeps the model in step with the answers. */
async function takeSteps(server: Server, walk: Walk, { seed, isOver }: { seed: number; isOver: () => boolean }) {
  const random = randomOf(seed)
  while (!isOver()) {
    const move = nextMove({ ...walk, random })
    const { status, body } = await answerTo(server, walk, move, newId())
    const isDone = status < 300
    if (isDone !== move.isAllowed || !(isDone || status === 400 || status === 409)) {
      walk.wrong.push({ move: { ...move, apply: undefined }, status, body })
      return
    }
    if (!isDone) continue
    move.apply(body as never)
    walk.done.set(move.name, (walk.done.get(move.name) ?? 0) + 1)
    walk.steps++
  }
}

/** Fails at once if an answer was wrong, since that client has stopped. */
async function untilTaken(all: readonly Walk[], more: number) {
  const taken = () => all.reduce((sum, { steps }) => sum + steps, 0)
  const enough = taken() + more
  const settled = () => taken() >= enough || all.some(({ wrong }) => wrong.length > 0)
  await vi.waitFor(() => expect(settled()).toBe(true), { timeout: 120_000, interval: 20 })
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([])
}

type ShownLevel = { itemId: string; quantity: number; value: number; averageCost: number | null }
type ShownOrder = {
  status: string
  lines: { id: string; receivedQuantity: number; deliveredQuantity: number; invoicedQuantity: number }[]
}

/** The API shows the levels, costs, orders and balances of the model. */
async function expectTrade(server: Server, walk: Walk, system: Pool) {
  const { trade, organizationId } = walk
  const { levels } = await read<{ levels: ShownLevel[] }>(server, walk, `/api/stock/levels?organizationId=${organizationId}`)
  for (const { itemId, quantity, value, averageCost } of levels) {
    const level = trade.levels.get(itemId)
    expect([quantity, Math.round(value * 100)]).toEqual([level?.quantity, Number(level?.value) + 0]) // -0 is 0
    if (level?.cost != null) expect(averageCost).toBeCloseTo(Number(level.cost) / 100, 5)
  }
  expect(levels).toHaveLength(trade.levels.size)
  for (const [id, order] of trade.orders) {
    const shown = await read<ShownOrder>(server, walk, `/api/orders/${id}`)
    const lines = shown.lines.map((line) => [line.id, line.receivedQuantity + line.deliveredQuantity, line.invoicedQuantity])
    const expected = order.lines.map((line) => [line.id, line.fulfilled, invoicedOf(trade, id, line.id, { drafts: true })])
    expect([shown.status, lines]).toEqual([order.status, expected])
  }
  const { rows } = await system.raw.query(
    `select account, sum(minor)::int as balance from journal_lines('2000-01-01', '00000000-0000-0000-0000-000000000000',
       '2999-12-31', 'ffffffff-ffff-ffff-ffff-ffffffffffff') where organization_id = $1 and account = any ($2) group by 1`,
    [organizationId, Object.keys(trade.accounts)],
  )
  const booked = Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))
  expect({ ...emptyTrade().accounts, ...booked }).toEqual(trade.accounts)
} // biome-ignore format: a rule a line
