-- Payroll data is visible only with payroll rights. The rights of a transaction are its setting app.payroll: 'all', 'own' (the rows of
-- the person alone) or nothing. authorize_request() and authorize_run() set it with the organization; jobs of the product have 'all'.

create function reads_payroll() returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('app.payroll', true), '') = 'all'
$$;
grant execute on function reads_payroll() to kontor_confined, kontor_across;

create function reads_own_payroll() returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('app.payroll', true), '') in ('all', 'own')
$$;
grant execute on function reads_own_payroll() to kontor_confined, kontor_across;

-- What a caller may read of payroll. An operation of payroll that every employee may call shows the caller's own rows alone. `everywhere`: in all organizations at once,
-- of which an operation of payroll leaves out those where the role is too low.
create function payroll_rights(role member_role, needed member_role, scopes text[], fitting text[], everywhere boolean) returns text
language sql immutable parallel safe as $$
  select case
    when fitting && array['payroll:read', 'payroll:write'] and needed < 'CONTRIBUTOR' then 'own'
    when everywhere then case when fitting && array['payroll:read', 'payroll:write'] then 'all' else '' end
    when role >= 'CONTRIBUTOR' and role >= needed and (scopes is null or fitting && array['payroll:read', 'payroll:write']
      or scopes && array['payroll:read', 'payroll:*', '*:read', '*:*']) then 'all'
    else '' end
$$;
grant execute on function payroll_rights(member_role, member_role, text[], text[], boolean) to kontor_confined, kontor_across;

create or replace function authorize_request(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $$
#variable_conflict use_column
declare
  everywhere boolean := true; -- whether the credential reaches all of the person's organizations
  places uuid[];
  done text;
begin
  if source = 'API_KEY' then
    select k.user_id, k.id, k.scopes, k.all_orgs, m.organization_id, m.role
    into user_id, key_id, scopes, everywhere, organization_id, role
    from public.api_keys k join public.users u on u.id = k.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = k.user_id
    where k.secret_hash = credential and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      and u.disabled_at is null;
    -- Most keys reach all organizations of their person. As a part of the query above, this would be prepared for every call.
    if not everywhere and not exists
        (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = target) then
      organization_id := null;
      role := null;
    end if;
    done := set_config('app.credential', 'API_KEY ' || key_id || ' ' || scopes::text, true);
  elsif source = 'SESSION' then
    select s.user_id, s.id, s.signed_in_at, m.organization_id, m.role
    into user_id, session_id, signed_in_at, organization_id, role
    from public.sessions s join public.users u on u.id = s.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = s.user_id
    where s.secret_hash = credential and s.ends_at > now() and s.last_seen_at > now() - interval '12 hours'
      and u.disabled_at is null;
  elsif source = 'OAUTH' then
    select a.user_id, a.id, a.client_id, t.scopes, false, m.organization_id, m.role
    into user_id, app_id, client_id, scopes, everywhere, organization_id, role
    from public.oauth_tokens t join public.connected_apps a on a.id = t.app_id join public.users u on u.id = a.user_id
    left join public.memberships m on m.organization_id = target and m.user_id = a.user_id and exists
      (select from public.connected_app_organizations o where o.app_id = a.id and o.organization_id = target)
    where t.secret_hash = credential and t.kind = 'AccessToken' and t.expires_at > now()
      and t.audience in (current_setting('app.service', true), current_setting('app.service', true) || '/mcp')
      and a.revoked_at is null and a.expires_at > now() and u.disabled_at is null;
    done := set_config('app.client', client_id, true);
    done := set_config('app.credential', 'OAUTH ' || app_id || ' ' || scopes::text, true);
  else
    select u.id, m.organization_id, m.role into user_id, organization_id, role
    from public.users u left join public.memberships m on m.organization_id = target and m.user_id = u.id
    where u.id = person and u.disabled_at is null;
  end if;

  if place = 'ONLY' or place = 'ALL' then
    select coalesce(array_agg(m.organization_id), '{}') into places from public.memberships m
    where m.user_id = authorize_request.user_id and (place = 'ONLY' or m.role >= needed) and (everywhere
      or exists (select from public.api_key_organizations o where o.api_key_id = key_id and o.organization_id = m.organization_id)
      or exists (select from public.connected_app_organizations o where o.app_id = authorize_request.app_id and o.organization_id = m.organization_id));
    reachable := cardinality(places);
    if place = 'ALL' and (scopes is null or scopes && fitting) then
      done := set_config('app.organizations', places::text, true);
    elsif place = 'ONLY' and reachable = 1 then
      select m.organization_id, m.role into organization_id, role
      from public.memberships m where m.organization_id = places[1] and m.user_id = authorize_request.user_id;
    end if;
  end if;

  -- A credential without the scope confines the transaction to nothing, as for an unknown caller.
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.person', user_id::text, true);
  done := set_config('app.payroll', coalesce(public.payroll_rights(role, needed, scopes, fitting, place = 'ALL'), ''), true);
  if role >= needed then done := set_config('app.organization', organization_id::text, true); end if;
end $$;

create or replace function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text, OUT author_user_id uuid)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $$
#variable_conflict use_column
declare
  home uuid; -- the organization of the run
  graph uuid;
  started_at_depth integer;
  lowest member_role;
  payroll text;
  done text;
begin
  select r.organization_id, r.graph_id, r.depth into home, graph, started_at_depth from public.automation_runs r where r.id = run and r.status = 'RUNNING';
  if home is null then return; end if;
  select x.owner_user_id, x.author_user_id, x.role, x.scopes, x.key_id, x.app_id, x.client_id
  into user_id, author_user_id, lowest, scopes, key_id, app_id, client_id from public.rights_of_graph(home, graph) x;
  if lowest is null then
    user_id := null;
    return;
  end if;
  if target = home or place in ('ONLY', 'ALL') then
    organization_id := home;
    role := lowest;
    reachable := 1;
  end if;
  if scopes is not null and not scopes && fitting then return; end if;
  done := set_config('app.role_limit', lowest::text, true);
  done := set_config('app.run_depth', started_at_depth::text, true);
  payroll := coalesce(public.payroll_rights(role, needed, scopes, fitting, false), '');
  -- what is the owner's own is not that of another author
  done := set_config('app.payroll', case when payroll = 'own' and author_user_id <> user_id then '' else payroll end, true);
  if place <> 'CALLER' or author_user_id = user_id then done := set_config('app.person', user_id::text, true); end if;
  if role >= needed then
    done := set_config('app.organization', organization_id::text, true);
    if place = 'ALL' then done := set_config('app.organizations', array[organization_id]::text, true); end if;
  end if;
end $$;

-- In addition to the organization (organization_table()): the rows of payroll. The owner of the tables may have the roles of requests, and functions run as the owner, so it is excepted.
create function payroll_table(name text, own text, commands text default 'all') returns void language plpgsql as $$
begin
  execute format('create policy payroll on %I as restrictive for %s to kontor_confined, kontor_across using ((select current_user = %L or reads_payroll()) or %s)',
    name, commands, current_user, own);
end $$;
select payroll_table('employees', '(select reads_own_payroll()) and user_id = (select current_person())');
select payroll_table(name, '(select reads_own_payroll()) and employee_id in (select e.id from employees e where e.user_id = (select current_person()))')
  from unnest(array['employee_terms', 'payslips']) name;
select payroll_table('payslip_lines', '(select reads_own_payroll()) and payslip_id in (select p.id from payslips p join employees e on e.id = p.employee_id
  where e.user_id = (select current_person()))');
select payroll_table(name, 'false') from unnest(array['payslip_consents', 'leave_claims']) name;
-- signed consents, wherever a file can be named
select payroll_table('files', 'purpose <> ''payroll''', 'select');

-- Mail that was kept instead of sent, if it quotes payroll data.
alter table outbox add column holds_payroll boolean not null default false;
select payroll_table('outbox', 'not holds_payroll', 'select');

-- The lines that payroll books, as booked_lines() shows them: payslips, leave claims, payments of both, and what these paid.
create function payroll_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text, event_id uuid, line integer,
  account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
language sql stable parallel safe as $$
  with kinds (document_ids, payment_ids) as materialized (
    select array(select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')),
      array(select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM'))
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from (
      select * from journal_of_documents(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_closed(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') d
        where d.document_id = any ((select k.document_ids from kinds k)::uuid[])
      union all
      select * from journal_of_payments(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])
      union all
      select * from journal_of_allocations(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
        where p.payment_id = any ((select k.payment_ids from kinds k)::uuid[])) l
  ), lines as (
    select b.organization_id, b.day, b.event, b.event_id, b.direction, b.line, b.account, b.bank_account_id, b.sign * b.minor as minor, b.currency,
      b.sign * b.home_minor as home_minor, b.home, b.exchange_rate
    from signed b where b.minor <> 0
    union all
    select b.organization_id, b.day, b.event, b.event_id, b.direction, 9, b.rest, null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
    from signed b where b.currency <> b.home
    group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
    having sum(b.sign * b.home_minor) <> 0
  )
  select j.organization_id, j.day, j.event, j.event_id, j.line, coalesce(bank.account_id, standard.account_id), j.currency, j.home, j.exchange_rate,
    sum(j.minor)::bigint, sum(j.home_minor)::bigint
  from lines j
  left join account_periods bank on j.account = 'CASH' and bank.organization_id = j.organization_id and bank.subject = 'BANK:' || j.bank_account_id
    and j.day >= bank.first_day and j.day < bank.end_day
  left join account_periods standard on standard.organization_id = j.organization_id and standard.subject = 'PURPOSE:' || case j.account
      when 'TAX' then case j.direction when 'OUTGOING' then 'OUTPUT_TAX' else 'INPUT_TAX' end
      when 'PREPAYMENTS' then case j.direction when 'OUTGOING' then 'CUSTOMER_CREDITS' else 'SUPPLIER_ADVANCES' end
      when 'WITHHOLDING' then case j.direction when 'OUTGOING' then 'WITHHOLDING' else 'WITHHOLDING_PAYABLE' end
      else j.account end
    and j.day >= standard.first_day and j.day < standard.end_day
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
$$;
grant execute on function payroll_lines(date, date) to kontor_confined;

create function month_end(day date) returns date language sql immutable parallel safe as $$
  select case when isfinite(day) then (date_trunc('month', day::timestamp) + interval '1 month - 1 day')::date else day end
$$;
grant execute on function month_end(date) to kontor_confined, kontor_across;
create function month_start(day date) returns date language sql immutable parallel safe as $$
  select case when isfinite(day) then date_trunc('month', day::timestamp)::date else day end
$$;
grant execute on function month_start(date) to kontor_confined, kontor_across;

-- One entry for the payroll of each month that ends in these days: a line for each account, which adds all of it up.
create function payroll_months(first_day date, last_day date) returns table (organization_id uuid, day date, event_id uuid, line integer, account_id uuid,
  currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint)
language sql stable parallel safe as $$
  select m.organization_id, m.day, ('ffffffff-ffff-ffff-ffff-' || to_char(m.day, 'YYYYMM') || 'ffffff')::uuid,
    (row_number() over (partition by m.organization_id, m.day order by m.account_id, m.currency, m.home_currency))::integer,
    m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from (
    select l.organization_id, month_end(l.day) as day, l.account_id, l.currency, l.home_currency, case when bool_or(l.exchange_rate is null) then null else max(l.exchange_rate) end as exchange_rate,
      sum(l.minor)::bigint as minor, sum(l.home_minor)::bigint as home_minor
    from payroll_lines(month_start(first_day), month_end(last_day)) l
    where month_end(l.day) between first_day and last_day
    group by 1, 2, 3, 4, 5 having sum(l.minor) <> 0 or sum(l.home_minor) <> 0) m
$$;
grant execute on function payroll_months(date, date) to kontor_confined;

-- booked_lines() as the caller may see it: without payroll rights, payroll is one entry on the last day of each month.
create function visible_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns table (organization_id uuid, day date, event text,
  event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric,
  minor bigint, home_minor bigint)
language sql stable parallel safe as $$
  select b.* from booked_lines(first_day, first_id, last_day, last_id) b
  where (select reads_payroll())
    or (b.document_id is null or b.document_id not in (select d.id from documents d where d.kind <> 'SALES' and d.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
      and (b.payment_id is null or b.payment_id not in (select p.id from payments p where p.kind in ('PAYSLIP', 'LEAVE_CLAIM')))
  union all
  select m.organization_id, m.day, 'PAYROLL', m.event_id, null, null, null, m.line, m.account_id, m.currency, m.home_currency, m.exchange_rate, m.minor, m.home_minor
  from payroll_months(first_day, last_day) m
  where not (select reads_payroll()) and (m.day, m.event_id) >= (first_day, first_id) and (m.day, m.event_id) <= (last_day, last_id)
$$;
grant execute on function visible_lines(date, uuid, date, uuid) to kontor_confined;

create function visible_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text,
  event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric,
  minor bigint, home_minor bigint)
language sql stable parallel safe as $$
  select * from visible_lines(first_day, '00000000-0000-0000-0000-000000000000', last_day, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
$$;
grant execute on function visible_lines(date, date) to kontor_confined;

-- journal_balances() in the same way. The reports of money that moved show payroll in its own accounts alone.
create function visible_balances(first_day date, last_day date, of_basis text) returns table (day date, account_id uuid, home_currency text,
  face_currency text, debit_minor bigint, credit_minor bigint, lines bigint)
language sql stable as $$
  select b.* from journal_balances(first_day, last_day, of_basis) b
  where (select reads_payroll()) or of_basis = 'ACCRUAL' or b.account_id is null or b.account_id not in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
  union all
  select l.day, l.account_id, l.home_currency, face_currency(l.currency, l.home_currency, l.exchange_rate), -sum(greatest(l.home_minor, 0))::bigint,
    -sum(greatest(-l.home_minor, 0))::bigint, -count(*)
  from payroll_lines(first_day, last_day) l where not (select reads_payroll()) and of_basis = 'ACCRUAL' group by 1, 2, 3, 4
  union all
  select m.day, m.account_id, m.home_currency, face_currency(m.currency, m.home_currency, m.exchange_rate), greatest(m.home_minor, 0), greatest(-m.home_minor, 0), 1
  from payroll_months(first_day, last_day) m where not (select reads_payroll()) and of_basis = 'ACCRUAL'
  union all
  select c.day, c.account_id, c.home_currency, c.face_currency, greatest(c.minor, 0), greatest(-c.minor, 0), 1
  from (select month_end(b.day) as day, b.account_id, b.home_currency, b.face_currency, sum(b.debit_minor - b.credit_minor)::bigint as minor
    from journal_balances(month_start(first_day), last_day, 'CASH') b
    where not (select reads_payroll()) and of_basis = 'CASH' and month_end(b.day) between first_day and last_day
      and b.account_id in (select p.account_id from account_periods p where p.subject = 'PURPOSE:PAYROLL')
    group by 1, 2, 3, 4) c
$$;
grant execute on function visible_balances(date, date, text) to kontor_confined;
