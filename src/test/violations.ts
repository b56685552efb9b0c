import './own-world.ts'
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { expect } from 'vitest'
import type { Pool } from '../db/pool.ts'
import { type Violation, verify } from '../verify/verify.ts'
import { proves } from './prove.ts'
import { theApp } from './world.ts'

/**
 * The rules of `kontor verify` that the database of this test file breaks, apart from INV-22: the server of the tests is not
 * durable. `files` compares the file store with its rows too.
 */
export async function violations({ files = false } = {}): Promise<Violation[]> {
  const { system, providers } = theApp()
  const found = await verify({ system: keepingPlans(system), ...(files && { storage: providers.storage }) })
  return found.filter(({ id }) => id !== 'INV-22')
}

let isDue = false

/**
 * The books of all tests so far break no rule. `npm test` checks them once, when the last test of the file is done
 * (runner/file-setup.ts): planning the rules takes longer than most tests. `npm run prove` checks them here.
 */
export async function expectSoundBooks() {
  isDue = true
  if (proves) await checkBooksIfDue()
}

export async function checkBooksIfDue() {
  const wasDue = isDue
  isDue = false
  if (wasDue) expect(await violations()).toEqual([])
}

/** A pool whose connections keep the plan of each rule: for the few rows of a test, planning takes longest by far. */
const keepingPlans = (pool: Pool): Pool => ({
  ...pool,
  raw: { connect: async () => withNamedRules(await pool.raw.connect()) } as unknown as pg.Pool,
})

const withNamedRules = (client: pg.PoolClient) => ({
  query: (text: string) => client.query(/^select/.test(text) ? { name: nameOf(text), text } : text),
  release: (broken?: boolean) => client.release(broken),
})

const nameOf = (text: string): string => createHash('md5').update(text).digest('hex')
