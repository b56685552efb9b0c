import { job } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import type { Connection } from '../db/connection.ts'

const batchSize = 5_000

/** Rows that are deleted after a while. The conditions use indexed columns. */
const retentionRules = [
  // IDEM-9: at least one day, three days for payments and payroll. All keys are kept for three.
  { table: 'idempotency_keys', when: "created_at < now() - interval '72 hours'" },
  { table: 'api_key_calls', when: "created_at < now() - interval '400 days'" },
  { table: 'rate_buckets', when: "tat < now() - interval '1 hour'" },
  { table: 'mail_counts', when: "hour < now() - interval '2 days'" },
  { table: 'sign_in_failures', when: "since < now() - interval '1 day'" },
  { table: 'sessions', when: "ends_at < now() - interval '1 day'" },
  // The recipient and the time; the content was deleted when the message was sent.
  { table: 'mail_deliveries', when: "status <> 'QUEUED' and created_at < now() - interval '400 days'" },
  { table: 'automation_deliveries', when: "created_at < now() - interval '400 days'" },
  {
    table: 'automation_graphs',
    when: `superseded_at < now() - interval '1 day' and not exists (select from automation_runs r
      where r.organization_id = automation_graphs.organization_id and r.graph_id = automation_graphs.id)`,
  },
  { table: 'webhook_secrets', when: "replaced_at < now() - interval '1 day'" }, // no longer used for signing
  { table: 'invitations', when: "expires_at < now() - interval '90 days'" },
  { table: 'notifications', when: "created_at < now() - interval '400 days'" },
  { table: 'digests', when: "created_at < now() - interval '60 days'" },
  // A used refresh token is kept until its expiry, so that a second use is detected.
  { table: 'oauth_tokens', when: 'expires_at < now()' },
  { table: 'connected_apps', when: "expires_at < now() - interval '90 days'" },
  {
    table: 'oauth_clients',
    when: "created_at < now() - interval '30 days' and not exists (select from connected_apps a where a.client_id = oauth_clients.id)",
  },
  { table: 'account_links', when: "expires_at < now() - interval '1 day'" },
  { table: 'passkey_challenges', when: "expires_at < now() - interval '1 day'" },
  { table: 'mail_connects', when: 'expires_at < now()' },
  { table: 'failed_jobs', when: "created_at < now() - interval '90 days'" },
]

/** Deletes in batches, so that no statement locks many rows for long. */
export const prune = job('prune', Type.Object({}, { additionalProperties: true }), async ({ tx, signal }) => {
  for (const { table, when } of retentionRules) {
    let deleted = batchSize
    while (deleted === batchSize && !signal.aborted) {
      deleted = await tx(({ connection }) => deleteBatch(connection, table, when))
    }
  }
})

async function deleteBatch(connection: Connection, table: string, when: string) {
  const { affected } = await connection.query(
    `delete from ${table} where ctid = any (array(select ctid from ${table} where ${when} limit ${batchSize}))`,
  )
  return affected
}
