-- In local mode without a mail server a letter is kept in the outbox and goes nowhere. Before, it looked like one that was sent.
alter table mail_deliveries add kept boolean not null default false, add check (not kept or status = 'SENT');
grant update (kept) on mail_deliveries to kontor_confined;
