import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { job } from '../../../../core/define/job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { partSizes, storePart } from './sums.ts'

/** How many organizations are summed up in an hour at most. */
const organizationsMax = 500

/** Once an hour, and when the companies of the demo are filled. */
export const startSummingUp = job(
  'start-summing-up',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx }) => {
    await tx(({ db }) => sql`select start_summing_up(${organizationsMax})`.execute(db))
  },
)

/** Stores the sums of the journal of an organization ahead, in a transaction for each part, so that its next report is quick. */
export const sumUpJournal = job('sum-up-journal', Type.Object({ organizationId: Id }), async ({ tx, signal }) => {
  const sizes = partSizes()
  while (!signal.aborted) {
    const state = await tx(({ db }) => storePart(db, sizes))
    if (state === 'DONE') return
    if (state === 'BUSY') await wait(500, undefined, { signal }).catch(() => {})
  }
})
