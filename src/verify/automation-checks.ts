import type { Check } from '../core/define/check.ts'
import { capsOf } from '../features/company/settings/settings.ts'

const { automationsMax } = capsOf('FREE')

/** Rules about runs, steps and deliveries of automations. */
export const automationChecks: Check[] = [
  {
    id: 'INV-11',
    says: 'A run started by an event has the type and the payload of that event.',
    finds: `select r.organization_id, r.id, r.trigger_event_id from automation_runs r
      left join events e on e.organization_id = r.organization_id and e.id = r.trigger_event_id
      where r.trigger_event_id is not null and (e.type = r.trigger_type and e.payload = r.input) is not true`,
  },
  {
    id: 'INV-11',
    says: 'An event starts an automation at most once.',
    finds: `select organization_id, automation_id, trigger_event_id, count(*) from automation_runs
      where trigger_event_id is not null group by 1, 2, 3 having count(*) > 1`,
  },
  {
    id: 'INV-11',
    says: 'An unfinished run has a job that will continue it, or waits for an earlier unfinished run of its record.',
    finds: `select organization_id, id, started_at from lost_runs() where started_at < now() - interval '2 hours'`,
  },
  {
    id: 'INV-19',
    says: 'An audit entry of a run names a run of its organization, and the automation of that run.', // until the run is deleted
    finds: `select a.organization_id, a.id, a.run_id, a.automation_id from audit_log a join automation_runs r on r.id = a.run_id::uuid
      where a.run_id is not null and (a.organization_id <> r.organization_id or a.automation_id <> r.automation_id)`,
  },
  {
    id: 'INV-13',
    says: 'A run executes a block at most once per element.',
    finds: `select organization_id, run_id, block_id, element_key, count(*) from automation_steps group by 1, 2, 3, 4 having count(*) > 1`,
  },
  {
    id: 'INV-13',
    says: 'A run that succeeded has no failed or unfinished step.', // except steps of blocks that were removed later
    finds: `select r.organization_id, r.id, s.id as step, s.status from automation_runs r
      join automation_steps s on s.organization_id = r.organization_id and s.run_id = r.id
      where r.status = 'SUCCEEDED' and (s.status in ('PENDING', 'RUNNING') or s.status = 'FAILED' and exists (
        select from automations a, jsonb_array_elements(a.blocks) block where a.organization_id = r.organization_id
          and a.id = r.automation_id and a.updated_at <= r.finished_at and block ->> 'id' = s.block_id))`,
  },
  {
    id: 'INV-14',
    says: 'A successful step that sent a webhook or an e-mail has a delivery with outcome DELIVERED.', // deliveries are kept for 400 days
    finds: `select s.organization_id, s.id, s.ref from automation_steps s
      where s.ref in ('webhook.post', 'email.send') and s.status = 'SUCCEEDED' and s.finished_at > now() - interval '300 days'
        and not exists (select from automation_deliveries d
          where d.organization_id = s.organization_id and d.step_id = s.id and d.outcome = 'DELIVERED')`,
  },
  {
    id: 'THR-07',
    says: 'An automation shows its current graph, the only one of its graphs that is not superseded.',
    finds: `select a.organization_id, a.id from automations a where not exists (select from automation_graphs g
        where g.organization_id = a.organization_id and g.id = a.graph_id and g.automation_id = a.id
          and g.superseded_at is null and (g.blocks, g.edges) = (a.blocks, a.edges))
      or 1 < (select count(*) from automation_graphs g
        where g.organization_id = a.organization_id and g.automation_id = a.id and g.superseded_at is null)`,
  },
  {
    id: 'THR-07',
    says: 'A run that is not over has a graph of its automation, which says what it may do.',
    finds: `select r.organization_id, r.id from automation_runs r where r.status = 'RUNNING' and not exists (
        select from automation_graphs g where g.organization_id = r.organization_id and g.id = r.graph_id
          and g.automation_id = r.automation_id)`,
  },
  {
    id: 'THR-07',
    says: 'An automation whose key or app has ended is not enabled.', // an expired one is noticed within minutes
    finds: `select a.organization_id, a.id from automations a
      join automation_graphs g on g.organization_id = a.organization_id and g.id = a.graph_id
      where a.status = 'ENABLED' and g.credential_status = 'ENDED'`,
  },
  {
    id: 'INV-15',
    says: 'No organization has more enabled automations than its plan allows.',
    finds: `select organization_id, count(*) from automations where status = 'ENABLED' group by 1 having count(*) > ${automationsMax}`,
  },
]
