-- How sales documents reach people: exact sending, files that go along, the public page and what customers say there.

-- What a letter encloses, named and not kept: [{kind, …}]; it is fetched or made when the letter is sent. And the job that
-- is ordered once it is known what became of the letter: {job, payload, notBefore}.
alter table mail_deliveries add column enclosures jsonb not null default '[]', add column follow_up jsonb;
-- An outbox holds what a letter may enclose.
alter table outbox drop constraint outbox_contents_check;
alter table outbox add constraint outbox_contents_check check (octet_length(contents) <= 15728640);

-- Letters about a document: one mailing has one for each recipient. What became of a letter is told in the events of the
-- document once, by whoever learns it first. Letters are pruned after a while, so there is no reference to them.
create table document_mailings (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  mailing_id      uuid not null,
  delivery_id     uuid not null,
  document_id     uuid not null,
  told_at         timestamptz,
  primary key (organization_id, mailing_id, delivery_id),
  foreign key (organization_id, document_id) references documents on delete cascade
);
create index on document_mailings (organization_id, document_id);
select organization_table('document_mailings');
revoke update, delete on document_mailings from kontor_confined;
grant update (told_at) on document_mailings to kontor_confined;

-- The address of the public page is signed over this number: raising it closes every address given out before.
alter table documents add column link_version integer not null default 1 check (link_version > 0);
grant update (link_version) on documents to kontor_confined;
-- How often a page was opened is asked for at every opening.
create index on document_events (organization_id, document_id, created_at) where type = 'VIEWED';

-- Files that go along with a document, at most 20.
create table document_attachments (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  document_id     uuid not null,
  position        smallint not null,
  file_id         uuid not null,
  created_by      uuid default current_person() references users on delete set null,
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, document_id, position),
  foreign key (organization_id, document_id) references documents on delete cascade,
  foreign key (organization_id, file_id) references files,
  constraint attachments_max check (position between 1 and 20)
);
create index on document_attachments (id);
create index on document_attachments (organization_id, file_id);
create index on document_attachments (created_by);
select organization_table('document_attachments');
revoke update, delete on document_attachments from kontor_confined; -- what was sent along stays; a draft takes its own along

-- Whoever holds a link to a document is nobody in particular, and what they do there is in the trail all the same.
alter table audit_log drop constraint somebody_did_it;
alter table audit_log add constraint somebody_did_it check (user_id is not null or source in ('SYSTEM', 'LINK'));
create policy deed_by_link on audit_log for insert to kontor_confined
  with check (source = 'LINK' and user_id is null and (select current_person()) is null and organization_id = (select current_organization()));
