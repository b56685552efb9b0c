import { sql } from 'kysely'
import { job } from '../core/define/job.ts'
import type { Pool } from '../core/define/operation.ts'
import { Id, Type } from '../core/define/schema.ts'
import { withConnection } from '../core/run/connection.ts'
import { enqueueJob, fromEnvelope } from '../core/run/record.ts'
import { queuedJobs } from '../db/queue.ts'
import type { Connection } from '../db/wire/connection.ts'
import { companies } from './companies.ts'
import { type Filling, fillCompany } from './fill-company.ts'

const name = 'fill-demo-companies'

/** The names of the companies that are left. */
type Left = { userId: string; companies: string[] }

/** Enqueues the filling of companies in the transaction of the connection. */
export const enqueueFilling = async (connection: Connection, userId: string, names: readonly string[]) =>
  names.length > 0 && (await enqueueJob(connection, name, { userId, companies: names }))

/**
 * Fills the companies that were not filled before Kontor answered, a job for each, in turn. The end of a job commits with the
 * next one. A job that was interrupted leaves what it has made, and the next attempt creates what is missing.
 */
export const fillDemoCompanies = job(
  name,
  Type.Object({ userId: Id, companies: Type.Array(Type.String()) }),
  async ({ run, taxAuthorities, signal, once }, { userId, companies: names }) => {
    const [first, ...others] = names
    const isFilled = await oneAtATime(() => fillOne({ run, taxAuthorities, userId, signal }, first))
    const left: Left = { userId, companies: isFilled ? others : names }
    await once(async ({ enqueue }) => {
      if (left.companies.length > 0) enqueue(name, left)
      else enqueue('start-summing-up', {}) // the first reports of a newcomer are quick
    })
  },
)

/** Answers whether the company is complete: a worker that stops does not wait for it. A person may have renamed it meanwhile. */
async function fillOne(filling: Filling & { signal: AbortSignal }, called: string | undefined): Promise<boolean> {
  const company = companies.find(({ organization }) => organization.name === called)
  if (!company) return true
  try {
    await fillCompany(filling, company)
    return true
  } catch (error) {
    if (!filling.signal.aborted) throw error
    return false
  }
}

let running: Promise<unknown> = Promise.resolve()

/**
 * After a machine was asleep its worker is taken for dead and gets the job anew, while operations of the first attempt may still
 * be under way: they end before the second one looks for what is missing.
 */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const next = running.then(work)
  running = next.catch(() => {})
  return next
}

/** A filling that failed too often begins anew with the next start. */
export const resumeGivenUp = (system: Pool): Promise<void> =>
  withConnection(system, true, async ({ db, connection }) => {
    const { rows } = await sql<{
      payload: Left
    }>`delete from failed_jobs where job = ${name} returning payload`.execute(db)
    const [last] = rows
    if (last) await enqueueFilling(connection, last.payload.userId, last.payload.companies)
  })

/** The names of the companies that are not complete yet. */
export async function companiesBeingFilled(system: Pool): Promise<string[]> {
  const { rows } = await system.use((db) =>
    sql<{ payload: unknown }>`select payload from ${sql.raw(queuedJobs)} where job = ${name}`.execute(db),
  )
  return rows.flatMap(({ payload }) => (fromEnvelope(payload).payload as Left).companies)
}
