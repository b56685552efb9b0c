create table customers (
  organization_id     uuid not null default current_organization() references organizations on delete cascade,
  id                  uuid not null,
  name                text check (name <> ''),
  kind                text not null check (kind in ('ORGANIZATION', 'INDIVIDUAL')),
  status              text not null default 'ACTIVE' check (status in ('PENDING', 'ACTIVE', 'INACTIVE')),
  default_currencies  text[] not null,
  email text, phone text, address text, country text, registration_number text, notes text,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on customers (id);
create index on customers (organization_id, created_at, id);
create index on customers (organization_id, updated_at, id);
create index on customers (organization_id, lower(name), id); -- people do not sort by capital and small letters
create index on customers (organization_id, lower(name) desc nulls last, id desc); -- what is empty is last both ways
create index on customers (organization_id, lower(email), id);
create index on customers (organization_id, lower(email) desc nulls last, id desc);
select organization_table('customers');

create table customer_recipients (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  customer_id     uuid not null,
  email           text not null check (email <> ''),
  name            text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers on delete cascade
);
create unique index one_recipient_per_email on customer_recipients (organization_id, customer_id, lower(email));
select organization_table('customer_recipients');

create table bank_accounts (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  account_name    text not null check (account_name <> ''),
  bank_name       text not null check (bank_name <> ''),
  currencies      text[] not null,
  is_default      boolean not null,
  account_number  text, branch_code text, local_bank_code text, swift_code text, iban text,
  routing_number  text, bank_address text, bank_country text, notes text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on bank_accounts (id);
create unique index one_default_bank_account on bank_accounts (organization_id) where is_default;
select organization_table('bank_accounts');

create table expense_categories (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  name            text not null check (name <> ''),
  color           text,
  is_default      boolean not null default false,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create index on expense_categories (id);
create index on expense_categories (organization_id, lower(name), id);
select organization_table('expense_categories');
