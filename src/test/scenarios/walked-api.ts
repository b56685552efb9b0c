import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Pool } from '../../db/pool.ts'
import { verify } from '../../verify/verify.ts'
import { startApiHere } from '../processes/api-here.ts'
import { startApi } from '../processes/api-process.ts'
import { ownPostgres } from '../processes/own-postgres.ts'
import { proves } from '../prove.ts'
import { violations } from '../violations.ts'
import { theApp } from '../world.ts'
import type { Random } from './bank/random.ts'
import type { Server } from './expenses/walk.ts'

/** The API that the clients of a walk call. Its address changes when it was killed. */
export type WalkedApi = {
  server: Server
  system: Pool
  killSomething(random: Random, round: number): Promise<void>
  /** Whether `kontor verify` finds nothing. */
  expectSound(): Promise<void>
}

const unlimited = { RATE_LIMIT_SCALE: '1000' }

/**
 * An API of this process in `npm test`, in which the walk alone is compared with its model; bank.test.ts kills what it works
 * with. In `npm run prove` an API and a PostgreSQL of its own, of which every round kills one.
 */
export async function walkedApi(): Promise<WalkedApi> {
  if (!proves) {
    const { url, close } = await startApiHere(unlimited)
    onTestFinished(close)
    const expectSound = async () => expect(await violations()).toEqual([])
    return { server: { url }, system: theApp().system, killSomething: async () => {}, expectSound }
  }
  const postgres = await ownPostgres()
  onTestFinished(() => postgres.close())
  const begin = () => startApi(postgres.config, unlimited)
  let api = await begin()
  onTestFinished(() => api.kill('SIGKILL').then(() => {}))
  const server: Server = { url: api.url }
  return {
    server,
    system: postgres.system,
    expectSound: async () => expect(await verify({ system: postgres.system })).toEqual([]),
    async killSomething(random, round) {
      await sleep(random.below(200))
      if (round % 2 === 0) return postgres.kill('SIGKILL')
      await api.kill('SIGKILL')
      api = await begin()
      // The process with these claims is gone (IDEM-5).
      await postgres.system.raw.query('update idempotency_keys set locked_until = now() where status is null')
      server.url = api.url
    },
  }
}
