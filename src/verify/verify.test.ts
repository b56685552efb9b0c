import '../test/own-world.ts'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { queueTables } from '../db/queue.ts'
import { sumUpLockedPeriod } from '../features/company/settings/sum-up-locked-period.ts'
import { linkFor, personWithPassword } from '../test/accounts.ts'
import { action, automate, graphOf, trigger } from '../test/automations/automations.ts'
import { asSuperuser } from '../test/database.ts'
import { doJob } from '../test/job.ts'
import { payrollOf, payslipIdOf } from '../test/payroll/company.ts'
import { removeJobs } from '../test/queue.ts'
import { sell } from '../test/sales-documents.ts'
import { violations } from '../test/violations.ts'
import { member, type Someone, send, theApp, theDatabase, withKey } from '../test/world.ts'
import { checks } from './checks.ts'
import { findViolations, readObservations, report, verify } from './verify.ts'

/** The test server trades durability for speed, and verify reports that as INV-22. */
const dependencies = () => ({ system: theApp().system, storage: theApp().providers.storage })
const broken = () => violations({ files: true })

test('all rules hold after ordinary work', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS', isDefault: true })
  await amy.call('customers_update_patch', { id, notes: 'x' })
  await sell(amy)
  const { id: sold } = await sell(amy, { status: 'SENT' })
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
  await amy.call('invoices_mark_paid', { id: sold, ...paid, generateReceipt: true })
  await amy.call('invoices_update', { id: sold, clearReceiptInfo: true })
  await amy.call('invoices_memos', { id: sold, kind: 'CREDIT' })
  const day = { paidAt: '2026-01-31' }
  const { id: billed } = await sell(amy, { customerId: id, status: 'SENT' })
  const allocations = [{ documentId: billed, amount: 50 }]
  const money = { amount: 150, currency: 'SGD', withheldAmount: 15, allocations, ...day }
  const payment = await amy.call('invoices_payments_create', money)
  await amy.call('invoices_payments_receipt', { id: payment.id })
  await amy.call('invoices_payments_refund', { id: payment.id, amount: 60, ...day })
  const voided = await amy.call('invoices_payments_refund', { id: payment.id, ...day })
  await amy.call('invoices_payments_void', { id: voided.id })
  const allocationId = String(payment.allocations[0]?.id)
  await amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })
  expect(await broken()).toEqual([])
})

test('SSRF-9 IDEM-5: a refused target and an interrupted request without a retry break no rule', async () => {
  const amy = await withKey(await member('OWNER'))
  const url = 'http://169.254.169.254/latest/meta-data'
  const headers = { ...amy.credentials, 'idempotency-key': 'broken-off' }
  const payload = { organizationId: amy.organizationId, file: { fileName: 'a.txt', url } }
  expect(await send({ method: 'POST', url: '/api/files', headers, body: payload })).toMatchObject({ status: 400 })
  await theApp().system.raw.query(remembered(amy.userId, "null, now() - interval '2 hours'"))
  expect(await broken()).toEqual([])
  await theApp().system.raw.query('delete from idempotency_keys where user_id = $1', [amy.userId])
})

test('INV-13: a run that was replayed after its failed block was removed breaks no rule', async () => {
  const amy = await member('CONTRIBUTOR')
  const mistaken = graphOf([trigger('invoice.paid'), action('gone', 'customers_get', { id: newId() })], 'start>gone')
  const id = await automate(amy, mistaken, { armed: false })
  const { id: runId } = await amy.call('automations_test', { id })
  await amy.call('automations_update', { id, ...graphOf([trigger('invoice.paid')]) } as never)
  const { status, steps } = await amy.call('automations_replay', { id, runId })
  expect([status, steps.at(-1)?.status]).toEqual(['SUCCEEDED', 'FAILED'])
  expect(await broken()).toEqual([])
  await removeJobs('key = $1', [`run:${runId}`])
})

test('INV-22: a server that may lose committed data is reported', async () => {
  const violations = await verify(dependencies())
  expect(violations.map(({ id }) => id)).toEqual(['INV-22'])
  expect(report(violations)).toMatch(/BROKEN {2}INV-22 .*\n.*fsync/)
})

test('INV-10: a customer without an event and an audit entry is reported with its ids', async () => {
  const { organizationId = '' } = await member('OWNER')
  const id = newId()
  await theApp().system.raw.query(
    "insert into customers (organization_id, id, name, kind, default_currencies) values ($1, $2, 'Smuggled', 'ORGANIZATION', '{}')",
    [organizationId, id],
  )
  expect(await broken()).toMatchObject([{ id: 'INV-10', rows: [{ organizationId, id }] }])
  await theApp().system.raw.query('delete from customers where id = $1', [id])
})

test('INV-18: a table without its policy is reported', async () => {
  await theApp().system.raw.query('create table unguarded (id uuid)')
  expect(await broken()).toMatchObject([{ id: 'INV-18', rows: [{ table: 'unguarded' }] }])
  await theApp().system.raw.query('drop table unguarded')
})

test('rows that are later than now, as a wrong clock leaves them, are counted and are not a violation', async () => {
  const { organizationId, userId } = await member('OWNER')
  const query = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)
  const cause = JSON.stringify({ source: 'CLOCK', requestId: 'clock' })
  const event = await query(
    `insert into events (organization_id, id, type, payload, cause, created_at)
     values ($1, schedule_event_id($1, 'schedule.daily', '2099-03-02'), 'schedule.daily', '{"period": "2099-03-02"}', $2, '2099-03-02') returning id`,
    [organizationId, cause],
  )
  const mark = "insert into schedule_marks values ($1, 'schedule.daily', '2099-03-02', '2099-03-02', '2099-03-02')"
  await query(mark, [organizationId])
  await query(
    `insert into audit_log (organization_id, id, operation, source, user_id, request_id, created_at)
     values ($1, gen_random_uuid(), 'customers_create', 'SESSION', $2, 'early', '2099-03-02')`,
    [organizationId, userId],
  )
  expect(event.rowCount).toBe(1)
  expect(await broken()).toEqual([])
  const says =
    'Audit entries, events and fired schedules that are later than now, as a clock that was wrong leaves them: 3'
  expect(await readObservations(theApp().system)).toContain(says)
  expect(report([], [says])).toMatch(/All rules hold\.\n\nAlso:\n {2}Audit entries/)
  await query('delete from organizations where id = $1', [organizationId]).catch(() => {})
})

test('failed jobs are counted and are not a violation', async () => {
  await theApp().system.raw.query(
    "insert into failed_jobs (id, job, payload, attempts, error) values ($1, 'send-mail', '{}', 5, 'busy')",
    [newId()],
  )
  const observed = await readObservations(theApp().system)
  expect(observed).toContain('Failed jobs that were given up: 1')
  expect(report([], observed)).toMatch(/All rules hold\.\n\nAlso:\n {2}Failed jobs that were given up/)
})

/** Selects the organization and id of a sale that was issued, and further values. */
const issuedSale = (organizationId: string | undefined, values: string) =>
  `select organization_id, id, ${values} from documents d where organization_id = '${organizationId}' and issued_at is not null limit 1`

/** An approval whose number is neither on the document nor in its history. */
const approvedWithout = ({ organizationId }: Someone) =>
  `insert into clearances (organization_id, document_id, authority, environment, status, number, source, decided_at, request)
    ${issuedSale(organizationId, "'il-ita-invoices', 'sandbox', 'APPROVED', '123456789', 'AUTHORITY', now(), jsonb_build_object('invoice_id', id)")}`

/** A condition that chooses the rows of the company whose payroll the cases below alter. */
const ofPayroll = () => `organization_id = '${payrollId}'`
let payrollId = ''

/** For each rule, the SQL that breaks it: executed as owner with triggers disabled. */
const breaks: Record<string, (amy: Someone) => string> = {
  'The lines of a payslip add up: gross less deductions is the net pay, and gross with contributions is what its document owes.':
    () => `update payslip_lines set amount_minor = amount_minor + 1 where ${ofPayroll()} and kind = 'EARNING'`,
  'The document of a payslip owes the net pay, and for every scheme what the payslip withholds and contributes.': () =>
    `update document_lines set id = 'SDL-2' where ${ofPayroll()} and id = 'SDL'`,
  'Net pay is paid by advances and net payments, schemes by payments to authorities, and neither with more than is owed.':
    () =>
      `update payments set source = case source when 'NET' then 'STATUTORY' else 'NET' end,
        counterparty_id = case source when 'NET' then null::uuid else gen_random_uuid() end where ${ofPayroll()} and source in ('NET', 'STATUTORY')`,
  'Advances are set off against a payslip only as far as a recorded decision says.': () =>
    `delete from payslip_consents where ${ofPayroll()}`,
  'An employee has at most one payslip for a month that is not void.': () =>
    `drop index one_payslip_per_month; update payslips set month = '2026-03-01', period_start = '2026-03-01', period_end = '2026-03-31' where ${ofPayroll()}`,
  'A payslip is void exactly when its document was cancelled, and nothing pays it or its claims then.': () =>
    `update payslips set voided_at = now() where ${ofPayroll()}`,
  'A claim for leave is a draft, open or void as its payslip is.': () =>
    `update documents set status = 'DRAFT' where ${ofPayroll()} and kind = 'PAYSLIP'`,
  'The claims for leave of a payslip of Singapore are its leave pay, and there are none elsewhere.': () =>
    `update documents set total_minor = total_minor + 1 where ${ofPayroll()} and kind = 'LEAVE_CLAIM'`,
  'An advance or net payment goes to a person and pays what is owed to them; a payment to authorities pays payslips, and one of an authority claims for leave.':
    () => `update payments set counterparty_id = gen_random_uuid() where ${ofPayroll()} and source = 'NET'`,
  'An employee is a person and has a wage.': () => `delete from employee_terms where ${ofPayroll()}`,
  'A payslip and a claim for leave have their document; a payslip is owed to its employee, for days of its month, and names the tables it was computed with.':
    () => `delete from leave_claims where ${ofPayroll()}`,
  'A document that the tax authority approved has that number and no other.': approvedWithout,
  'The history of a document tells of the number that the tax authority allocated, once.': approvedWithout,
  'No two documents of an organization have the same number of the tax authority.': ({
    organizationId,
  }) => `drop index one_document_per_allocation_number;
    insert into clearances (organization_id, document_id, authority, environment, status, number, source, decided_at, request)
    select '${organizationId}', d.id, 'il-ita-invoices', 'sandbox', 'APPROVED', '123456789', 'AUTHORITY', now(), jsonb_build_object('invoice_id', d.id)
    from (select gen_random_uuid() as id from generate_series(1, 2)) d`,
  'A submission that is approved has a number, a rejected one its reasons, and a failed one its error.': ({
    organizationId,
  }) => `alter table clearances drop constraint failed_with_error;
    insert into clearances (organization_id, document_id, authority, status) ${issuedSale(organizationId, "'il-ita-invoices', 'ERROR'")}`,
  'Only an issued sales document is submitted, and the request that was sent names it.': ({
    organizationId,
  }) => `alter table clearances drop constraint request_names_document;
    insert into clearances (organization_id, document_id, authority, request) ${issuedSale(organizationId, `'il-ita-invoices', '{"invoice_id": "another"}'`)}`,
  'A submission that waits for the tax authority has a job, or is being sent.': ({ organizationId }) =>
    `insert into clearances (organization_id, document_id, authority, submitted_at)
    ${issuedSale(organizationId, "'il-ita-invoices', now() - interval '2 hours'")}`,
  'Every table has forced row security and a policy.': () => 'alter table customers no force row level security',
  'The roles of requests own no tables and cannot bypass row security.': () => 'alter role kontor_across bypassrls',
  'No policy gives a request access to all rows.': () =>
    'create policy everything on customers to kontor_across using (true)',
  'Every reference points to an existing row of the same organization.': ({ organizationId }) =>
    `update customer_recipients set customer_id = gen_random_uuid() where organization_id = '${organizationId}'`,
  'All constraints are validated, all triggers enabled and all indexes valid.': () =>
    'alter table mail_deliveries disable trigger final',
  'The audit trail and the events are append-only.': () => 'grant truncate on events to kontor_confined',
  'Every audit entry has an actor.': ({ organizationId }) =>
    `update audit_log set request_id = '' where organization_id = '${organizationId}'`,
  'Commits are durable: fsync, synchronous_commit and full_page_writes are on.': () =>
    'set local synchronous_commit = off',
  'Every organization has an owner.': ({ organizationId }) =>
    `delete from memberships where organization_id = '${organizationId}'`,
  'An organization has at most one default bank account.': ({ organizationId }) => `drop index one_default_bank_account;
    insert into bank_accounts (organization_id, id, account_name, bank_name, currencies, is_default)
    select '${organizationId}', gen_random_uuid(), 'a', 'b', '{}', true from generate_series(1, 2)`,
  'Documents and payments in one currency have the same number of minor digits.': ({ organizationId }) =>
    `update payments set minor_digits = 3 where organization_id = '${organizationId}'`,
  'The amounts of every issued document match, within half a minor unit for each line and one for tax.': ({
    organizationId,
  }) => `update document_lines set amount_minor = amount_minor + 2 where organization_id = '${organizationId}'`,
  'The allocations and refunds of a payment do not exceed its amount, and a voided payment has none.': ({
    organizationId,
  }) => `update payments set voided_at = now() where organization_id = '${organizationId}'`,
  'A refund gives back a payment of the same customer and currency in the other direction, and pays nothing; withheld tax is a part of its payment.':
    ({ organizationId }) => `alter table payments drop constraint withheld_within_payment;
    update payments set withheld_minor = amount_minor + 1 where organization_id = '${organizationId}'`,
  'A valid receipt of a payment states its amount, and a payment has one.': ({ organizationId }) =>
    `update documents set document_type = 'RECEIPT', payment_id = (select id from payments p where p.organization_id = '${organizationId}' limit 1), total_minor = total_minor + 1 where organization_id = '${organizationId}'`,
  'A payment that has a valid receipt pays no valid receipt or invoice-receipt: money is stated once.': ({
    organizationId,
  }) => `update documents set document_type = 'INVOICE_RECEIPT' where organization_id = '${organizationId}';
    insert into documents (organization_id, id, document_type, status, issued_at, payment_id, counterparty_id, currency, minor_digits,
      issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
    select d.organization_id, gen_random_uuid(), 'RECEIPT', 'PAID', now(), a.payment_id, d.counterparty_id, d.currency, d.minor_digits,
      d.issue_date, d.total_minor, 0, d.total_minor, '0' from documents d
      join allocations a on a.organization_id = d.organization_id and a.document_id = d.id where d.organization_id = '${organizationId}'`,
  'The receipts and invoice-receipts that a payment pays do not state more than its amount.': ({ organizationId }) =>
    `update documents set document_type = 'INVOICE_RECEIPT' where organization_id = '${organizationId}';
    update allocations set amount_minor = amount_minor + 1 where organization_id = '${organizationId}'`,
  'An allocation is an advance exactly if it is money on a receipt of an issuer who was registered for tax.': ({
    organizationId,
  }) => `update allocations set is_advance = true where organization_id = '${organizationId}'`,
  'The paid and the credited amount of a document are the sums of its allocations.': ({ organizationId }) =>
    `update allocations set amount_minor = amount_minor - 1 where organization_id = '${organizationId}'`,
  'An allocation is a credit exactly if it settles the document that its credit memo corrects.': ({ organizationId }) =>
    `update allocations set is_credit = true where organization_id = '${organizationId}'`,
  'The credit memos of a document do not exceed it.': ({ organizationId }) =>
    `insert into documents (organization_id, id, document_type, status, issued_at, source_document_id, counterparty_id, currency, minor_digits,
      issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
    select organization_id, gen_random_uuid(), 'CREDIT_MEMO', 'SENT', now(), id, counterparty_id, currency, minor_digits,
      issue_date, total_minor + 1, 0, total_minor + 1, '0' from documents where organization_id = '${organizationId}'`,
  'A receipt has no memo: it is cancelled.': ({ organizationId }) =>
    `update documents set document_type = 'RECEIPT' where organization_id = '${organizationId}';
    insert into documents (organization_id, id, document_type, status, issued_at, source_document_id, counterparty_id, currency, minor_digits,
      issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
    select organization_id, gen_random_uuid(), 'DEBIT_MEMO', 'SENT', now(), id, counterparty_id, currency, minor_digits,
      issue_date, 0, 0, 0, '0' from documents where organization_id = '${organizationId}'`,
  'A receipt is valid only while its payment is: without one it is cancelled.': ({ organizationId }) =>
    `update documents set document_type = 'RECEIPT', status = 'SENT', paid_minor = 0 where organization_id = '${organizationId}'`,
  'A cancelled or converted document has no payments, and an invoice has taken the place of a converted one.': ({
    organizationId,
  }) =>
    `update documents set converted_to_id = id, status = 'SENT', paid_minor = 0 where organization_id = '${organizationId}'`,
  'A document is PAID if and only if it has no open balance and money was received.': ({ organizationId }) =>
    `update documents set status = 'SENT' where organization_id = '${organizationId}'`,
  'A credit memo is PAID if and only if its credit is used up.': ({ organizationId }) =>
    `update documents d set document_type = 'CREDIT_MEMO', status = 'SENT', payment_id = p.id
      from payments p where p.organization_id = d.organization_id and d.organization_id = '${organizationId}'`,
  'The credit of a memo is open only if nothing is open of the document that the memo corrects.': ({
    organizationId,
  }) => `
    update payments set allocated_minor = 0 where organization_id = '${organizationId}';
    update documents set status = 'SENT', paid_minor = 0 where organization_id = '${organizationId}';
    insert into documents (organization_id, id, document_type, status, issued_at, source_document_id, payment_id, counterparty_id, currency, minor_digits,
      issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
    select d.organization_id, gen_random_uuid(), 'CREDIT_MEMO', 'SENT', now(), d.id, p.id, d.counterparty_id, d.currency, d.minor_digits,
      d.issue_date, d.total_minor, 0, d.total_minor, '0' from documents d join payments p on p.organization_id = d.organization_id
      where d.organization_id = '${organizationId}'`,
  'The invoice for a payment request is of another official type than the request.': ({ organizationId }) =>
    `update documents set converted_to_id = id, status = 'SENT', paid_minor = 0 where organization_id = '${organizationId}'`,
  'Every document has a direction, type and status of its kind, and payments only where the kind accepts them.': ({
    organizationId,
  }) => `update documents set direction = 'INCOMING' where organization_id = '${organizationId}'`,
  'The kinds in the database are the kinds that this version declares.': () =>
    'update ledger_kinds set numbered = false',
  'The paid amount of a line is the sum of its allocations, where lines are paid one by one.': ({ organizationId }) =>
    `update document_lines set paid_minor = 1 where organization_id = '${organizationId}'`,
  'Document numbers run from the first number of their series to the counter without gaps.': ({ organizationId }) =>
    `update documents set sequence = 2 where organization_id = '${organizationId}'`,
  'Every issued document of a numbered kind has a number, drafts have none, and numbers are in the order of issue dates.':
    ({ organizationId }) => `
    update documents set sequence = 2, issue_date = '2026-01-01' where organization_id = '${organizationId}';
    ${anotherDocument(String(organizationId), { sequence: 1, number: '0', issueDate: '2026-01-02' })}`,
  'The official document types in the database are those that this version declares.': () =>
    "update official_document_types set title_en = 'Bill' where country = 'SG'",
  'Every issued sales document has the copy of what it was issued with, and no other document has one.': ({
    organizationId,
  }) => `delete from issued_copies where organization_id = '${organizationId}'`,
  'Printed numbers are unique per organization and official type.': ({
    organizationId,
  }) => `drop index one_printed_number;
    ${anotherDocument(String(organizationId), { sequence: 2, number: '1', issueDate: '2026-01-02' })};
    insert into issued_copies (organization_id, document_id, issuer, language, registered, official_type, title)
    select organization_id, id, '{}', 'en', true, document_type, '{}' from documents where organization_id = '${organizationId}' and sequence = 2`,
  'Every kept original is a file with the hash that the history of its document states.': ({ organizationId }) =>
    `update issued_copies set original_file_id = gen_random_uuid(), original_sha256 = repeat('0', 64) where organization_id = '${organizationId}'`,
  'The credit of a supplier is cancelled exactly if its payment is voided.': ({ organizationId }) =>
    `update documents d set document_type = 'CREDIT_MEMO', status = 'SENT', payment_id = p.id, paid_minor = 0 from payments p
      where d.organization_id = '${organizationId}' and p.organization_id = d.organization_id;
    update payments set voided_at = now() where organization_id = '${organizationId}'`,
  'The stored counts by type and status equal the number of documents and orders.': ({ organizationId }) =>
    `update document_counts set status = 'SENT' where organization_id = '${organizationId}'`,
  'Every document has its first history entry, and every issued document its event.': ({ organizationId }) =>
    `delete from document_events where organization_id = '${organizationId}'`,
  'The history of every document is an unbroken hash chain.': ({ organizationId }) =>
    `update document_events set payload = '{}' where organization_id = '${organizationId}' and seq = 1`,
  'The stored sales totals by day equal the sums of the documents.': ({ organizationId }) =>
    `update sales_by_day set open_minor = open_minor + 1 where organization_id = '${organizationId}'`,
  'The stored sales totals by customer equal the sums of the documents.': ({ organizationId }) =>
    `delete from sales_by_customer where organization_id = '${organizationId}'`,
  'The stored sales totals by customer and day equal the sums of the documents.': ({ organizationId }) =>
    `insert into sales_by_customer_day select organization_id, '2026-01-05', id, 'USD', 1, 0 from customers where organization_id = '${organizationId}'`,
  'The stored cash totals by day equal the sums of the payments.': ({ organizationId }) =>
    `insert into cash_by_day select * from cash_by_day where organization_id = '${organizationId}'`,
  'The scans that a month counts are the attachments that were scanned in it.': ({ organizationId }) =>
    `insert into scan_usage (organization_id, period, used) values ('${organizationId}', '2026-01', 1)`,
  'A document that was scanned belongs to the expense that its scan filled in.': ({ organizationId }) =>
    `insert into scanned_documents (organization_id, vendor_key, document_number, expense_id) values ('${organizationId}', 'name:acme', '1', gen_random_uuid())`,
  'A mail message makes one expense, which is the expense of that message.': ({ organizationId }) =>
    `insert into expenses (organization_id, id, source) values ('${organizationId}', '0190f3c4-0000-7000-8000-0000000000aa', 'MANUAL');
    insert into mail_messages (organization_id, key, outcome, is_detected, expense_id, connection_id)
      values ('${organizationId}', 'key', 'CREATED', true, '0190f3c4-0000-7000-8000-0000000000aa', gen_random_uuid())`,
  'A document that an access point received made one expense, or is a duplicate of one.': ({ organizationId }) =>
    `drop index one_received_einvoice_per_expense;
    insert into received_einvoices (organization_id, id, environment, access_point_id, outcome, expense_id)
      select '${organizationId}', gen_random_uuid(), 'sandbox', n::text, 'CREATED', '0190f3c4-0000-7000-8000-0000000000aa' from generate_series(1, 2) n`,
  'A turn of the companion that has not ended has a job, or waits for an earlier turn of its session.': (amy) =>
    `${turnOf(amy)}; update companion_turns set started_at = now() - interval '3 hours'`,
  'A turn of the companion that has ended has no step that is being executed.': (amy) => `${turnOf(amy)};
    update companion_turns set status = 'SUCCEEDED', finished_at = now();
    insert into companion_steps (organization_id, id, session_key, turn_id, user_id, kind, "order", status)
      select organization_id, gen_random_uuid(), session_key, id, user_id, 'TOOL', 1, 'RUNNING' from companion_turns`,
  'The events of a session with the companion are numbered without gaps.': (amy) => `${turnOf(amy)};
    insert into companion_events (organization_id, session_key, seq, user_id, turn_id, kind, delta)
      select organization_id, session_key, 2, user_id, id, 'token', 'x' from companion_turns; update companion_sessions set last_seq = 1`,
  'What the companion answered is the sum of the tokens of its turn.': (amy) => `${turnOf(amy)};
    insert into companion_messages (organization_id, id, session_key, user_id, turn_id, role, index, text)
      select organization_id, gen_random_uuid(), session_key, user_id, id, 'assistant', 1, 'Never said' from companion_turns`,
  'A planned payment is recorded when its payment is, with the same amount.': (amy) =>
    plannedPayment(amy, "'RECORDED'", 'current_date'),
  'A planned payment whose day has passed was recorded, or says why not.': (amy) =>
    plannedPayment(amy, "'PLANNED'", 'current_date - 5'),
  'A run over a mailbox counts its messages.': ({ organizationId }) =>
    `insert into ingestion_runs (organization_id, id, connection_id, date_from, date_to, emails_scanned)
      values ('${organizationId}', gen_random_uuid(), gen_random_uuid(), now(), now(), 1)`,
  'The stored totals of expenses by vendor equal the sums of the expenses.': ({ organizationId }) =>
    `insert into expenses_by_vendor values ('${organizationId}', '2026-01-05', 'PENDING', '', 'SGD', 0, '', 1, 100)`,
  'The level and the value of every item are the sums of its movements, which are numbered without gaps.': (
    amy,
  ) => `${lampOf(amy)};
    insert into stock_levels (organization_id, item_id, quantity, value_minor, unit_cost, home_currency) select organization_id, id, 1, 100, 100, 'SGD' from items`,
  'What leaves the stock leaves at the moving average.': (amy) => `${lampOf(amy)};
    insert into stock_movements (organization_id, item_id, sequence, kind, quantity, date, value_minor) select organization_id, id, 1, 'IN', 10, '2026-01-05', 1000 from items;
    insert into stock_movements (organization_id, item_id, sequence, kind, quantity, date, value_minor) select organization_id, id, 2, 'OUT', -5, '2026-01-05', -400 from items`,
  'An issued invoice has taken the goods of each line without an order out of the stock exactly once, and a cancelled one has put them back.':
    (amy) =>
      `${lampOf(amy)}; update document_lines l set catalog_item_id = i.id from items i where i.organization_id = l.organization_id`,
  'Numbers of orders have no gaps per kind.': (amy) => orderOf(amy, { number: 2, fulfilled: 0 }),
  'What was received or delivered of an order is the sum of its deliveries, and its status says so.': (amy) =>
    orderOf(amy, { number: 1, fulfilled: 1 }),
  'Of each line of an order of a customer what was delivered or invoiced has left the stock once, less what came back.':
    (amy) =>
      `${lampOf(amy)}; ${orderOf(amy, { number: 1, fulfilled: 1 })}; update order_lines l set item_id = i.id from items i`,
  'The entries of every event in the journal add up to zero.': () => `
    create or replace function journal() returns table (organization_id uuid, day date, event text, event_id uuid, document_id uuid,
        payment_id uuid, account text, debit_minor bigint, credit_minor bigint, currency text) language sql stable as
      $$ select organization_id, issue_date, 'ISSUED', id, id, null::uuid, 'CASH', total_minor, 0::bigint, currency from documents $$`,
  'The journal balances of open documents and unallocated payments equal the documents and payments.': ({
    organizationId,
  }) => `update allocations set amount_minor = amount_minor - 1 where organization_id = '${organizationId}'`,
  'The customer credits in the journal equal the open remainders of the payments of customers.': ({ organizationId }) =>
    `update payments set allocated_minor = allocated_minor - 1 where organization_id = '${organizationId}'`,
  'The lines of every event add up to zero in the home currency.': ({ organizationId }) =>
    `update allocations set payment_home_minor = amount_minor - 5 where organization_id = '${organizationId}'`,
  'In the home currency nothing is left of a settled document and a used payment, and parts differ from their rate by rounding alone.':
    ({ organizationId }) =>
      `update allocations set document_home_minor = amount_minor - 1 where organization_id = '${organizationId}'`,
  'Every trial balance is equal on both sides: the debits of each day are its credits, in stored sums and in the journal.':
    ({ organizationId }) => storedSum(organizationId),
  'Every balance sheet balances: each line of the journal has an account that is an asset, a liability, equity, income or an expense.':
    ({ organizationId }) =>
      `delete from account_periods where organization_id = '${organizationId}' and subject = 'PURPOSE:RECEIVABLES'`,
  'The stored sums of the journal equal the journal, on accrual and on cash basis.': ({ organizationId }) =>
    storedSum(organizationId),
  'What is stored of income and expenses by day, account and category equals the journal.': ({ organizationId }) =>
    storedSum(organizationId),
  'What is stored of tax by day, rate and category equals the journal.': ({ organizationId }) =>
    storedSum(organizationId),
  'What the agings show as open equals receivables, payables, customer credits and supplier advances of the journal.':
    ({ organizationId }) =>
      `update allocations set voided_at = now() - interval '2 years', booked_on = '2020-01-01' where organization_id = '${organizationId}';
    update documents set issue_date = '2020-01-01' where organization_id = '${organizationId}'`,
  'What the stock valuation shows equals the stock account of the journal.': ({ organizationId }) => `
    insert into items (organization_id, id, name, kind, sale_currency, purchase_currency, tracked)
      values ('${organizationId}', '${organizationId}', 'Bolt', 'GOODS', 'SGD', 'SGD', true);
    insert into stock_levels (organization_id, item_id, quantity, value_minor, home_currency)
      values ('${organizationId}', '${organizationId}', 1, 100, 'SGD')`,
  'Every allocation has the day on which it is booked.': ({ organizationId }) =>
    `update allocations set booked_on = null where organization_id = '${organizationId}'`,
  'Journal entries are balanced and numbered without gaps, and a reversal is the opposite of its entry.': ({
    organizationId,
  }) => `insert into journal_entries (organization_id, id, number, kind, date, description, currency)
    values ('${organizationId}', gen_random_uuid(), 1, 'MANUAL', '2026-01-31', 'Half an entry', 'SGD')`,
  'Every organization has an account for each purpose of the journal.': ({ organizationId }) =>
    `update accounts set purpose = null where organization_id = '${organizationId}' and purpose = 'ROUNDING'`,
  'The account that takes a purpose or mapping today is that of the chart, and one account takes it at a time.': ({
    organizationId,
  }) => `delete from account_periods where organization_id = '${organizationId}' and subject = 'PURPOSE:CASH'`,
  'Every period lock is recorded with its day, and no recorded one is later than that of the settings.': ({
    organizationId,
  }) => `insert into organization_settings (organization_id, locked_until) values ('${organizationId}', '2026-01-31')`,
  'What is booked to each account up to the last day of a locked period is what it was when the period was locked.': ({
    organizationId,
  }) => `insert into period_locks (organization_id, id, last_day, summed_up_at)
    values ('${organizationId}', gen_random_uuid(), current_date + 1, now())`,
  'The default charts of accounts in the database are those that this version declares.': () =>
    "update default_accounts set name = 'Shares' where country = 'SG' and code = '950'",
  'A run started by an event has the type and the payload of that event.': (amy) =>
    `${automated(amy)}; update automation_runs set input = '{}'`,
  'An event starts an automation at most once.': (
    amy,
  ) => `alter table automation_runs drop constraint one_run_per_event;
    ${automated(amy)}; ${startedRun(amy)}`,
  'An unfinished run has a job that will continue it, or waits for an earlier unfinished run of its record.': (amy) =>
    `${automated(amy)}; update automation_runs set started_at = now() - interval '3 hours'`,
  'A run executes a block at most once per element.': (
    amy,
  ) => `alter table automation_steps drop constraint one_step_per_element;
    ${automated(amy)}; ${takenStep}; ${takenStep}`,
  'An audit entry of a run names a run of its organization, and the automation of that run.': (
    amy,
  ) => `${automated(amy)};
    insert into audit_log (id, organization_id, user_id, source, request_id, operation, run_id, automation_id)
    select gen_random_uuid(), organization_id, '${amy.userId}', 'AUTOMATION', 'run:' || id, 'customers_create', id, gen_random_uuid() from automation_runs`,
  'A run that succeeded has no failed or unfinished step.': (amy) => `${automated(amy)}; ${takenStep};
    update automation_steps set status = 'FAILED'; update automation_runs set status = 'SUCCEEDED', finished_at = now()`,
  'A successful step that sent a webhook or an e-mail has a delivery with outcome DELIVERED.': (
    amy,
  ) => `${automated(amy)};
    ${takenStep.replace('block_id, status', 'block_id, status, ref, finished_at').replace("'SUCCEEDED'", "'SUCCEEDED', 'webhook.post', now()")}`,
  'An automation shows its current graph, the only one of its graphs that is not superseded.': (amy) =>
    `${automated(amy)}; update automation_graphs set edges = '[{}]'`,
  'A run that is not over has a graph of its automation, which says what it may do.': (amy) =>
    `${automated(amy)}; update automation_runs set graph_id = null`,
  'An automation whose key or app has ended is not enabled.': (amy) => `${automated(amy)};
    update automations set status = 'ENABLED', enabled_at = now();
    update automation_graphs set scopes = '{}', api_key_id = gen_random_uuid(), credential_status = 'ENDED'`,
  'No organization has more enabled automations than its plan allows.': ({ organizationId, userId }) => `
    insert into automations (organization_id, id, owner_user_id, name, blocks, edges, status, enabled_at)
    select '${organizationId}', gen_random_uuid(), '${userId}', 'x', '[{"kind": "TRIGGER"}]', '[]', 'ENABLED', now()
    from generate_series(1, 6)`,
  'An API key reaches only organizations that its user belongs to.': ({ userId, organizationId }) => `
    insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, all_orgs)
      values (gen_random_uuid(), '${userId}', 'k', 'k', sha256('k'), '{*:*}', false);
    insert into api_key_organizations (api_key_id, organization_id, user_id)
      select id, '${organizationId}', gen_random_uuid() from api_keys`,
  'Every customer has its customer.created event and an audit entry.': ({ organizationId }) =>
    `delete from events where organization_id = '${organizationId}'`,
  'Every import has its import.completed event and an audit entry, and added the counterparties that refer to it.': ({
    organizationId,
  }) => `
    insert into imports (organization_id, id, kind, file_name, file_size, sha256, row_count, created_count, updated_count, unchanged_count)
      values ('${organizationId}', gen_random_uuid(), 'CUSTOMERS', 'x.csv', 1, repeat('0', 64), 0, 0, 0, 0)`,
  'The counts of a batch of scans are those of its files, and an ended batch has its scan_batch.completed event.': ({
    organizationId,
  }) => `insert into scan_batches (organization_id, id, total) values ('${organizationId}', gen_random_uuid(), 1)`,
  'Every waiting file of a batch of scans has a job that will read it.': ({ organizationId }) => `
    with batch as (insert into scan_batches (organization_id, id, total) values ('${organizationId}', gen_random_uuid(), 1) returning *)
    insert into scan_batch_files (organization_id, id, batch_id, position, attachment_id, expense_id, created_at)
      select organization_id, gen_random_uuid(), id, 0, gen_random_uuid(), gen_random_uuid(), now() - interval '3 hours' from batch`,
  'Every counterparty is a customer, a supplier, an employee or an authority, and has the details of one.': ({
    organizationId,
  }) => `update customers set is_supplier = true where organization_id = '${organizationId}'`,
  'Every event has a cause, and its payload names its own organization.': ({ organizationId }) =>
    `update events set payload = payload || '{"organizationId": "another"}' where organization_id = '${organizationId}'`,
  'Every job of a subscriber refers to an existing event.': ({ organizationId }) =>
    `select graphile_worker.add_job('tell:x', json_build_object('eventId', gen_random_uuid()), flags => array['organization:${organizationId}'])`,
  'Every marked schedule period has its event.': ({ organizationId }) =>
    `insert into schedule_marks values ('${organizationId}', 'schedule.daily', '2026-03-02', '2026-03-02', '2026-03-02')`,
  'A schedule event occurs once per organization and period.': ({ organizationId }) => `
    insert into events (organization_id, id, type, payload, cause) values ('${organizationId}', gen_random_uuid(),
      'schedule.daily', '{"period": "2026-03-02"}', '{"source": "CLOCK", "requestId": "clock"}')`,
  'PostgreSQL knows the time zone of every organization.': ({ organizationId }) =>
    `update organizations set timezone = 'Mars/Olympus' where id = '${organizationId}'`,
  'An idempotency key is either finished and without a lease, or in progress with one.': ({ userId }) =>
    remembered(userId, "200, now() + interval '1 minute'"),
  'No request holds its idempotency lease for longer than a request may take.': ({ userId }) =>
    remembered(userId, "null, now() + interval '2 hours'"),
  'No job is locked by a worker that is dead.': () => `select graphile_worker.add_job('x');
    update ${queueTables.jobs} set locked_by = 'nobody', locked_at = now() - interval '1 hour'`,
  'No lease is longer than leases may be.': ({ organizationId }) =>
    `insert into leases values ('${organizationId}', 's', 1, 'h', now() + interval '1 year')`,
  'Every queued message has a job that will send it.': ({ organizationId }) => `
    insert into mail_deliveries (organization_id, id, "to", subject, template, letter, created_at)
    values ('${organizationId}', gen_random_uuid(), 'x', 'x', 'x', 'x', now() - interval '3 hours')`,
  'The content of a sent or failed message is deleted.': ({ organizationId }) => `
    insert into mail_deliveries (organization_id, id, "to", subject, template, contents, status, last_reason)
    values ('${organizationId}', gen_random_uuid(), 'x', 'x', 'x', 'invoice', 'FAILED', 'x')`,
  'API keys and sessions are stored as hashes only.': ({ userId }) =>
    `update sessions set secret_hash = 'the secret itself' where user_id = '${userId}'`,
  'If any value is encrypted, the canary and the root of derived keys exist.': ({
    organizationId,
  }) => `delete from secrets_canary;
    insert into organization_keys (organization_id, id, wrapped, kek_id) values ('${organizationId}', gen_random_uuid(), '', 'k')`,
  'No session is valid for more than 30 days.': ({ userId }) =>
    `update sessions set ends_at = now() + interval '1 year' where user_id = '${userId}'`,
}

type Numbered = { sequence: number; number: string; issueDate: string }

/** Another issued document of the same type. */
const anotherDocument = (organizationId: string, { sequence, number, issueDate }: Numbered) => `
    insert into documents (organization_id, id, document_type, status, series, sequence, number, issued_at, counterparty_id, currency, minor_digits,
      issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
    select organization_id, gen_random_uuid(), document_type, 'SENT', series, ${sequence}, '${number}', now(), counterparty_id, currency, minor_digits,
      '${issueDate}', 0, 0, 0, '0' from documents where organization_id = '${organizationId}' limit 1`

const startedRun = ({ organizationId }: Someone) => `
  insert into automation_runs (organization_id, id, automation_id, trigger_event_id, trigger_type, input, depth)
  select a.organization_id, gen_random_uuid(), a.id, e.id, e.type, e.payload, 1 from automations a
  join events e on e.organization_id = a.organization_id and e.type = 'customer.created'
  where a.organization_id = '${organizationId}'`

/** An automation that an event has started. */
const automated = (amy: Someone) => `
  insert into automations (organization_id, id, owner_user_id, name, blocks, edges) values
    ('${amy.organizationId}', gen_random_uuid(), '${amy.userId}', 'x', '[{"id": "a", "kind": "TRIGGER", "ref": "customer.created"}]', '[]');
  ${startedRun(amy)}`

const takenStep = `insert into automation_steps (organization_id, id, run_id, block_id, status)
  select organization_id, gen_random_uuid(), id, 'a', 'SUCCEEDED' from automation_runs`

/** A session with the companion, with a turn that nobody works on. */
const turnOf = ({ organizationId, userId }: Someone) =>
  `insert into companion_sessions (organization_id, key, user_id, id, title)
     values ('${organizationId}', '0190f3c4-0000-7000-8000-0000000000c0', '${userId}', 'talk', 'Talk');
   insert into companion_turns (organization_id, id, session_key, user_id, number, source)
     values ('${organizationId}', gen_random_uuid(), '0190f3c4-0000-7000-8000-0000000000c0', '${userId}', 1, 'SESSION')`

const plannedPayment = ({ organizationId, userId }: Someone, status: string, day: string) => `
  insert into planned_payments (organization_id, id, currency, minor_digits, amount_minor, due_on, details, status, created_by)
    values ('${organizationId}', gen_random_uuid(), 'SGD', 2, 100, ${day}, '{}', ${status}, '${userId}')`

/** A sum on one side alone, as if all sums were stored. */
const storedSum = (organizationId = '') => `
  delete from journal_marks where organization_id = '${organizationId}';
  insert into journal_sums_state values ('${organizationId}', 'infinity', journal_version())
    on conflict (organization_id) do update set upto = excluded.upto, version = excluded.version;
  insert into journal_sums (organization_id, day, basis, home_currency, face_currency, debit_minor, credit_minor, lines)
    values ('${organizationId}', '2026-01-05', 'ACCRUAL', 'SGD', '', 5, 0, 1)`
const lampOf = ({ organizationId }: Someone) => `
  insert into items (organization_id, id, name, kind, sale_currency, purchase_currency, tracked, tracked_since)
    values ('${organizationId}', gen_random_uuid(), 'Lamp', 'GOODS', 'SGD', 'SGD', true, '2000-01-01')`

/** An open order of a customer over two lamps. */
const orderOf = ({ organizationId }: Someone, { number, fulfilled }: { number: number; fulfilled: number }) => `
  insert into orders (organization_id, id, kind, status, number, order_number, counterparty_id, currency, minor_digits, order_date, subtotal_minor,
      tax_minor, total_minor, opened_at)
    values ('${organizationId}', '${newId()}', 'SALES', 'OPEN', ${number}, 'SO-1', gen_random_uuid(), 'SGD', 2, '2026-01-05', 0, 0, 0, now());
  insert into order_lines (organization_id, order_id, id, position, description, quantity, unit_price, amount_minor, fulfilled_quantity)
    select organization_id, id, '1', 0, 'Lamp', 2, 0, 0, ${fulfilled} from orders`

const remembered = (userId: string, state: string) => `
  insert into idempotency_keys (user_id, principal, key, fingerprint, status, locked_until) values ('${userId}', 'p', 'k', '', ${state})`

test('every rule has a case below that breaks it', () => {
  expect(Object.keys(breaks).sort()).toEqual(checks.map(({ says }) => says).sort())
})

describe('each rule', () => {
  // Shared by the cases, because each of them is rolled back.
  let amy: Someone
  beforeAll(async () => {
    amy = await member('OWNER')
    const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
    await amy.call('customers_recipients_post', { id, email: 'dana@example.com' })
    await sell(amy, { customerId: id, status: 'PAID' })
    payrollId = await paidMonth()
  })

  test.each(Object.entries(breaks))('a violation is reported: %s', async (says, breaking) => {
    const client = new pg.Client(asSuperuser(theDatabase()))
    await client.connect()
    try {
      // Only a superuser can disable the triggers that refuse the violation. The checks run as the login of the product.
      await client.query('begin; set local session_replication_role = replica')
      const rule = checks.filter((check) => check.says === says)
      const before = await violationsAsOwner(client, rule)
      await client.query(breaking(amy))
      const after = await violationsAsOwner(client, rule)
      expect(after).toMatchObject([{ says }])
      if (says.startsWith('Commits are durable')) return // the test server is not durable to begin with
      expect(before).toEqual([])
    } finally {
      await client.end()
    }
  })
})

/** A company that approved and paid two payslips, one with leave that an authority pays and an advance that was set off. */
async function paidMonth(): Promise<string> {
  const sg = await payrollOf('SG')
  const dana = await sg.hire({})
  const adjustments = [{ description: 'GPCL 1 day', amount: 200, kind: 'LEAVE_PAY' }]
  await sg.generate('2026-03', { runInputs: { adjustments } })
  await sg.generate('2026-04')
  const id = await payslipIdOf(sg, '2026-03', dana.id)
  await sg.advance(dana.id, 100)
  await sg.apply(id)
  for (const month of ['2026-03', '2026-04']) await sg.approve(month)
  for (const kind of ['NET', 'STATUTORY'] as const) await sg.pay(id, kind)
  return sg.organizationId
}

test('INV-19: a password that was reset by the link in an e-mail is no violation', async () => {
  const token = await linkFor(await personWithPassword(), 'RESET_PASSWORD')
  const body = { token, password: 'another horse' }
  const reply = await send({ method: 'POST', url: '/api/auth/password/reset/confirm', body })
  expect(reply.status).toBe(200)
  expect(await broken()).toEqual([])
})

test('an entry that was changed in a locked period is reported with its account, and one after it is not', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT', issueDate: '2026-01-10' })
  const later = await sell(amy, { status: 'UNSENT', issueDate: '2026-02-01' })
  const lock = (lockedUntil: string) => amy.call('settings_update', { id: String(amy.organizationId), lockedUntil })
  await lock('2026-01-05') // nothing was booked yet
  await lock('2026-01-31')
  const locks = 'select id from period_locks where organization_id = $1 and summed_up_at is null'
  const { rows } = await theApp().system.raw.query(locks, [amy.organizationId])
  expect(rows).toHaveLength(2)
  const flags = { [`organization:${amy.organizationId}`]: true as const }
  for (const row of rows) await doJob(sumUpLockedPeriod, { lockId: row.id }, { flags })
  expect((await theApp().system.raw.query(locks, [amy.organizationId])).rows).toEqual([])
  expect(await broken()).toEqual([])
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const raise =
      'update documents set total_minor = total_minor + 1, subtotal_minor = subtotal_minor + 1 where id = $1'
    const changed = () =>
      violationsAsOwner(
        client,
        checks.filter(({ id: rule }) => rule === 'LOCK'),
      )
    await client.query(raise, [later.id])
    expect(await changed()).toEqual([])
    await client.query(raise, [id])
    const [{ rows: accounts = [] } = {}] = await changed()
    expect(accounts).toHaveLength(2) // receivables and sales
    expect(accounts[0]).toMatchObject({ organizationId: amy.organizationId, currency: 'SGD' })
  } finally {
    await client.end()
  }
})

test('a rule that cannot be checked is reported as broken, and the others are still checked', async () => {
  const amy = await member('OWNER')
  await sell(amy, { currency: 'USD', status: 'PAID', exchangeRate: 1.3 })
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    await client.query('update documents set exchange_rate = 1e20 where organization_id = $1', [amy.organizationId])
    await client.query('delete from memberships where organization_id = $1', [amy.organizationId])
    const found = await violationsAsOwner(client)
    expect(found).toContainEqual({
      id: 'JOURNAL',
      says: 'The lines of every event add up to zero in the home currency.',
      rows: [{ error: 'The rule could not be checked: bigint out of range' }],
    })
    expect(found.map(({ says }) => says)).toContain('Every organization has an owner.')
  } finally {
    await client.end()
  }
})

async function violationsAsOwner(client: pg.Client, rules = checks) {
  await client.query('set local role kontor_owner')
  const found = await findViolations(client, rules)
  await client.query('set local role none')
  return found
}

test('FLT-08: a row whose file is missing in the store is reported with its ids', async () => {
  const amy = await member('OWNER')
  const file = { fileName: 'a.txt', base64: 'SGVsbG8=' }
  const kept = await amy.call('organizations_file_upload', { file })
  const { id, organizationId, storageKey } = await amy.call('organizations_file_upload', { file })
  expect(await broken()).toEqual([])
  await theApp().providers.storage.remove(storageKey)
  expect(await broken()).toMatchObject([{ id: 'FLT-08', rows: [{ organizationId, id }] }])
  expect(await amy.call('organizations_file', { id: kept.id })).toBe('Hello')
  await expect(amy.call('organizations_file', { id })).rejects.toMatchObject({
    status: 500,
    details: [{ code: 'FILE_LOST' }],
  })
  await theApp().system.raw.query('delete from files where id = $1', [id])
})
