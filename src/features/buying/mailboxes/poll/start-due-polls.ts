import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'

const batchSize = 250

/** Starts the automatic polls that are due by the clock of their organizations. */
export const startDuePolls = job(
  'start-due-polls',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx, signal }) => {
    let started = batchSize
    while (started === batchSize && !signal.aborted) {
      const { rows } = await tx(({ ask }) => ask('select start_due_polls($1) as started', [batchSize]))
      started = Number(rows[0]?.started)
    }
  },
)
