import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../core/values/id.ts'
import { inProof } from '../prove.ts'

/** The API, the key and the organization to create customers with. */
export type Target = { url: string; authorization: string; organizationId: string }

/** The outcome of a request: `no answer` if there is none within 20 s. */
export type Outcome = {
  mark: string
  status: number | 'no answer'
  code?: string | undefined
  retryAfter: string | null
}

/** How many clients, and how long each waits after an answer: in `npm test` the load leaves time for what is tested under it. */
const [clients, pauseMs] = inProof([4, 100], [16, 0])

/** Starts clients that create customers one after the other until they are stopped, whatever the answers are. */
export function startBurst(target: Target) {
  const outcomes: Outcome[] = []
  let going = true
  const client = async () => {
    while (going) {
      const answer = await createCustomer(target, newId())
      outcomes.push(answer)
      await sleep(answer.status === 201 ? pauseMs : 50)
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, client))
  return {
    outcomes,
    acknowledged: () => outcomes.filter(({ status }) => status === 201).map(({ mark }) => mark),
    async stop() {
      going = false
      await ended
    },
  }
}

/** Creates a customer whose mark is its name and its Idempotency-Key, so that a repeated request creates no second one. */
export async function createCustomer({ url, authorization, organizationId }: Target, mark: string): Promise<Outcome> {
  try {
    const answer = await fetch(`${url}/api/customers`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': mark },
      body: JSON.stringify({ organizationId, name: mark, country: 'SG' }),
      signal: AbortSignal.timeout(20_000), // the product answers within 15 s; the rest is for a slow machine
    })
    const { error } = (await answer.json()) as { error?: { code: string; details?: { code?: string }[] } }
    const code = error?.details?.[0]?.code ?? error?.code
    return { mark, status: answer.status, code, retryAfter: answer.headers.get('retry-after') }
  } catch {
    return { mark, status: 'no answer', retryAfter: null }
  }
}

/** SQL that makes every new customer add a job in its transaction; the job inserts the customer's name into test_marks. */
export const marking = [
  `create table test_marks (id uuid primary key default gen_random_uuid(), mark text not null,
   organization_id uuid not null default current_organization() references organizations on delete cascade)`,
  "select organization_table('test_marks')",
  `create function enqueue_mark() returns trigger language plpgsql as $$
   begin perform enqueue('test-mark', jsonb_build_object('mark', new.name)); return null; end $$`,
  'create trigger enqueue_mark after insert on customers for each row execute function enqueue_mark()',
]
