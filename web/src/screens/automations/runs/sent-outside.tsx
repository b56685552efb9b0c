import { useQuery } from '@tanstack/react-query'
import { type Output, read } from '../../../api.ts'
import { useWords } from '../../../words.ts'
import type { RunData } from '../editor/editing.ts'
import { deliveryWords } from './delivery-words.ts'
import { Outcome, type OutcomeKind } from './outcome.tsx'
import { runWords } from './run-words.ts'

export type Delivery = Output<'automations_deliveries'>['deliveries'][number]

export const rings: Record<Delivery['outcome'], OutcomeKind> = {
  SENDING: 'RUNNING',
  DELIVERED: 'SUCCEEDED',
  FAILED: 'FAILED',
  REFUSED: 'FAILED',
  UNKNOWN: 'PENDING',
}

/** The webhooks and e-mails of a run, each attempt. */
export function SentOutside({ run }: { run: RunData }) {
  const say = useWords(runWords)
  const words = useWords(deliveryWords)
  const { data } = useQuery({
    ...read('automations_deliveries', { organizationId: run.organizationId, runId: run.id, limit: 100 }),
    staleTime: run.status === 'RUNNING' ? 0 : 15_000,
    refetchInterval: run.status === 'RUNNING' ? 15_000 : false, // in case a change was missed
  })
  if (!data || data.deliveries.length === 0) return null
  return (
    <section className="grid gap-2">
      <h2 className="title-text">{say.sent}</h2>
      <ul className="border border-rule rounded-lg bg-card divide-y divide-rule">
        {data.deliveries.map((each) => (
          <li key={each.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="text-soft">{words.kinds[each.kind]}</span>
            <bdi className="flex-1 min-w-40 truncate" dir="ltr">
              {each.target}
            </bdi>
            {each.attempt > 1 && <span className="text-soft">{say.attempt(each.attempt)}</span>}
            <Outcome is={rings[each.outcome]} word={words.outcomes[each.outcome]} />
            {each.reason && <bdi className="w-full text-sm text-soft">{each.reason}</bdi>}
          </li>
        ))}
      </ul>
    </section>
  )
}
