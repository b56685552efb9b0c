import { TOTP } from 'otpauth'
import { expect, vi } from 'vitest'
import { jobs, subscribers } from '../../catalog/jobs.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import { storeRates } from '../../features/books/exchange-rates/store.ts'
import { fireDue } from '../../worker/clock.ts'
import { action, automate, graphOf, settle, trigger } from '../automations/automations.ts'
import { testRun } from '../automations/outside-actions.ts'
import { receiver } from '../fakes/webhook-receiver.ts'
import { doJob } from '../job.ts'
import { removeJobs } from '../queue.ts'
import { rowOf } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { member, person, type Someone, send, theApp } from '../world.ts'

/**
 * The part of an upgrade fixture that the test looks at (every-table.ts has the rest): two companies with people, documents in every state, payments, memos, receipts,
 * automations with finished, failed and waiting runs, files and mail. Written through the operations of the version that
 * makes the fixture.
 */

/** An API key that is part of every fixture, so that a test can sign in to the upgraded database. */
export const fixtureKey = `kt_upgraded_${'0123456789'.repeat(4)}abc`

/** Names that the upgrade test looks for. */
export const fixtureNames = { organization: 'Acme', customer: 'Initech', automation: 'After payment' }

export async function writeBooks(): Promise<void> {
  const amy = await member('OWNER')
  await grantKey(amy)
  await setUp(amy)
  await writeRates()
  await writeDocuments(amy)
  await writePayments(amy)
  await writeMemos(amy)
  await writeMail(amy)
  await runClock(amy)
  await addPeople(amy)
  await writeAutomations(amy)
  await writeIsraeliBooks()
  // One row of every kind that the sweeps know, in a company of its own.
  const bob = await member('OWNER')
  for (const table of sweptTables) await rowOf(table, bob)
  await leaveRunWaiting(amy)
  await useKey()
}

const sweptTables = [
  'apiKeys',
  'automationRuns',
  'bankAccounts',
  'connectedApps',
  'customerRecipients',
  'documents',
  'expenseCategories',
  'files',
  'invitations',
  'notifications',
  'outbox',
  'payments',
]

const home = ({ organizationId = '' }: Someone) => ({ organizationId })
const cash = { paymentDate: '2026-02-10', paymentMethod: 'CASH', sendReceiptEmail: false }
const line = (amount: number) => ({ id: 'm', description: 'Correction', quantity: 1, unitPrice: amount, amount })

async function grantKey({ userId }: Someone) {
  const key = {
    id: newId(),
    userId,
    name: 'Bookkeeping',
    scopes: ['*:*'],
    allOrgs: true,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    prefix: fixtureKey.slice(0, 11),
    secretHash: sha256(fixtureKey),
  }
  await theApp().system.use((db) => db.insertInto('apiKeys').values(key).execute())
}

async function setUp(amy: Someone) {
  const { organizationId: id } = home(amy)
  await amy.call('organizations_update', { id, registrationNumber: '201912345K', timezone: 'Asia/Singapore' })
  await amy.call('settings_update', { id, language: 'en' })
  await amy.call('bank_accounts_create', { ...home(amy), accountName: 'Main', bankName: 'DBS', isDefault: true })
  await amy.call('bank_accounts_create', {
    ...home(amy),
    accountName: 'Dollars',
    bankName: 'OCBC',
    currencies: ['USD'],
  })
  await amy.call('expense_categories_create', { ...home(amy), name: 'Travel' })
}

const writeRates = () =>
  theApp().system.use((db) =>
    storeRates(
      db,
      ['2026-01-02', '2026-01-08', '2026-02-02'].flatMap((date) =>
        Object.entries({ EUR: 1, USD: 1.0512, SGD: 1.4231, ILS: 3.8123, JPY: 161.2 }).map(([currency, rate]) => ({
          source: 'ECB' as const,
          date,
          base: 'EUR',
          currency,
          rate: String(rate),
        })),
      ),
    ),
  )

/** Sales of every type and status; the numbers of a type follow their dates. */
async function writeDocuments(amy: Someone) {
  const status = 'SENT'
  await sell(amy)
  await sell(amy, { issueDate: '2026-01-05', status: 'UNSENT', notes: 'Thank you' })
  await sell(amy, { issueDate: '2026-01-06', status, dueDate: '2026-01-20' })
  await sell(amy, { issueDate: '2026-01-07', status: 'PAID' })
  await sell(amy, { issueDate: '2026-01-08', status, currency: 'USD' })
  await sell(amy, { issueDate: '2026-01-09', status, documentType: 'PAYMENT_REQUEST' })
  await sell(amy, { issueDate: '2026-01-10', status: 'PAID', documentType: 'INVOICE_RECEIPT' })
  await sell(amy, {
    issueDate: '2026-01-11',
    status,
    currency: 'JPY',
    items: [{ id: '1', description: 'Translation', quantity: 3, unitPrice: 1000, amount: 3000 }],
    subtotal: 3000,
    taxRate: 0,
    taxAmount: 0,
    total: 3000,
  })
  const { id } = await sell(amy, { issueDate: '2026-01-12', status })
  const post = (type: string, payload: object | null) =>
    amy.call('invoices_events_post', { id, type, payload } as never)
  await post('DISPUTED', { message: 'Two hours too many.' })
  await post('DISPUTE_COUNTERED', { message: 'See the time sheet.' })
  await post('DISPUTE_RESOLVED', null)
  await amy.call('invoices_attachments', { id, file: text('hours.txt') })
  const { url } = await amy.call('invoices_link', { id })
  await send({ method: 'GET', url: new URL(url).pathname })
  await amy.call('invoices_link_renew', { id })
  await amy.call('invoices_duplicate', { id })
  const { id: deleted } = await sell(amy)
  await amy.call('invoices_delete', { id: deleted })
}

const text = (fileName: string) => ({ fileName, base64: Buffer.from(`Contents of ${fileName}`).toString('base64') })

/** Part payments, a payment over several documents with an open remainder, payments by line, and voided payments. */
async function writePayments(amy: Someone) {
  const issued = () => sell(amy, { issueDate: '2026-02-01', status: 'SENT' })
  const [one, two, three] = [await issued(), await issued(), await issued()]
  const day = { paidAt: '2026-02-05' }
  await amy.call('invoices_payments', { id: one.id, amount: 40, method: 'CHECK', ...day })
  await amy.call('invoices_payments', {
    id: one.id,
    amount: 30,
    ...day,
    lineAllocations: [{ lineId: '1', amount: 20 }],
  })
  const allocations = [{ documentId: one.id, amount: 10 }, { documentId: two.id }]
  await amy.call('invoices_payments_create', { ...home(amy), amount: 150, currency: 'SGD', ...day, allocations })
  await amy.call('invoices_payments_create', { ...home(amy), amount: 75, currency: 'USD', ...day })
  const part = await amy.call('invoices_payments', { id: three.id, amount: 9, ...day })
  const rest = await amy.call('invoices_payments', { id: three.id, amount: 100, ...day })
  await amy.call('invoices_payments_void', { id: rest.id, reason: 'Check returned' })
  await amy.call('invoices_payments_void', { id: part.id })
  const marked = await issued()
  await amy.call('invoices_mark_paid', { id: marked.id, ...cash, generateReceipt: true })
  const cleared = await issued()
  await amy.call('invoices_mark_paid', { id: cleared.id, ...cash })
  await amy.call('invoices_update', { id: cleared.id, clearReceiptInfo: true })
}

async function writeMemos(amy: Someone) {
  const issued = (more = {}) => sell(amy, { issueDate: '2026-03-01', status: 'SENT', ...more })
  const reason = 'Agreed by telephone'
  await amy.call('invoices_memos', { id: (await issued()).id, kind: 'CREDIT', items: [line(20)], reason })
  await amy.call('invoices_memos', { id: (await issued()).id, kind: 'CREDIT' })
  await amy.call('invoices_memos', { id: (await issued({ status: 'PAID' })).id, kind: 'CREDIT', items: [line(5)] })
  await amy.call('invoices_memos', { id: (await issued()).id, kind: 'DEBIT', items: [line(15)], reason })
}

/** A sent document and mail that is still waiting to be sent. */
async function writeMail(amy: Someone) {
  const { customer: name } = fixtureNames
  const { id: customerId } = await amy.call('customers_create', { ...home(amy), name, country: 'SG' })
  await amy.call('customers_recipients_post', { id: customerId, email: 'office@initech.test', name: 'Bill' })
  const { id } = await sell(amy, { issueDate: '2026-03-02', customerId })
  await amy.call('invoices_send', { id })
}

/** The daily event of the organization on a later day, and the documents that it reports as overdue. */
async function runClock({ organizationId }: Someone) {
  const now = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await theApp().system.use((_, connection) => fireDue(connection, { type: 'schedule.daily', subscribers, now }))
  const flag = `organization:${organizationId}`
  for (const name of ['tell:overdue', 'tell-overdue']) {
    const [queued] = await removeJobs('flags ? $1 and job = $2', [flag, name])
    const job = jobs.find((each) => each.name === name)
    if (!job || !queued) throw new Error(`No job ${name} is waiting.`)
    await doJob(job, queued.payload, { flags: { [flag]: true } })
  }
}

/** Calls with the key, which are counted in its usage. */
async function useKey() {
  const headers = { authorization: `Bearer ${fixtureKey}` }
  for (const path of ['/api/customers', '/api/documents/nope', '/api/bank-accounts'])
    await send({ method: 'GET', url: path, headers })
  await vi.waitFor(async () => {
    const { rows } = await theApp().system.raw.query('select count(*)::int as calls from api_key_calls')
    expect(rows[0].calls).toBe(3)
  }, 20_000)
}

async function addPeople(amy: Someone) {
  const { organizationId: id } = home(amy)
  for (const role of ['MANAGER', 'CONTRIBUTOR', 'VIEWER', 'EMPLOYEE'] as const) await member(role, { of: amy })
  const dana = await person('Dana')
  const email = `${dana.userId}@example.test`
  const { token } = await amy.call('users_invitations_post', { id, email, role: 'VIEWER' })
  await dana.call('users_invitation_accept', { token } as never)
  await amy.call('users_invitations_post', { id, email: 'pending@example.test', role: 'CONTRIBUTOR' })
  const eve = await member('VIEWER', { of: amy })
  await amy.call('users_member_delete', { id, userId: eve.userId } as never)
  const { key } = await amy.call('api_keys_create', { name: 'Old', scopes: ['*:read'], allOrgs: true })
  await amy.call('api_keys_revoke', { id: key.id })
  const account = { name: 'Zoe', email: 'zoe@example.test', password: 'correct horse' }
  const post = (path: string, body: object, headers = {}) =>
    send({ method: 'POST', url: `/api/auth/${path}`, body, headers })
  const signedUp = await post('sign-up', account)
  const cookie = String([signedUp.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? ''
  const begun = await post('authenticator', { password: account.password }, { cookie })
  const { searchParams } = new URL((begun.body as { uri: string }).uri)
  const code = new TOTP({ secret: searchParams.get('secret') ?? '' }).generate()
  await post('authenticator/confirm', { code }, { cookie })
  expect((await post('sign-in', { email: account.email, password: 'wrong password' })).status).toBe(401)
}

/** Automations with runs that succeeded, failed and were replayed, and with deliveries to webhooks. */
async function writeAutomations(amy: Someone) {
  const { url } = await receiver((response) => response.writeHead(200).end('thanks'))
  await testRun(amy, 'webhook.post', { url, body: { number: '{{trigger.number}}' } }, { number: '1' })
  await testRun(amy, 'webhook.post', { url: 'http://10.1.2.3/', body: {} })
  await amy.call('settings_webhook_secret_rotate', { id: home(amy).organizationId } as never)
  const create = action('a', 'customers_create', { name: 'After {{trigger.invoiceNumber}}', country: 'SG' })
  await automate(amy, graphOf([trigger('invoice.paid'), create], 'start>a'), { name: fixtureNames.automation })
  await sell(amy, { issueDate: '2026-03-03', status: 'PAID' })
  await settle(amy)
  const mistaken = graphOf([trigger('invoice.paid'), action('gone', 'customers_get', { id: newId() })], 'start>gone')
  const id = await automate(amy, mistaken, { armed: false, name: 'Mistaken' })
  const { id: runId } = await amy.call('automations_test', { id })
  await amy.call('automations_replay', { id, runId })
}

/** A payment has started this run; no worker has taken it up yet. */
async function leaveRunWaiting(amy: Someone) {
  await sell(amy, { issueDate: '2026-03-04', status: 'PAID' })
}

/** Hebrew texts, a foreign currency at the rate of the day, and an allocation number of the tax authority. */
async function writeIsraeliBooks() {
  const noa = await member('OWNER', { country: 'IL' })
  await noa.call('organizations_update', { id: home(noa).organizationId, registrationNumber: '513456782' })
  const items = [{ id: '1', description: 'ייעוץ', quantity: 2, unitPrice: 50, amount: 100 }]
  const { id } = await sell(noa, { issueDate: '2026-01-05', currency: 'ILS', status: 'SENT', items, notes: 'תודה רבה' })
  await noa.call('invoices_manual_allocation', { id, allocationNumber: '20240627231846297178091822' })
  await sell(noa, { issueDate: '2026-01-06', currency: 'USD', status: 'SENT' })
  await noa.call('invoices_mark_paid', { id, ...cash, generateReceipt: true })
}
