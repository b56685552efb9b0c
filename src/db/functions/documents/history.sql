-- Keeps the history of a document as a chain: each event has the hash of the event before it.

-- docs/decisions/0023-a-chain-anyone-can-check.md describes the bytes, so that anyone can recompute them; verify/chain.ts does.
-- Both are needed: a check that used this function would repeat its mistake.
create or replace function document_event_hash(entry document_events) returns bytea language sql immutable parallel safe as $$
  select sha256(entry.prev_hash || convert_to(jsonb_build_array(entry.document_id, entry.seq, entry.type, entry.actor_user_id, entry.payload,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')) $$;

create or replace function append_to_history() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last document_events;
begin
  perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
  if not found then
    raise exception 'There is no such document.' using errcode = 'foreign_key_violation';
  end if;
  select * into last from document_events e
    where e.organization_id = new.organization_id and e.document_id = new.document_id order by e.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prev_hash := coalesce(last.hash, '');
  new.hash := document_event_hash(new);
  return new;
end $$;

create or replace trigger append_to_history before insert on document_events for each row execute function append_to_history();
