import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../../core/values/id.ts'
import { ask } from '../../processes/api-process.ts'
import { createBranch } from '../bank/branch.ts'
import { type Random, randomOf } from '../bank/random.ts'
import { applyFreeCredits, type Books, emptyBooks } from './model.ts'
import { type Move, nextMove, unallocate } from './moves.ts'

/** The API that answers now; another process after a kill. */
export type Server = { url: string }

export type Walk = {
  organizationId: string
  authorization: string
  books: Books
  /** How often each request was carried out, and how many answers there were. */
  done: Map<string, number>
  answers: number
  /** Answers that the model did not expect. */
  wrong: unknown[]
}

export async function createWalk(server: Server, name: string): Promise<Walk> {
  const { organizationId, authorization } = await createBranch(server.url, name)
  return { organizationId, authorization, books: emptyBooks(), done: new Map(), answers: 0, wrong: [] }
}

/** How often each request was carried out in all walks together. */
export function doneBy(all: readonly { done: ReadonlyMap<string, number> }[]): Record<string, number> {
  const done = new Map<string, number>()
  for (const walk of all) for (const [name, times] of walk.done) done.set(name, (done.get(name) ?? 0) + times)
  return Object.fromEntries(done)
}

/** Sends one request after the other until `isOver`, and keeps the model in step with the answers. */
export async function takeSteps(server: Server, walk: Walk, { seed, isOver }: { seed: number; isOver: () => boolean }) {
  const random = randomOf(seed)
  while (!isOver()) {
    const mark = newId()
    const move =
      (random.chance(0.06) && (await anAllocation(server, walk, random))) || nextMove({ ...walk, random, mark })
    const { status, body } = await answerTo(server, walk, move, mark)
    walk.answers++
    const isDone = status < 300
    const isRefused = status === 400 || status === 409
    if (isDone !== move.isAllowed || !(isDone || isRefused)) {
      walk.wrong.push({ move: { ...move, apply: undefined }, status, body })
      return
    }
    if (!isDone) continue
    await move.apply(body as never, () => paymentOf(server, walk, mark))
    applyFreeCredits(walk.books)
    walk.done.set(move.name, (walk.done.get(move.name) ?? 0) + 1)
  }
}

/** Repeats a request with the same key until it has an answer: a process may be killed meanwhile. */
export async function answerTo(
  server: Server,
  { authorization }: Pick<Walk, 'authorization'>,
  { method, path, body }: Pick<Move, 'method' | 'path' | 'body'>,
  mark: string,
) {
  for (let tries = 0; tries < 600; tries++) {
    const headers = { authorization, 'idempotency-key': mark, 'x-request-id': mark }
    const reply = await ask(`${server.url}${path}`, { method, headers, ...(body && { body }) }).catch(() => undefined)
    if (reply && !isOpen(reply.body)) return reply
    await sleep(100)
  }
  throw new Error(`No answer to ${method} ${path}`)
}

/** The database was unavailable, or the same request is still running: the outcome is open. */
function isOpen(body: unknown): boolean {
  const { error } = body as { error?: { code: string; details?: { code?: string }[] } }
  return ['UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'].includes(error?.details?.[0]?.code ?? error?.code ?? '')
}

type Shown = {
  id: string
  method: string | null
  allocations: { id: string; documentId: string; amount: number }[]
}

/** Reads until there is an answer. */
export async function read<T>(
  server: Server,
  { authorization }: Pick<Walk, 'authorization'>,
  path: string,
): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const reply = await ask(`${server.url}${path}`, { headers: { authorization } }).catch(() => undefined)
    if (reply?.status === 200) return reply.body as T
    await sleep(100)
  }
  throw new Error(`No answer to GET ${path}`)
}

/** The payment that a request recorded, which has its mark as the method. */
async function paymentOf(server: Server, walk: Walk, mark: string): Promise<string> {
  const path = `/api/expenses/payments?organizationId=${walk.organizationId}&limit=100`
  const { payments } = await read<{ payments: Shown[] }>(server, walk, path)
  const found = payments.find(({ method }) => method === mark)
  if (!found) throw new Error('The payment is not in the list.')
  return found.id
}

/** Takes a random allocation of a recent payment back. */
async function anAllocation(server: Server, walk: Walk, random: Random): Promise<Move | undefined> {
  const path = `/api/expenses/payments?organizationId=${walk.organizationId}&limit=30`
  const { payments } = await read<{ payments: Shown[] }>(server, walk, path)
  const known = payments.filter(({ id }) => walk.books.payments.get(id)?.isVoided === false)
  const payment = random.pick(known.filter(({ allocations }) => allocations.length > 0))
  const allocation = random.pick(payment?.allocations ?? [])
  if (!payment || !allocation) return undefined
  return unallocate(walk.books, payment.id, { ...allocation, expenseId: allocation.documentId })
}
