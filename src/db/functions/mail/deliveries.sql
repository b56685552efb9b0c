-- Guards that a delivery does not change after its end, and that only its job changes it.

create or replace trigger by_a_job before update on mail_deliveries
  for each row when (current_person() is not null) execute function refuse_change();
-- Refuses changes of a delivery that was sent or given up, so that it is never sent a second time.
create or replace trigger final before update on mail_deliveries
  for each row when (old.status <> 'QUEUED'::text) execute function refuse_change();
create or replace trigger final before update on automation_deliveries
  for each row when (old.outcome <> all (array['SENDING'::text, 'UNKNOWN'::text])) execute function refuse_change();
