import { job } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import type { Connection } from '../db/connection.ts'

const batch = 5_000

/** What is kept for a while and then forgotten. Conditions are on indexed columns; the oldest go first. */
const forgotten = [
  // IDEM-9: a day at least, three for payments and payroll; one rule keeps all of them three.
  { table: 'idempotency_keys', when: "created_at < now() - interval '72 hours'" },
  { table: 'api_key_calls', when: "created_at < now() - interval '400 days'" },
  { table: 'rate_buckets', when: "tat < now() - interval '1 hour'" },
  { table: 'sign_in_failures', when: "since < now() - interval '1 day'" },
  { table: 'sessions', when: "ends_at < now() - interval '1 day'" },
  // Who was written to and when; what was said is gone since it was sent.
  { table: 'mail_deliveries', when: "status <> 'QUEUED' and created_at < now() - interval '400 days'" },
  { table: 'automation_deliveries', when: "created_at < now() - interval '400 days'" },
  { table: 'webhook_secrets', when: "replaced_at < now() - interval '1 day'" }, // signed with no longer
  { table: 'invitations', when: "expires_at < now() - interval '90 days'" },
  { table: 'notifications', when: "created_at < now() - interval '400 days'" },
  { table: 'digests', when: "created_at < now() - interval '60 days'" },
  // A refresh token that was used up stays until it would have expired, so that a second use is noticed.
  { table: 'oauth_tokens', when: 'expires_at < now()' },
  { table: 'connected_apps', when: "expires_at < now() - interval '90 days'" },
  {
    table: 'oauth_clients',
    when: "created_at < now() - interval '30 days' and not exists (select from connected_apps a where a.client_id = oauth_clients.id)",
  },
  { table: 'account_links', when: "expires_at < now() - interval '1 day'" },
  { table: 'passkey_challenges', when: "expires_at < now() - interval '1 day'" },
  { table: 'failed_jobs', when: "created_at < now() - interval '90 days'" },
]

/** Forgets in batches, so that no statement holds many rows for long. */
export const prune = job('prune', Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
  for (const { table, when } of forgotten) {
    let gone = batch
    while (gone === batch && !signal.aborted) {
      gone = await tx(({ connection }) => forget(connection, table, when))
    }
  }
})

async function forget(connection: Connection, table: string, when: string) {
  const { affected } = await connection.query(
    `delete from ${table} where ctid = any (array(select ctid from ${table} where ${when} limit ${batch}))`,
  )
  return affected
}
