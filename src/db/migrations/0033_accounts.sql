-- The chart of accounts, entries made by hand, and the journal in the home currency of the organization.
--
-- The journal is computed, as before: nothing of it is stored but what would otherwise change later. That is the rate of a
-- payment, the day on which an allocation is booked, and what an allocation or a refund is worth in the home currency.

-- The chart that organizations of a country start with. The rows are declared in TypeScript (countries/<country>/accounts.ts);
-- a rule of `kontor verify` and a test compare both.
create table default_accounts (
  country text not null,
  code    text not null,
  name    text not null,
  name_he text not null,
  type    text not null,
  purpose text,
  primary key (country, code)
);
select system_table('default_accounts');
insert into default_accounts (country, code, name, name_he, type, purpose) values
  ('IL', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH'),
  ('IL', '1010', 'Petty cash', 'קופה קטנה', 'ASSET', null),
  ('IL', '1020', 'Cheques for collection', 'שיקים לגבייה', 'ASSET', null),
  ('IL', '1100', 'Trade receivables', 'לקוחות', 'ASSET', 'RECEIVABLES'),
  ('IL', '1200', 'Advances to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES'),
  ('IL', '1300', 'Input VAT', 'מע"מ תשומות', 'ASSET', 'INPUT_TAX'),
  ('IL', '1310', 'Input VAT on equipment', 'מע"מ תשומות ציוד', 'ASSET', null),
  ('IL', '1320', 'Tax withheld by customers', 'ניכוי מס במקור מלקוחות', 'ASSET', 'WITHHOLDING'),
  ('IL', '1330', 'Income tax advances', 'מקדמות מס הכנסה', 'ASSET', null),
  ('IL', '1400', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null),
  ('IL', '1500', 'Equipment', 'ציוד', 'ASSET', null),
  ('IL', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null),
  ('IL', '2000', 'Trade payables', 'ספקים', 'LIABILITY', 'PAYABLES'),
  ('IL', '2100', 'Customer credits and advances', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS'),
  ('IL', '2200', 'Output VAT', 'מע"מ עסקאות', 'LIABILITY', 'OUTPUT_TAX'),
  ('IL', '2210', 'VAT payable', 'מע"מ לתשלום', 'LIABILITY', null),
  ('IL', '2220', 'Tax withheld from suppliers', 'ניכוי מס במקור מספקים', 'LIABILITY', null),
  ('IL', '2300', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED'),
  ('IL', '2400', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES'),
  ('IL', '2410', 'National Insurance payable', 'ביטוח לאומי לשלם', 'LIABILITY', null),
  ('IL', '2500', 'Loans', 'הלוואות', 'LIABILITY', null),
  ('IL', '3000', 'Share capital', 'הון מניות', 'EQUITY', null),
  ('IL', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null),
  ('IL', '3200', 'Drawings of owners', 'משיכות בעלים', 'EQUITY', null),
  ('IL', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES'),
  ('IL', '4000', 'Sales', 'הכנסות ממכירות ושירותים', 'INCOME', 'REVENUE'),
  ('IL', '4010', 'Sales at zero rate and exempt', 'הכנסות פטורות ובשיעור אפס', 'INCOME', null),
  ('IL', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null),
  ('IL', '4910', 'Interest income', 'הכנסות ריבית', 'INCOME', null),
  ('IL', '5000', 'Cost of sales', 'עלות המכר', 'EXPENSE', null),
  ('IL', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES'),
  ('IL', '6010', 'Office', 'הוצאות משרד', 'EXPENSE', null),
  ('IL', '6020', 'Software', 'תוכנה', 'EXPENSE', null),
  ('IL', '6030', 'Travel', 'נסיעות', 'EXPENSE', null),
  ('IL', '6040', 'Meals and refreshments', 'כיבוד ואירוח', 'EXPENSE', null),
  ('IL', '6050', 'Marketing', 'פרסום ושיווק', 'EXPENSE', null),
  ('IL', '6060', 'Professional services', 'שירותים מקצועיים', 'EXPENSE', null),
  ('IL', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null),
  ('IL', '6080', 'Depreciation', 'פחת', 'EXPENSE', null),
  ('IL', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL'),
  ('IL', '6110', 'Social insurance of employees', 'הוצאות סוציאליות', 'EXPENSE', null),
  ('IL', '7000', 'Bank charges', 'עמלות בנק', 'EXPENSE', null),
  ('IL', '7010', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null),
  ('IL', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES'),
  ('IL', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING'),
  ('IL', '8000', 'Income tax', 'מס הכנסה', 'EXPENSE', null),
  ('SG', '200', 'Sales', 'מכירות', 'INCOME', 'REVENUE'),
  ('SG', '210', 'Zero-rated and exempt sales', 'מכירות בשיעור אפס ופטורות', 'INCOME', null),
  ('SG', '260', 'Other income', 'הכנסות אחרות', 'INCOME', null),
  ('SG', '270', 'Interest income', 'הכנסות ריבית', 'INCOME', null),
  ('SG', '310', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', null),
  ('SG', '400', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null),
  ('SG', '404', 'Bank fees', 'עמלות בנק', 'EXPENSE', null),
  ('SG', '412', 'Consulting and accounting', 'שירותים מקצועיים', 'EXPENSE', null),
  ('SG', '416', 'Depreciation', 'פחת', 'EXPENSE', null),
  ('SG', '420', 'Entertainment', 'כיבוד ואירוח', 'EXPENSE', null),
  ('SG', '429', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES'),
  ('SG', '437', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null),
  ('SG', '453', 'Office expenses', 'הוצאות משרד', 'EXPENSE', null),
  ('SG', '463', 'Software and IT', 'תוכנה ומחשוב', 'EXPENSE', null),
  ('SG', '469', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null),
  ('SG', '477', 'Salaries', 'שכר עבודה', 'EXPENSE', 'PAYROLL'),
  ('SG', '478', 'CPF contributions', 'הפרשות CPF', 'EXPENSE', null),
  ('SG', '493', 'Travel', 'נסיעות', 'EXPENSE', null),
  ('SG', '497', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES'),
  ('SG', '505', 'Corporate tax', 'מס חברות', 'EXPENSE', null),
  ('SG', '600', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH'),
  ('SG', '605', 'Petty cash', 'קופה קטנה', 'ASSET', null),
  ('SG', '610', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES'),
  ('SG', '620', 'Prepayments to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES'),
  ('SG', '625', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING'),
  ('SG', '630', 'Inventory', 'מלאי', 'ASSET', null),
  ('SG', '640', 'GST input tax', 'GST תשומות', 'ASSET', 'INPUT_TAX'),
  ('SG', '710', 'Office equipment', 'ציוד משרדי', 'ASSET', null),
  ('SG', '711', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null),
  ('SG', '800', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES'),
  ('SG', '805', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS'),
  ('SG', '810', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED'),
  ('SG', '820', 'GST output tax', 'GST עסקאות', 'LIABILITY', 'OUTPUT_TAX'),
  ('SG', '825', 'CPF payable', 'CPF לתשלום', 'LIABILITY', null),
  ('SG', '830', 'Income tax payable', 'מס הכנסה לשלם', 'LIABILITY', null),
  ('SG', '840', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES'),
  ('SG', '860', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING'),
  ('SG', '900', 'Loans', 'הלוואות', 'LIABILITY', null),
  ('SG', '950', 'Share capital', 'הון מניות', 'EQUITY', null),
  ('SG', '960', 'Retained earnings', 'עודפים', 'EQUITY', null),
  ('SG', '970', 'Funds of the owner', 'חשבון בעלים', 'EQUITY', null),
  ('SG', '999', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES'),
  ('US', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH'),
  ('US', '1050', 'Petty cash', 'קופה קטנה', 'ASSET', null),
  ('US', '1200', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES'),
  ('US', '1300', 'Inventory', 'מלאי', 'ASSET', null),
  ('US', '1400', 'Advances to vendors', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES'),
  ('US', '1410', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null),
  ('US', '1450', 'Recoverable tax on purchases', 'מס תשומות', 'ASSET', 'INPUT_TAX'),
  ('US', '1460', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING'),
  ('US', '1500', 'Equipment', 'ציוד', 'ASSET', null),
  ('US', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null),
  ('US', '2000', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES'),
  ('US', '2100', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS'),
  ('US', '2200', 'Sales tax payable', 'מס מכירה לשלם', 'LIABILITY', 'OUTPUT_TAX'),
  ('US', '2250', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED'),
  ('US', '2300', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES'),
  ('US', '2310', 'Payroll taxes payable', 'מסי שכר לשלם', 'LIABILITY', null),
  ('US', '2400', 'Credit cards', 'כרטיסי אשראי', 'LIABILITY', null),
  ('US', '2500', 'Loans', 'הלוואות', 'LIABILITY', null),
  ('US', '3000', 'Common stock', 'הון מניות', 'EQUITY', null),
  ('US', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null),
  ('US', '3200', 'Distributions to owners', 'משיכות בעלים', 'EQUITY', null),
  ('US', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES'),
  ('US', '4000', 'Sales', 'מכירות', 'INCOME', 'REVENUE'),
  ('US', '4100', 'Non-taxable sales', 'מכירות שאינן חייבות במס', 'INCOME', null),
  ('US', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null),
  ('US', '5000', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', null),
  ('US', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES'),
  ('US', '6010', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null),
  ('US', '6020', 'Bank charges', 'עמלות בנק', 'EXPENSE', null),
  ('US', '6030', 'Depreciation', 'פחת', 'EXPENSE', null),
  ('US', '6040', 'Meals', 'כיבוד ואירוח', 'EXPENSE', null),
  ('US', '6050', 'Office', 'הוצאות משרד', 'EXPENSE', null),
  ('US', '6060', 'Professional fees', 'שירותים מקצועיים', 'EXPENSE', null),
  ('US', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null),
  ('US', '6080', 'Software', 'תוכנה', 'EXPENSE', null),
  ('US', '6090', 'Travel', 'נסיעות', 'EXPENSE', null),
  ('US', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL'),
  ('US', '6110', 'Payroll taxes', 'מסי שכר', 'EXPENSE', null),
  ('US', '7000', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null),
  ('US', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES'),
  ('US', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING'),
  ('US', '8000', 'Income taxes', 'מסי הכנסה', 'EXPENSE', null);

create table accounts (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  code            text not null check (code ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'),
  name            text not null check (name <> ''),
  name_he         text check (name_he <> ''),
  type            text not null check (type in ('ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE')),
  purpose         text check (purpose <> ''), -- what the derived journal books to it
  active          boolean not null default true,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint one_account_per_code unique (organization_id, code),
  constraint account_state unique (organization_id, id, type, active), -- mappings refer to active accounts of a type
  constraint account_with_purpose_is_active check (purpose is null or active)
);
create unique index one_account_per_purpose on accounts (organization_id, purpose) where purpose is not null;
create index on accounts (id);
select organization_table('accounts');
revoke insert, update, delete on accounts from kontor_confined;
grant insert (organization_id, id, code, name, name_he, type, active), update (code, name, name_he, active) on accounts to kontor_confined;

-- What is booked to another account than the one of its purpose: expenses of a category, money of a bank account, and lines
-- of a tax category. The type of the account says which side of a tax category it takes: INCOME the net amount of sales,
-- EXPENSE that of purchases, LIABILITY the tax on sales, ASSET that on purchases.
create table account_mappings (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  entry           uuid not null default gen_random_uuid(),
  account_id      uuid not null,
  account_type    text not null,
  account_active  boolean not null default true check (account_active),
  category_id     uuid,
  bank_account_id uuid,
  tax_category    text check (tax_category ~ '^\S{1,20}$'),
  primary key (organization_id, entry),
  constraint mapping_of_one_thing check (num_nonnulls(category_id, bank_account_id, tax_category) = 1),
  constraint mapping_fits_account_type check (case when category_id is not null then account_type in ('EXPENSE', 'ASSET')
    when bank_account_id is not null then account_type in ('ASSET', 'LIABILITY') else account_type <> 'EQUITY' end),
  constraint mapped_account_is_active foreign key (organization_id, account_id, account_type, account_active)
    references accounts (organization_id, id, type, active),
  foreign key (organization_id, category_id) references expense_categories on delete cascade,
  foreign key (organization_id, bank_account_id) references bank_accounts on delete cascade
);
create unique index one_account_per_category on account_mappings (organization_id, category_id) where category_id is not null;
create unique index one_account_per_bank_account on account_mappings (organization_id, bank_account_id) where bank_account_id is not null;
create unique index one_account_per_tax_category on account_mappings (organization_id, tax_category, account_type) where tax_category is not null;
create index on account_mappings (organization_id, account_id);
select organization_table('account_mappings');

-- Every organization gets the chart of its country, also one that the version before creates.
create function add_default_accounts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (organization_id, id, code, name, name_he, type, purpose)
    select new.id, new_id(), a.code, a.name, a.name_he, a.type, a.purpose from default_accounts a where a.country = new.country
    order by a.code;
  return null;
end $$;
create trigger add_default_accounts after insert on organizations for each row execute function add_default_accounts();
insert into accounts (organization_id, id, code, name, name_he, type, purpose)
  select o.id, new_id(), a.code, a.name, a.name_he, a.type, a.purpose
  from organizations o join default_accounts a on a.country = o.country order by o.id, a.code;

-- Entries made by hand, in the home currency. They are appended, never changed; an entry is undone by its reversal.
create table journal_entries (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  number          bigint not null default 0 check (number > 0), -- given by the trigger, without gaps
  kind            text not null check (kind in ('MANUAL', 'OPENING')),
  date            date not null,
  description     text not null check (description <> ''),
  reference       text,
  currency        text not null default '' check (currency <> ''), -- the home currency, set by the trigger
  reverses_id     uuid,
  created_by      uuid default current_person(),
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint one_entry_per_number unique (organization_id, number),
  constraint one_reversal_per_entry unique (organization_id, reverses_id),
  foreign key (organization_id, reverses_id) references journal_entries
);
create index on journal_entries (id);
create index on journal_entries (organization_id, date, number);
select organization_table('journal_entries');
select append_only('journal_entries');
revoke insert on journal_entries from kontor_confined;
grant insert (organization_id, id, kind, date, description, reference, reverses_id) on journal_entries to kontor_confined;

create table journal_entry_lines (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  entry_id        uuid not null,
  position        integer not null check (position > 0),
  account_id      uuid not null,
  debit_minor     bigint not null default 0,
  credit_minor    bigint not null default 0,
  description     text,
  primary key (organization_id, entry_id, position),
  constraint debit_or_credit check (debit_minor >= 0 and credit_minor >= 0 and (debit_minor = 0) <> (credit_minor = 0)),
  foreign key (organization_id, entry_id) references journal_entries on delete cascade,
  foreign key (organization_id, account_id) references accounts
);
create index on journal_entry_lines (organization_id, account_id);
select organization_table('journal_entry_lines');
select append_only('journal_entry_lines');

-- Numbers are given in the order of the commits: whoever makes an entry waits for the one before.
create function number_journal_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.organization_id::text || ':journal entries', 0));
  new.number := coalesce((select max(e.number) from journal_entries e where e.organization_id = new.organization_id), 0) + 1;
  new.currency := (select o.currency from organizations o where o.id = new.organization_id);
  if exists (select from journal_entries e where e.organization_id = new.organization_id and e.id = new.reverses_id and e.reverses_id is not null) then
    raise exception 'A reversal is not reversed.' using errcode = 'check_violation', constraint = 'reversal_stays';
  end if;
  return new;
end $$;
create trigger number_journal_entry before insert on journal_entries for each row execute function number_journal_entry();

create function guard_entry_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  entry journal_entries;
begin
  select * into entry from journal_entries e where e.organization_id = new.organization_id and e.id = new.entry_id;
  if entry.created_at <> now() then
    raise exception 'An entry does not change.' using errcode = 'check_violation', constraint = 'entry_is_final';
  end if;
  if entry.reverses_id is null and exists (select from accounts a
      where a.organization_id = new.organization_id and a.id = new.account_id and not a.active) then
    raise exception 'The account is not active.' using errcode = 'check_violation', constraint = 'entry_uses_active_accounts';
  end if;
  return new;
end $$;
create trigger guard_entry_lines before insert on journal_entry_lines for each row execute function guard_entry_lines();

create function require_balanced_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from journal_entry_lines l where l.organization_id = new.organization_id and l.entry_id = new.id
      having count(*) >= 2 and sum(l.debit_minor) = sum(l.credit_minor)) then
    raise exception 'Debits and credits differ.' using errcode = 'check_violation', constraint = 'entry_is_balanced';
  end if;
  return null;
end $$;
create constraint trigger entry_is_balanced after insert on journal_entries deferrable initially deferred
  for each row execute function require_balanced_entry();

-- An amount in the home currency. Without a rate its face value counts.
create function home_minor(amount numeric, currency text, home text, rate numeric) returns bigint language sql immutable parallel safe as $$
  select (case when currency = home then amount else convert_minor(amount, currency, home, 1, coalesce(rate, 1)) end)::bigint
$$;
grant execute on function home_minor to kontor_confined, kontor_across;

-- The rate of a payment is that of its day, fixed when it is recorded, since rates may be published later. A payment in the
-- home currency has none of these columns. The credit of a memo has the rate of the memo.
alter table payments
  add column exchange_rate numeric check (exchange_rate > 0),
  add column rate_currency text,
  add column rate_date date,
  add column refund_home_minor bigint; -- of a refund: what it takes off the refunded payment, in the home currency
alter table allocations
  add column booked_on date, -- the day of the journal
  -- in the home currency, where payment and document are in another one: what the document is relieved of at its rate, and
  -- what of the payment is used at its rate
  add column document_home_minor bigint,
  add column payment_home_minor bigint;

-- What a part of a payment is worth in the home currency. The last part takes what rounding has left of the whole.
create function part_of_payment(whole payments, part bigint) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(u.minor), 0), coalesce(sum(u.home), 0) into used, used_home from (
    select a.amount_minor as minor, coalesce(a.payment_home_minor, a.amount_minor) as home from allocations a
      where a.organization_id = whole.organization_id and a.payment_id = whole.id and a.voided_at is null
    union all
    select r.amount_minor, coalesce(r.refund_home_minor, r.amount_minor) from payments r
      where r.organization_id = whole.organization_id and r.refund_of = whole.id and r.voided_at is null) u;
  if used + part = whole.amount_minor then
    return home_minor(whole.amount_minor, whole.currency, whole.rate_currency, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, whole.rate_currency, whole.exchange_rate);
end $$;

-- The same of a document.
create function part_of_document(whole documents, part bigint, home text) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  used numeric;
  used_home numeric;
begin
  select coalesce(sum(a.amount_minor), 0), coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) into used, used_home
    from allocations a where a.organization_id = whole.organization_id and a.document_id = whole.id and a.voided_at is null;
  if used + part = whole.total_minor then
    return home_minor(whole.total_minor, whole.currency, home, whole.exchange_rate) - used_home;
  end if;
  return home_minor(part, whole.currency, home, whole.exchange_rate);
end $$;

create function set_payment_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own organizations;
  home text;
  refunded payments;
begin
  select * into own from organizations o where o.id = new.organization_id;
  home := own.currency;
  if new.currency = home then return new; end if;
  new.rate_currency := home;
  if new.source <> 'CREDIT_MEMO' then
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
      from rate_on(new.currency, home, new.paid_at, own.country) r;
  end if;
  if new.refund_of is not null then
    select * into refunded from payments p where p.organization_id = new.organization_id and p.id = new.refund_of for no key update;
    new.refund_home_minor := case when refunded.rate_currency = home then part_of_payment(refunded, new.amount_minor)
      else home_minor(new.amount_minor, new.currency, home, new.exchange_rate) end; -- it was received in another home currency
  end if;
  return new;
end $$;
create trigger set_payment_rate before insert on payments for each row execute function set_payment_rate();

-- A credit memo has the rate of the document that it corrects, and so has its credit.
create function set_credit_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update payments p set exchange_rate = new.exchange_rate, rate_currency = new.rate_currency, rate_date = new.rate_date
    where p.organization_id = new.organization_id and p.id = new.payment_id and p.exchange_rate is distinct from new.exchange_rate;
  return null;
end $$;
create trigger set_credit_rate after insert on documents for each row
  when (new.document_type = 'CREDIT_MEMO' and new.payment_id is not null and new.rate_currency <> new.currency) execute function set_credit_rate();

-- An allocation is booked when payment and document are both there; one that was made later than its payment on its own day.
create function booked_day(paid_on date, issued_on date, paid timestamptz, allocated timestamptz, zone text) returns date
  language sql stable parallel safe as $$
  select greatest(paid_on, issued_on, case when allocated <> paid then (allocated at time zone zone)::date end)
$$;

create function book_allocation() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paying payments;
  owed documents;
begin
  select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id;
  if paying.rate_currency is not null then -- the amounts depend on the allocations before: one after the other
    perform from documents d where d.organization_id = new.organization_id and d.id = new.document_id for no key update;
    select * into paying from payments p where p.organization_id = new.organization_id and p.id = new.payment_id for no key update;
  end if;
  select * into owed from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  select booked_day(paying.paid_at, owed.issue_date, paying.created_at, now(), o.timezone) into new.booked_on
    from organizations o where o.id = new.organization_id;
  if paying.rate_currency is null then return new; end if;
  if paying.source = 'CREDIT_MEMO' and paying.exchange_rate is null and owed.rate_currency = paying.rate_currency then
    -- the credit is used before its memo is written
    paying.exchange_rate := owed.exchange_rate;
    update payments p set exchange_rate = owed.exchange_rate, rate_date = owed.rate_date
      where p.organization_id = new.organization_id and p.id = new.payment_id;
  end if;
  new.payment_home_minor := part_of_payment(paying, new.amount_minor);
  -- a document that was issued in another home currency is relieved at the rate of the payment
  new.document_home_minor := case when owed.rate_currency <> paying.rate_currency then new.payment_home_minor
    else part_of_document(owed, new.amount_minor, paying.rate_currency) end;
  return new;
end $$;
create trigger book_allocation before insert on allocations for each row execute function book_allocation();

-- A document that was paid before it became final is relieved at the rate that it gets then.
create function book_allocations_when_final() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paid record;
  used bigint := 0;
  used_home bigint := 0;
  home bigint;
begin
  for paid in select a.id, a.amount_minor, a.payment_home_minor, p.rate_currency,
      booked_day(p.paid_at, new.issue_date, p.created_at, a.created_at, o.timezone) as day
    from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join organizations o on o.id = a.organization_id
    where a.organization_id = new.organization_id and a.document_id = new.id and a.voided_at is null order by a.created_at, a.id
  loop
    home := case when paid.rate_currency is null then null
      when new.rate_currency <> paid.rate_currency then paid.payment_home_minor
      when used + paid.amount_minor = new.total_minor
        then home_minor(new.total_minor, new.currency, paid.rate_currency, new.exchange_rate) - used_home
      else home_minor(paid.amount_minor, new.currency, paid.rate_currency, new.exchange_rate) end;
    used := used + paid.amount_minor;
    used_home := used_home + coalesce(home, paid.amount_minor);
    update allocations a set booked_on = paid.day, document_home_minor = home where a.organization_id = new.organization_id and a.id = paid.id;
  end loop;
  return null;
end $$;
create trigger book_allocations_when_final after update on documents for each row
  when (old.issued_at is null and new.issued_at is not null and new.paid_minor > 0) execute function book_allocations_when_final();

-- Payments and allocations from before. The triggers must not run: they would see changes where there are none.
alter table payments disable trigger user;
alter table allocations disable trigger user;
update payments p set rate_currency = o.currency, exchange_rate = r.rate, rate_date = r.rate_date
  from (select p.organization_id, p.id, o.currency, printed_rate(r.from_rate, r.to_rate) as rate, r.rate_date
      from payments p join organizations o on o.id = p.organization_id
      left join lateral rate_on(p.currency, o.currency, p.paid_at, o.country) r on true
      where p.currency <> o.currency and p.source <> 'CREDIT_MEMO') r
    join organizations o on o.id = r.organization_id
  where p.organization_id = r.organization_id and p.id = r.id;
update payments p set rate_currency = coalesce(d.rate_currency, o.currency), exchange_rate = d.exchange_rate, rate_date = d.rate_date
  from documents d join organizations o on o.id = d.organization_id
  where d.document_type = 'CREDIT_MEMO' and d.organization_id = p.organization_id and d.payment_id = p.id
    and p.currency <> coalesce(d.rate_currency, o.currency);
update allocations a set booked_on = b.booked_on, payment_home_minor = b.payment_home_minor, document_home_minor = b.document_home_minor
  from (
    select a.organization_id, a.id, booked_day(p.paid_at, d.issue_date, p.created_at, a.created_at, o.timezone) as booked_on,
      case when p.rate_currency is not null then s.payment_home end as payment_home_minor,
      case when p.rate_currency is null then null when d.rate_currency <> p.rate_currency then s.payment_home else s.document_home end as document_home_minor
    from (select a.*, sum(a.amount_minor) over (partition by a.organization_id, a.payment_id, a.voided_at is null order by a.created_at, a.id) as of_payment,
        sum(a.amount_minor) over (partition by a.organization_id, a.document_id, a.voided_at is null order by a.created_at, a.id) as of_document
      from allocations a) a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    join organizations o on o.id = a.organization_id
    cross join lateral (select case when a.voided_at is null then a.of_payment else a.amount_minor end as of_payment,
      case when a.voided_at is null then a.of_document else a.amount_minor end as of_document) u
    cross join lateral (select
      home_minor(u.of_payment, p.currency, p.rate_currency, p.exchange_rate)
        - home_minor(u.of_payment - a.amount_minor, p.currency, p.rate_currency, p.exchange_rate) as payment_home,
      home_minor(u.of_document, d.currency, p.rate_currency, d.exchange_rate)
        - home_minor(u.of_document - a.amount_minor, d.currency, p.rate_currency, d.exchange_rate) as document_home) s
  ) b
  where a.organization_id = b.organization_id and a.id = b.id;
alter table allocations enable trigger user;
alter table payments enable trigger user;

-- A period of the journal is found by its days.
create index on documents (organization_id, issue_date) where kind <> 'SALES';
create index cancelled_documents on documents (organization_id, cancelled_at) where cancelled_at is not null;
create index voided_payments on payments (organization_id, voided_at) where voided_at is not null;
create index on allocations (organization_id, booked_on);
create index voided_allocations on allocations (organization_id, voided_at) where voided_at is not null;

-- The lines of the journal from one day to another, both included: `minor` in the currency of what happened and
-- `home_minor` in the home currency, debits positive. The lines of an event add up to zero in both. What conversion and
-- rounding leave in the home currency is its last line.
create function journal_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text, event_id uuid,
    document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text,
    bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with kinds as materialized (
    select k.kind, k.balance_account, k.result_account, k.unbilled_types from all_ledger_kinds() k
  ), issued as (
    select d.organization_id, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.tax_minor, d.total_minor
    from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.organization_id, d.issue_date, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end, 1, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.tax_minor, d.total_minor
    from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ), closed as (
    -- what was asked for without an invoice is no longer owed once it was cancelled or invoiced
    select d.organization_id, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ), paid as (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
    union all
    select p.organization_id, greatest(p.paid_at, (p.voided_at at time zone o.timezone)::date), 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p join organizations o on o.id = p.organization_id
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ), allocated as (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where a.booked_on between first_day and last_day
    union all
    select a.organization_id, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), 'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id
    where a.voided_at is not null and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ), lines as (
    -- as for what is owed to us; what we owe is turned round below
    select i.organization_id, i.day, i.event, i.id as event_id, i.id as document_id, i.payment_id, i.direction, i.times, l.line, l.account,
      l.tax_category, null::uuid as bank_account_id, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate) as home_minor,
      h.home, i.exchange_rate, 'ROUNDING' as rest
    from issued i
    join organizations o on o.id = i.organization_id
    join kinds k on k.kind = i.kind
    left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and i.event = 'CREDITED'
    cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
      case i.event when 'CREDITED' then -1 else 1 end as side) b
    cross join lateral (
      select null::text as tax_category, true as is_first, i.total_minor - i.tax_minor as net, i.tax_minor as tax
      where b.billed and not exists (select from account_mappings m where m.tax_category is not null)
      union all
      select null, true, i.total_minor, 0 where not b.billed
      union all
      -- the net amount and the tax by tax category, in proportion to the lines
      select c.tax_category, c.is_first,
        (case when c.all_net = 0 then case when c.is_first then n.net else 0 end
          else round(n.net * c.net_upto / c.all_net) - round(n.net * (c.net_upto - c.net) / c.all_net) end)::bigint,
        (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
          else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
      from (select i.total_minor - i.tax_minor as net) n, (
        select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
          sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
          sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
        from (select l.tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
          from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by l.tax_category) g) c
      where b.billed and exists (select from account_mappings m where m.tax_category is not null)
    ) p
    cross join lateral (values
      (1, case i.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
      (2, case when b.billed then k.result_account else 'UNBILLED' end, p.tax_category, -b.side * p.net),
      (3, 'TAX', p.tax_category, -b.side * p.tax)) l (line, account, tax_category, minor)
    union all
    select d.organization_id, e.day, e.event, d.id, d.id, null, d.direction, 1, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, d.exchange_rate, 'ROUNDING'
    from closed e join documents d on d.organization_id = e.organization_id and d.id = e.id
    join organizations o on o.id = d.organization_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
      from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
    cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
      (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
    cross join lateral (values (1, k.balance_account, -open.minor, -open.home), (2, 'UNBILLED', open.minor, open.home)) l (line, account, minor, home)
    where e.day between first_day and last_day
    union all
    -- a refund gives back what was received: the same accounts, the other way round
    select p.organization_id, p.day, p.event, p.id, null, p.id, r.direction, r.times, l.line, l.account, null, l.bank_account_id, l.minor, p.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
        is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
    from paid p
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
      case when p.refund_of is null then p.times else -p.times end as times) r
    cross join lateral (values
      (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (3, 'PREPAYMENTS', null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
    ) l (line, account, bank_account_id, minor, home)
    where p.day between first_day and last_day
    union all
    select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
    from allocated a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (values (1, 'PREPAYMENTS', a.amount_minor, coalesce(a.payment_home_minor, a.amount_minor)),
      (2, k.balance_account, -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor))) l (line, account, minor, home)
    where d.issued_at is not null and a.day between first_day and last_day
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from lines l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.tax_category,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day
$$;
grant execute on function journal_lines to kontor_confined, kontor_across;

-- The derived journal in the currencies of what happened, by the words of its accounts.
create or replace function journal() returns table (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid,
    account text, debit_minor bigint, credit_minor bigint, currency text) language sql stable parallel safe as $$
  select l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.account, greatest(sum(l.minor), 0)::bigint,
    greatest(-sum(l.minor), 0)::bigint, l.currency
  from journal_lines('-infinity', 'infinity') l where l.entry_id is null
  group by l.organization_id, l.day, l.event, l.event_id, l.document_id, l.payment_id, l.line, l.account, l.currency having sum(l.minor) <> 0
$$;
