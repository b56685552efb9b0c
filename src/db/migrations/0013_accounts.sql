-- What proves a person beside their password, and the links that reach them by mail. All of it is the product's own: no
-- request reads or writes these rows through row security, only the sign-in protocol does (http/auth*.ts).

-- Links in mails: good once, for a while, for one purpose and one address. A newer one takes the place of an older one.
create table account_links (
  token_hash bytea primary key,
  user_id    uuid not null references users on delete cascade,
  purpose    text not null check (purpose in ('RESET_PASSWORD', 'VERIFY_EMAIL', 'CHANGE_EMAIL')),
  email      text not null check (email <> ''),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (user_id, purpose)
);
create index on account_links (expires_at);
select system_table('account_links');

-- An authenticator app. Its secret is sealed; a code is good once, so the step of the last one is kept.
create table authenticators (
  user_id      uuid primary key references users on delete cascade,
  secret       text not null,
  confirmed_at timestamptz,
  last_step    bigint not null default 0,
  created_at   timestamptz not null default now()
);
select system_table('authenticators');

-- For the day the telephone is lost: each is good once. Kept as keyed hashes, because they are short enough to type.
create table recovery_codes (
  user_id   uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (user_id, code_hash)
);
select system_table('recovery_codes');

create table passkeys (
  id           text primary key check (length(id) between 1 and 1400), -- as the authenticator calls it
  user_id      uuid not null references users on delete cascade,
  name         text not null check (length(name) between 1 and 80),
  public_key   bytea not null,
  counter      bigint not null,
  transports   text[] not null,
  backed_up    boolean not null,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz
);
create index on passkeys (user_id);
select system_table('passkeys');

-- What an authenticator is asked to sign: good once and for five minutes. To register, it belongs to a person.
create table passkey_challenges (
  challenge  text primary key,
  user_id    uuid references users on delete cascade,
  expires_at timestamptz not null default now() + interval '5 minutes'
);
create index on passkey_challenges (expires_at);
create index on passkey_challenges (user_id);
select system_table('passkey_challenges');
