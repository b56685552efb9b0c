import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { tooMany } from '../../../core/define/failure.ts'

// OWASP's second recommendation for argon2id. The library works in its own threads, so the event loop is not blocked.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const atOnceMax = availableParallelism()
const waitingMax = 20

export const hashPassword = (password: string) => queued(() => hash(password, cost))

/** Whether the password is right. Takes as long when there is no such account. */
export const isPassword = (password: string, stored: string | null | undefined) =>
  queued(async () => {
    const matches = await verify(stored ?? (await decoy()), password)
    return matches && stored !== null && stored !== undefined
  })

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= hash('nobody has this password', cost))

/** At most one hash per core at a time and a short queue; beyond that, requests are refused with 429. */
let working = 0
const waiting: (() => void)[] = []

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (working < atOnceMax) working += 1
  else if (waiting.length >= waitingMax) throw tooMany('sign-ins at the same time', 1)
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next)
      next() // takes over this place directly, so no new request can take it in between
    else working -= 1
  }
}
