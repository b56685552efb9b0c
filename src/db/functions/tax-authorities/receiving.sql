-- Starts receiving documents from the network for every connection.

-- Enqueues a poll of the access point for each connected organization, spread over some minutes. Credentials that the access point
-- has refused are not tried again until a person has entered or validated them.
create or replace function start_receiving() returns void language plpgsql as $$
begin
  perform graphile_worker.add_job('receive-einvoices', json_build_object('connectionId', c.id), run_at => now() + random() * interval '8 minutes',
    job_key => 'receive-einvoices:' || c.id, flags => array['organization:' || c.organization_id])
  from public.tax_authority_connections c where c.integration_id = 'sg-invoicenow' and c.validation_error is null;
end $$;
