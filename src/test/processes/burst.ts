import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../core/values/id.ts'

/** Where to create customers, and with what. */
export type Target = { url: string; authorization: string; organizationId: string }

/** What a client was told: nothing at all within 20 s is `no answer`. */
export type Told = { mark: string; status: number | 'no answer'; code?: string | undefined; retryAfter: string | null }

const clients = 16

/** Clients that create customers one after the other until told to stop, whatever they are answered. */
export function startBurst(target: Target) {
  const told: Told[] = []
  let going = true
  const client = async () => {
    while (going) {
      const answer = await createCustomer(target, newId())
      told.push(answer)
      if (answer.status !== 201) await sleep(50)
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, client))
  return {
    told,
    acknowledged: () => told.filter(({ status }) => status === 201).map(({ mark }) => mark),
    async stop() {
      going = false
      await ended
    },
  }
}

/** One customer, by its mark: its name and its Idempotency-Key. Asked for again, it is the same one. */
export async function createCustomer({ url, authorization, organizationId }: Target, mark: string): Promise<Told> {
  try {
    const answer = await fetch(`${url}/api/customers`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': mark },
      body: JSON.stringify({ organizationId, name: mark, country: 'SG' }),
      signal: AbortSignal.timeout(20_000), // 15 s is the promise; the rest is for a slow machine
    })
    const { error } = (await answer.json()) as { error?: { code: string; details?: { code?: string }[] } }
    const code = error?.details?.[0]?.code ?? error?.code
    return { mark, status: answer.status, code, retryAfter: answer.headers.get('retry-after') }
  } catch {
    return { mark, status: 'no answer', retryAfter: null }
  }
}

/** Every customer that is created orders a job, committed with it, that leaves the customer's name as a mark. */
export const marking = [
  `create table test_marks (id uuid primary key default gen_random_uuid(), mark text not null,
   organization_id uuid not null default current_organization() references organizations on delete cascade)`,
  "select organization_table('test_marks')",
  `create function order_mark() returns trigger language plpgsql as $$
   begin perform enqueue('test-mark', jsonb_build_object('mark', new.name)); return null; end $$`,
  'create trigger order_mark after insert on customers for each row execute function order_mark()',
]
