import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiProcess } from '../../processes/api-process.ts'
import { addAnswer, type Branch } from './branch.ts'
import { type Move, nextMove } from './moves.ts'
import { type Random, randomOf } from './random.ts'

/** A request with the status of its answer; undefined while there is none. */
export type Entry = { branch: Branch; move: Move; status: number | undefined }

type Bank = { apis: ApiProcess[]; branches: Branch[]; seed: number; pauseMaxMs: number }

/** Starts clients that send one request after the other until they are stopped, and records the answers. */
export function startClients({ apis, branches, seed, pauseMaxMs }: Bank, count: number) {
  const journal: Entry[] = []
  const wrong: unknown[] = []
  let going = true
  const client = async (_: unknown, n: number) => {
    const random = randomOf(seed * 1_000 + n)
    const branch = branches[n % branches.length]
    while (going && branch) {
      if (random.chance(0.1)) wrong.push(...(await findForeignRows(random, branch, { apis, branches })))
      const move = nextMove(random, branch)
      const entry: Entry = { branch, move, status: undefined }
      journal.push(entry)
      const tries = random.chance(0.5) ? 1 : 4 // some requests are repeated only at the end
      for (let left = tries; left > 0 && going && entry.status === undefined; left--) {
        await sendAndRecord(entry, random.pick(apis)?.url ?? '', wrong)
        if (entry.status === undefined) await sleep(random.between(100, 400))
      }
      await sleep(random.below(pauseMaxMs)) // leaves the machine to the processes that start again
    }
  }
  const ended = Promise.all(Array.from({ length: count }, client))
  return {
    journal,
    wrong,
    acknowledged: () => journal.filter(({ status }) => status !== undefined).length,
    async stop() {
      going = false
      await ended
    },
  }
}

/** Sends a request and records its answer, if it has a final one. */
export async function sendAndRecord(entry: Entry, url: string, wrong: unknown[]): Promise<void> {
  const { branch, move } = entry
  const reply = await asked(branch, url, move)
  if (!reply || isOpen(reply)) return
  if (!finalStatuses.includes(reply.status)) wrong.push({ move, ...reply })
  entry.status = reply.status
  if (reply.status < 300) addAnswer(branch, move, reply.body)
}

/** Carried out, or refused for good: too much, deleted, in the wrong state. */
const finalStatuses = [200, 201, 400, 404, 409]

type Reply = { status: number; body: { error?: { code: string; details?: { code?: string }[] } } }

/** The database was unavailable, or the same request is still running: the outcome is open. */
const isOpen = ({ body }: Reply) =>
  ['UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS'].includes(body.error?.details?.[0]?.code ?? body.error?.code ?? '')

async function asked(
  { authorization }: Branch,
  url: string,
  { method, path, body, mark }: Move,
): Promise<Reply | undefined> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization,
        'idempotency-key': mark,
        'x-request-id': mark,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    return { status: answer.status, body: (await answer.json()) as Reply['body'] }
  } catch {
    return undefined
  }
}

/** Reads a document of another organization and a list of its own; answers the rows of others that it sees. */
async function findForeignRows(
  random: Random,
  branch: Branch,
  { apis, branches }: Pick<Bank, 'apis' | 'branches'>,
): Promise<unknown[]> {
  const other = random.pick(branches.filter((each) => each !== branch))
  const foreign = random.pick(other?.known.documents ?? [])
  const url = random.pick(apis)?.url ?? ''
  const headers = { authorization: branch.authorization }
  const get = async (path: string) => {
    try {
      const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(20_000) })
      return { status: answer.status, body: (await answer.json()) as { invoices?: { organizationId: string }[] } }
    } catch {
      return { status: 500, body: {} }
    }
  }
  const seen = await get(foreign ? `/api/documents/${foreign.id}` : '/api/documents/nothing')
  const { body } = await get(`/api/documents?organizationId=${branch.organizationId}&limit=20`)
  const strangers = (body.invoices ?? []).filter(({ organizationId }) => organizationId !== branch.organizationId)
  return [...([404, 500].includes(seen.status) ? [] : [seen]), ...strangers]
}
