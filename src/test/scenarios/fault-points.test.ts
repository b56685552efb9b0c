import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { FaultPoint } from '../../core/observe/fault-point.ts'
import { newId } from '../../core/values/id.ts'
import { sealMessage } from '../../features/platform/mail/sealed-message.ts'
import { startTaxAuthoritySimulator } from '../../simulators/tax-authority/simulator.ts'
import { logOf, started } from '../automations/outside-actions.ts'
import { clearingCompany, largeInvoice } from '../clearance.ts'
import { mailbox } from '../fakes/smtp.ts'
import { receiver } from '../fakes/webhook-receiver.ts'
import { startApi } from '../processes/api-process.ts'
import { builtProduct } from '../processes/built-product.ts'
import { buildFaultyProduct, buildProgram } from '../processes/bundle.ts'
import { createCustomer, marking } from '../processes/burst.ts'
import { runProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves } from '../prove.ts'
import { findJobs, ofOrganization, removeJobs } from '../queue.ts'
import { salesDocument, sell } from '../sales-documents.ts'
import { addressed, member, operationNamed, send, theApp, theDatabase, withKey } from '../world.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

let product: string
let workerProgram: string
beforeAll(async () => {
  ;[product, workerProgram] = await Promise.all([buildFaultyProduct(), buildProgram('worker')])
  for (const statement of marking) await ask(statement)
})

afterEach(() => removeJobs().then(() => {}))

/**
 * In `npm test` a process is killed once before a commit, once after it, and once after every kind of effect outside the database. In
 * `npm run prove` it is killed at every point of every kind of work.
 */
const some = <T>(cases: readonly T[], ...indexes: number[]) =>
  inProof(
    cases.filter((_, at) => indexes.includes(at)),
    [...cases],
  )

const inRequests: FaultPoint[] = ['after-idem-insert', 'before-commit', 'after-commit-before-reply']

test.each(some(inRequests, 2))(
  'FLT-01 IDEM-11 INV-10: an API killed %s has done all of a request or nothing, and after a retry it is done once',
  async (point) => {
    const amy = await member('CONTRIBUTOR')
    const key = await withKey(amy)
    const { authorization } = key.credentials as { authorization: string }
    const organizationId = amy.organizationId ?? ''
    const api = await startApi(theDatabase(), { KONTOR_FAULT: point }, product)
    const mark = newId()
    expect(await createCustomer({ url: api.url, authorization, organizationId }, mark)).toMatchObject({
      status: 'no answer',
    })
    await api.exited
    expect(api.child.signalCode).toBe('SIGKILL')
    const survived = await ask('select id from customers where organization_id = $1', [organizationId])
    expect(survived).toHaveLength(point === 'after-commit-before-reply' ? 1 : 0)

    const input = { organizationId, name: mark, country: 'SG' }
    const again = () => key.request(operationNamed('customers_create'), input, { 'idempotency-key': mark })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    const { id } = first.body as { id: string }
    expect(await ask('select id from customers where organization_id = $1', [organizationId])).toEqual([{ id }])
    expect(
      await ask("select payload->>'id' as id from events where organization_id = $1 and type = 'customer.created'", [
        organizationId,
      ]),
    ).toEqual([{ id }])
    expect(
      await ask("select object_id as id from audit_log where organization_id = $1 and operation = 'customers_create'", [
        organizationId,
      ]),
    ).toEqual([{ id }])
  },
)

/** Every way to give a document its number: the operation and its input beside the id of the document. */
const numbering = [
  ['a document is created as SENT', 'invoices_create', null, 'INVOICE'],
  ['a draft is issued', 'invoices_update', { status: 'UNSENT' }, 'INVOICE'],
  ['a draft is replaced and paid', 'invoices_update_put', { status: 'PAID' }, 'INVOICE'],
  ['a draft is marked paid', 'invoices_mark_paid', { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }, 'INVOICE'],
  ['a document is credited', 'invoices_memos', { kind: 'CREDIT' }, 'CREDIT_MEMO'],
] as const // biome-ignore format: a table

test.each(some(numbering, 3))(
  'FLT-01 INV-06 INV-10 IDEM-11: an API killed after-number while %s has used no number, and the retry gets it',
  async (_, name, input, type) => {
    const amy = await member('CONTRIBUTOR')
    const key = await withKey(amy)
    const { authorization } = key.credentials as { authorization: string }
    const before = await sell(amy, type === 'CREDIT_MEMO' ? { status: 'SENT' } : {})
    const given = input === null ? await salesDocument(amy, { status: 'SENT' }) : { id: before.id, ...input }
    const operation = operationNamed(name)
    const { url, body } = addressed(operation, given)
    const mark = newId()
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': mark }
    const state = async () => ({
      documents: await ask('select id, status, number from documents where organization_id = $1 order by id', [
        amy.organizationId,
      ]),
      counters: await ask(
        'select document_type, next_number from document_numbering where organization_id = $1 and next_number > 1 order by 1',
        [amy.organizationId],
      ),
      money: await ask(
        'select id from payments where organization_id = $1 union all select id from allocations where organization_id = $1',
        [amy.organizationId],
      ),
      events: await ask(
        'select id from events where organization_id = $1 union all select id from document_events where organization_id = $1 order by id',
        [amy.organizationId],
      ),
    })
    const untouched = await state()
    const api = await startApi(theDatabase(), { KONTOR_FAULT: 'after-number' }, product)
    await expect(
      fetch(`${api.url}${url}`, { method: operation.method, headers, body: JSON.stringify(body) }),
    ).rejects.toThrow()
    await api.exited
    expect(api.child.signalCode).toBe('SIGKILL')
    expect(await state()).toEqual(untouched)

    // An operation that uses the network claims its key first; that claim expires (IDEM-5).
    await ask('update idempotency_keys set locked_until = now() where key = $1 and status is null', [mark])
    const again = () => key.request(operation, given, { 'idempotency-key': mark })
    const [first, second] = [await again(), await again()]
    expect([first.status < 300, second]).toEqual([
      true,
      expect.objectContaining({ status: first.status, body: first.body }),
    ])
    const numbers =
      'select sequence::int from documents where organization_id = $1 and document_type = $2 and sequence is not null'
    expect(await ask(numbers, [amy.organizationId, type])).toEqual([{ sequence: 1 }])
  },
)

const inUploads: FaultPoint[] = [
  ...inRequests,
  'mid-file-write',
  'after-rename-before-row',
  'after-effect-before-record',
]

test.each(some(inUploads, 4))(
  'FLT-08 IDEM-5 INV-19: an API killed %s during an upload has stored the file with its audit row or not at all, and a retry makes it one',
  async (point) => {
    const amy = await member('CONTRIBUTOR')
    const key = await withKey(amy)
    const { authorization } = key.credentials as { authorization: string }
    const organizationId = amy.organizationId ?? ''
    const body = JSON.stringify({ organizationId, file: { fileName: 'a.txt', base64: 'SGVsbG8=' } })
    const mark = newId()
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': mark }
    const api = await startApi(theDatabase(), { KONTOR_FAULT: point }, product)
    await expect(fetch(`${api.url}/api/files`, { method: 'POST', headers, body })).rejects.toThrow()
    await api.exited
    expect(api.child.signalCode).toBe('SIGKILL')
    const rows = () => ask('select id from files where organization_id = $1', [organizationId])
    const trail = () =>
      ask(
        "select object_id as id from audit_log where organization_id = $1 and operation = 'organizations_file_upload'",
        [organizationId],
      )
    expect(await trail()).toEqual(await rows())

    await ask('update idempotency_keys set locked_until = now() where key = $1 and status is null', [mark]) // its claim expires
    const again = () => send({ method: 'POST', url: '/api/files', headers, body })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([201, 201])
    const { id } = first.body as { id: string }
    expect(second.body).toMatchObject({ id })
    expect([await rows(), await trail()]).toEqual([[{ id }], [{ id }]])
  },
)

// workers.test.ts kills workers at any moment.
test.runIf(proves).each<FaultPoint>(['before-commit', 'after-commit-before-reply'])(
  'FLT-02 INV-13: the job of a worker killed %s is done exactly once',
  async (point) => {
    const { organizationId } = await member('OWNER')
    const mark = newId()
    const victim = await work({ KONTOR_FAULT: point })
    await ask(
      "select set_config('app.organization', $1, false), enqueue('test-mark', jsonb_build_object('mark', $2::text))",
      [organizationId, mark],
    )
    await vi.waitFor(() => expect(victim.signalCode).toBe('SIGKILL'), 60_000)
    const marks = () => ask('select mark from test_marks where organization_id = $1', [organizationId])
    expect(await marks()).toHaveLength(point === 'before-commit' ? 0 : 1)
    await workHere()
    await vi.waitFor(async () => expect(await waiting(organizationId)).toEqual([]), 60_000)
    expect(await marks()).toEqual([{ mark }])
  },
)

test('FLT-02 INV-14: mail sent just before its worker was killed is sent again with the same Message-ID, and then recorded as sent', async () => {
  const { organizationId } = await member('OWNER')
  const box = await mailbox()
  onTestFinished(() => box.close())
  const id = newId()
  const content = { text: 'Hi', html: '<p>Hi</p>' }
  const { letter } = sealMessage(theApp().services.secrets, { id, to: 'dana@example.com' }, content)
  await ask(
    `insert into mail_deliveries (organization_id, id, "to", template, subject, letter)
     values ($1, $2, 'dana@example.com', 'test', 'Hello', $3)`,
    [organizationId, id, letter],
  )
  const env = { SMTP_URL: `smtp://127.0.0.1:${box.port}`, MAIL_FROM: 'kontor@example.com' }
  const victim = await work({ ...env, KONTOR_FAULT: 'after-effect-before-record' })
  await ask(
    "select set_config('app.organization', $1, false), enqueue('send-mail', jsonb_build_object('deliveryId', $2::uuid))",
    [organizationId, id],
  )
  await vi.waitFor(() => expect(victim.signalCode).toBe('SIGKILL'), 60_000)
  expect(box.received).toHaveLength(1)
  const delivery = () => ask('select status, attempts from mail_deliveries where id = $1', [id])
  expect(await delivery()).toEqual([{ status: 'QUEUED', attempts: 1 }])
  await ask('update mail_deliveries set claimed_until = now() where id = $1', [id]) // its claim expires
  await workHere(env)
  await vi.waitFor(async () => expect(await delivery()).toEqual([{ status: 'SENT', attempts: 2 }]), 60_000)
  const ids = box.received.map(({ raw }) => /^message-id: (.*)$/im.exec(raw.toString())?.[1])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test.each(some(['webhook.post', 'email.send'], 0))(
  'FLT-02 INV-14: a message that %s sent just before its worker was killed is sent again with the same id, and then recorded',
  async (ref) => {
    const amy = await member('CONTRIBUTOR')
    const [hook, box] = [await receiver(), await mailbox()]
    onTestFinished(() => box.close())
    const input =
      ref === 'webhook.post'
        ? { url: hook.url, body: { a: 1 } }
        : { to: 'dana@example.com', subject: 'Hello', body: 'Hi' }
    const env = { SMTP_URL: `smtp://127.0.0.1:${box.port}`, MAIL_FROM: 'kontor@example.com' }
    const ids = () =>
      ref === 'webhook.post'
        ? hook.heard.map(({ headers }) => String(headers['webhook-id']))
        : box.received.map(({ raw }) => String(/^message-id: (.*)$/im.exec(raw.toString())?.[1]))
    const victim = await work({ ...env, KONTOR_FAULT: 'after-effect-before-record' })
    const { run } = await started(amy, ref, input)
    await vi.waitFor(() => expect(victim.signalCode).toBe('SIGKILL'), 60_000)
    expect(ids()).toHaveLength(1)
    expect(await run()).toMatchObject({ status: 'RUNNING', steps: [{}, { status: 'RUNNING', output: null }] })
    expect(await logOf(amy)).toMatchObject([{ outcome: 'SENDING' }])
    await workHere(env)
    await vi.waitFor(
      async () =>
        expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { status: 'SUCCEEDED', attempt: 2 }] }),
      60_000,
    )
    expect([ids().length, new Set(ids()).size]).toEqual([2, 1])
    expect((await logOf(amy)).map(({ outcome, stepId }) => [outcome, stepId])).toEqual(
      ['UNKNOWN', 'DELIVERED'].map((outcome) => [outcome, ref === 'webhook.post' ? ids()[0] : expect.any(String)]),
    )
  },
)

test('the built product contains no fault point', async () => {
  const [built, faulty] = [await builtProduct(), product].map((file) => readFileSync(file, 'utf8'))
  for (const trace of [/KONTOR_FAULT/, /faultPoint/, /before-commit/, /after-effect-before-record/]) {
    expect(trace.test(built ?? '')).toBe(false)
    expect(trace.test(faulty ?? '')).toBe(true)
  }
})

async function work(env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = await runProgram(workerProgram, { DATABASE: JSON.stringify(theDatabase()), ...env }, { quiet: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The next worker, which needs no process of its own: nobody kills it. */
async function workHere(env: Record<string, string> = {}) {
  onTestFinished(await startWorkerHere(env))
}

const waiting = (organizationId: string | undefined) => findJobs(...ofOrganization(organizationId))

test('FLT-18: a worker killed after the tax authority allocated a number and before that was recorded gets the same number again', async () => {
  const simulator = await startTaxAuthoritySimulator()
  onTestFinished(() => simulator.close())
  const env = { TAX_AUTHORITY_IL_SANDBOX_URL: simulator.url }
  const killed = await work({ ...env, KONTOR_FAULT: 'after-effect-before-record' })
  const ended = new Promise((resolve) => killed.once('exit', resolve))
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy)
  await ended
  expect(killed.signalCode).toBe('SIGKILL')
  const [allocated] = simulator.decided.values()
  const state = async () =>
    (
      await ask(
        'select c.status, c.number, c.request is not null as "isRecorded", d.vat_allocation_number as "onDocument" from clearances c join documents d on d.id = c.document_id where c.document_id = $1',
        [id],
      )
    )[0]
  expect(await state()).toEqual({ status: 'PENDING', number: null, isRecorded: true, onDocument: null })
  await ask('update clearances set claimed_until = now() where document_id = $1', [id])
  await workHere(env)
  const number = allocated?.number
  await vi.waitFor(
    async () => expect(await state()).toEqual({ status: 'APPROVED', number, isRecorded: true, onDocument: number }),
    60_000,
  )
  expect([...simulator.decided.values()]).toEqual([{ ...allocated, times: 2 }])
})
