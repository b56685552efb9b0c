import type { Check } from '../../../core/define/check.ts'

/** Rules about sessions, turns and steps of the companion. */
export const companionChecks: Check[] = [
  {
    id: 'INV-11',
    says: 'A turn of the companion that has not ended has a job, or waits for an earlier turn of its session.',
    finds: `select organization_id, id, started_at from lost_turns() where started_at < now() - interval '2 hours'`,
  },
  {
    id: 'INV-13',
    says: 'A turn of the companion that has ended has no step that is being executed.',
    finds: `select s.organization_id, s.id, s.status, t.status as turn from companion_steps s
      join companion_turns t on t.organization_id = s.organization_id and t.id = coalesce(s.executed_by_turn_id, s.turn_id)
      where s.status = 'RUNNING' and t.status <> 'RUNNING'`,
  },
  {
    id: 'INV-13',
    says: 'The events of a session with the companion are numbered without gaps.',
    finds: `select s.organization_id, s.key, s.last_seq, count(e.seq) as events from companion_sessions s
      left join companion_events e on e.organization_id = s.organization_id and e.session_key = s.key
      group by 1, 2, 3 having count(e.seq) <> s.last_seq or coalesce(max(e.seq), 0) <> s.last_seq`,
  },
  {
    id: 'INV-13',
    says: 'What the companion answered is the sum of the tokens of its turn.',
    finds: `select m.organization_id, m.id, m.turn_id from companion_messages m where m.role = 'assistant' and m.text is distinct from
      (select string_agg(e.delta, '' order by e.seq) from companion_events e
       where e.organization_id = m.organization_id and e.turn_id = m.turn_id and e.kind = 'token')`,
  },
]
