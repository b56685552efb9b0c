import { job } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import { runsKeptDays } from '../core/values/kept-days.ts'

/** `chosen` are the rows to delete, where a condition would not find them by an index. */
type RetentionRule = { table: string; batchSize?: number } & ({ when: string } | { chosen: string })

const usualBatchSize = 5_000

/** Rows that are deleted after a while. The conditions use indexed columns. */
const retentionRules: RetentionRule[] = [
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
  // With their steps and deliveries. The event of a run stays, and starts nothing again: only its insert does.
  {
    table: 'automation_runs',
    batchSize: 200, // a run has up to 2,000 steps
    chosen: `select old.ctid from automations a
      left join organization_settings s on s.organization_id = a.organization_id
      cross join lateral (select now() - make_interval(days => coalesce(s.automation_runs_kept_days, ${runsKeptDays})) as at) kept
      cross join lateral (select r.ctid from automation_runs r
        where r.organization_id = a.organization_id and r.automation_id = a.id and r.started_at < kept.at
          and r.finished_at < kept.at order by r.started_at, r.id limit 200) old`,
  },
  {
    table: 'automation_graphs',
    when: `superseded_at < now() - interval '1 day' and not exists (select from automation_runs r
      where r.organization_id = automation_graphs.organization_id and r.graph_id = automation_graphs.id)`,
  },
  { table: 'webhook_secrets', when: "replaced_at < now() - interval '1 day'" }, // no longer used for signing
  { table: 'invitations', when: "expires_at < now() - interval '90 days'" },
  { table: 'notifications', when: "created_at < now() - interval '400 days'" },
  { table: 'changes', when: "created_at < now() - interval '2 days'" },
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
  for (const rule of retentionRules) {
    const { batchSize = usualBatchSize } = rule
    let deleted = batchSize
    while (deleted === batchSize && !signal.aborted) {
      const { affected } = await tx(({ connection }) => connection.query(deleteText(rule, batchSize)))
      deleted = affected
    }
  }
})

function deleteText(rule: RetentionRule, batchSize: number): string {
  const chosen = 'chosen' in rule ? rule.chosen : `select ctid from ${rule.table} where ${rule.when}`
  return `delete from ${rule.table} where ctid = any (array(${chosen} limit ${batchSize}))`
}
