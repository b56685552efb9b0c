import { sql } from 'kysely'
import type { Inside } from '../../../../core/define/operation.ts'
import { today } from '../../../../core/values/day.ts'
import type { TurnInput } from './assistant.ts'

type Transactions = { tx<T>(work: (inside: Pick<Inside, 'db'>) => Promise<T>): Promise<T> }

/** What the organization has used of the language model on its day. Every answer of the model is added, also of a turn that fails. */
export function usageOf({ job }: { job: Transactions }, timezone: string): TurnInput['usage'] {
  const day = () => today(new Date(), timezone)
  return {
    today: () =>
      job.tx(async ({ db }) => {
        const used = db.selectFrom('companionUsage').where('day', '=', day())
        const row = await used.select(['inputTokens', 'outputTokens', 'costMicros']).executeTakeFirst()
        return {
          tokens: Number(row?.inputTokens ?? 0) + Number(row?.outputTokens ?? 0),
          costMicros: Number(row?.costMicros ?? 0),
        }
      }),
    add: ({ inputTokens, outputTokens, costMicros }) =>
      job.tx(async ({ db }) => {
        await db
          .insertInto('companionUsage')
          .values({ day: day(), inputTokens, outputTokens, costMicros })
          .onConflict((same) =>
            same.columns(['organizationId', 'day']).doUpdateSet({
              inputTokens: sql<number>`companion_usage.input_tokens + excluded.input_tokens`,
              outputTokens: sql<number>`companion_usage.output_tokens + excluded.output_tokens`,
              costMicros: sql<number>`companion_usage.cost_micros + excluded.cost_micros`,
            }),
          )
          .execute()
      }),
  }
}
