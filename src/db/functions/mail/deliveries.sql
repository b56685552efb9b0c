-- Guards that a delivery which ended stays as it is, and that only its job changes it.

create or replace trigger by_a_job before update on mail_deliveries
  for each row when (current_person() is not null) execute function refuse_change();
-- What was sent or given up stays so: no delivery is sent a second time.
create or replace trigger final before update on mail_deliveries
  for each row when (old.status <> 'QUEUED'::text) execute function refuse_change();
create or replace trigger final before update on automation_deliveries
  for each row when (old.outcome <> all (array['SENDING'::text, 'UNKNOWN'::text])) execute function refuse_change();
