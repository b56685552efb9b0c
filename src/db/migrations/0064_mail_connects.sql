-- People who are at the sign-in of a mail provider now, to connect a mailbox. The state that they come back with is stored as
-- its hash, works once, for ten minutes, and for the session that asked for it (THR-21).
create table mail_connects (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  state_hash bytea not null check (octet_length(state_hash) = 32),
  provider text not null check (provider in ('GMAIL', 'OUTLOOK')),
  name text not null check (length(name) between 1 and 200),
  user_id uuid not null default current_person() references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '10 minutes',
  primary key (organization_id, state_hash),
  constraint mail_connects_end_soon check (expires_at <= created_at + interval '10 minutes')
);
select organization_table('mail_connects');
revoke select, insert, update on mail_connects from kontor_confined;
grant select (organization_id, state_hash, provider, name, user_id, session_id, expires_at),
  insert (state_hash, provider, name, session_id) on mail_connects to kontor_confined;
revoke select on mail_connects from kontor_across;
create index on mail_connects (expires_at); -- pruning
create index on mail_connects (user_id);
create index on mail_connects (session_id);

-- Connecting a mailbox again gives its connection new tokens instead of making a second one.
create unique index one_connection_per_connected_mailbox on mail_connections (organization_id, provider, lower(username))
  where tokens is not null;

-- A provider may replace the refresh token each time it is used, so one process at a time refreshes a connection.
alter table mail_connections add column refreshing_until timestamptz;
