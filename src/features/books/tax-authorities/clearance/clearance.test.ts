import '../../../../test/own-world.ts'
import { describe, expect, test } from 'vitest'
import {
  amounts,
  clearingCompany,
  decided,
  doClearance,
  integration,
  largeInvoice,
  simulate,
  simulatorCredentials,
  submitted,
} from '../../../../test/clearance.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp } from '../../../../test/world.ts'

const clearance = (amy: Someone, id: string) => amy.call('invoices_clearance', { id })
const query = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows
const events = async (amy: Someone, id: string) =>
  (await amy.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()
const emitted = async (amy: Someone, type: string) =>
  (await query('select payload from events where organization_id = $1 and type = $2', [amy.organizationId, type])).map(
    ({ payload }) => payload,
  )

test('an invoice above the threshold needs a number, which the authority allocates', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  expect(await clearance(amy, id)).toEqual({
    required: true, status: 'NOT_SUBMITTED', authority: 'il-ita-invoices', environment: 'sandbox', vatAllocationNumber: null,
    submittedAt: null, decidedAt: null, attempts: 0, error: null, reasons: [], nextAttemptAt: null,
  })
  const { success, result } = await submitted(amy, id)
  expect([success, result]).toEqual([true, {
    required: true, status: 'APPROVED', authority: 'il-ita-invoices', environment: 'sandbox',
    vatAllocationNumber: expect.stringMatching(/^20\d{24}$/), submittedAt: expect.any(String), decidedAt: expect.any(String),
    attempts: 1, error: null, reasons: [], nextAttemptAt: null,
  }])
  expect(await clearance(amy, id)).toEqual(result)
  expect((await amy.call('invoices_get', { id })).vatAllocationNumber).toBe(result.vatAllocationNumber)
  expect(await events(amy, id)).toEqual(['CREATED', 'ISSUED', 'CLEARANCE_SUBMITTED', 'CLEARANCE_APPROVED'])
  expect(await emitted(amy, 'invoice.cleared')).toMatchObject([{ id, vatAllocationNumber: result.vatAllocationNumber }])
}) // biome-ignore format: a list of fields

test('the request is recorded before it is sent, with the fields and types that the authority wants', async () => {
  const amy = await clearingCompany()
  const { id, invoiceNumber } = await largeInvoice(amy)
  await submitted(amy, id)
  const [{ request }] = (await query('select request from clearances where document_id = $1', [id])) as [{ request: object }]
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Jerusalem' })
  expect(request).toEqual({
    invoice_id: id, invoice_type: 305, vat_number: 514000009, union_vat_number: 0, user_id: 123456782,
    invoice_reference_number: invoiceNumber, customer_vat_number: 512345679, customer_name: 'Globex', invoice_date: today,
    invoice_issuance_date: today, accounting_software_number: 12345678, amount_before_discount: 15000, discount: 0,
    payment_amount: 15000, vat_amount: 2700, payment_amount_including_vat: 17700, action: 0,
  })
}) // biome-ignore format: a list of fields

describe('whether a number is required', () => {
  test.each([
    ['above the threshold', 5000.01, {}, {}, true],
    ['at the threshold', 5000, {}, {}, false],
    ['for a private person', 15_000, {}, { kind: 'INDIVIDUAL' }, false],
    ['for a customer abroad', 15_000, {}, { country: 'DE' }, false],
    ['of a receipt', 15_000, { documentType: 'RECEIPT', paymentMethod: 'CASH' }, {}, false],
    ['of a payment request', 15_000, { documentType: 'PAYMENT_REQUEST' }, {}, false],
    ['of an invoice-receipt', 15_000, { documentType: 'INVOICE_RECEIPT', status: 'PAID' }, {}, true],
    ['on 31 May 2026 above 5,000', 9_999, { issueDate: '2026-05-31' }, {}, false],
    ['on 31 May 2026 above 10,000', 10_500, { issueDate: '2026-05-31' }, {}, true],
    ['on 10 June 2025 up to 20,000', 15_000, { issueDate: '2025-06-10' }, {}, false],
    ['without VAT', 15_000, { taxRate: 0, taxAmount: 0, total: 15_000 }, {}, false],
  ])('%s', async (_, subtotal, more, customer, required) => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy, { ...amounts(subtotal), ...more }, customer)
    const { required: says, status } = await clearance(amy, id)
    expect([says, status]).toEqual([required, required ? 'NOT_SUBMITTED' : 'NOT_REQUIRED'])
    if (required) return
    const { success, result } = await submitted(amy, id)
    expect([success, result.status, result.attempts]).toEqual([false, 'NOT_REQUIRED', 0])
    expect(Object.keys(await decided())).not.toContain(id)
  })

  test('of a credit memo never', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'returned' })
    expect(await clearance(amy, memo.id)).toMatchObject({ required: false, status: 'NOT_REQUIRED' })
  })

  test.each(['SG', 'US'] as const)('not in %s', async (country) => {
    const amy = await member('CONTRIBUTOR', { country })
    const { id } = await sell(amy, { status: 'UNSENT' })
    const authority = country === 'SG' ? 'sg-invoicenow' : null
    expect(await clearance(amy, id)).toMatchObject({
      required: false,
      status: 'NOT_REQUIRED',
      authority,
      environment: null,
    })
    expect(await submitted(amy, id)).toMatchObject({ success: false, result: { status: 'NOT_REQUIRED' } })
  })
})

test('a draft and a document without credentials are not submitted, and the answer says why', async () => {
  const amy = await clearingCompany()
  const draft = await largeInvoice(amy, { status: 'DRAFT' })
  expect(await submitted(amy, draft.id)).toMatchObject({
    success: false,
    result: { status: 'NOT_SUBMITTED', error: expect.stringContaining('draft') },
  })
  const { id } = await largeInvoice(amy)
  await amy.call('integrations_tax_authority_delete', integration(amy))
  expect(await submitted(amy, id)).toMatchObject({
    success: false,
    result: { status: 'NOT_SUBMITTED', environment: null, error: expect.stringContaining('credentials') },
  })
  expect(await query('select document_id from clearances where organization_id = $1', [amy.organizationId])).toEqual([])
})

test('an approved document keeps its number: submitting again asks for none, and it cannot be retried', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  const first = await submitted(amy, id)
  expect(await submitted(amy, id)).toEqual(first)
  await doClearance(amy, id)
  expect((await decided())[id]).toMatchObject({ times: 1, number: first.result.vatAllocationNumber })
  await expect(submitted(amy, id, 'retry')).rejects.toMatchObject({ status: 409 })
})

test('retry needs a submission that was rejected or has failed', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  await expect(submitted(amy, id, 'retry')).rejects.toMatchObject({ status: 409 })
  await simulate({ outage: 1 })
  expect((await submitted(amy, id)).result.status).toBe('ERROR')
  await simulate({ outage: 0 })
  expect(await submitted(amy, id, 'retry')).toMatchObject({
    success: true,
    result: { status: 'APPROVED', attempts: 2 },
  })
})

test('a rejection carries the reasons of the authority in words, an entry and an event, and a retry says what it waits for', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  await simulate({ reject: 1 })
  const { success, result } = await submitted(amy, id)
  expect([success, result]).toMatchObject([
    false,
    { status: 'REJECTED', decidedAt: expect.any(String), nextAttemptAt: null },
  ])
  expect(result.reasons).toEqual([{ code: 460, message: 'Invoice not approved', param: 'vat_number' }])
  expect(result.error).toContain('the authority does not approve the invoice')
  expect(await events(amy, id)).toEqual(['CREATED', 'ISSUED', 'CLEARANCE_SUBMITTED', 'CLEARANCE_REJECTED'])
  expect(await emitted(amy, 'invoice.clearance_rejected')).toMatchObject([{ id, reason: result.error }])
  expect(await submitted(amy, id)).toMatchObject({ success: false, result: { status: 'REJECTED', attempts: 1 } })
  const again = await submitted(amy, id, 'retry')
  expect(again.result).toMatchObject({ status: 'REJECTED', attempts: 2, reasons: [{ code: 461 }] })
})

test.each([
  ['a wrong number of the customer', {}, { registrationNumber: '123456789' }, 432],
  ['the number of the issuer as customer', {}, { registrationNumber: '514000009' }, 432],
  ['a date that is too old', { issueDate: '2026-07-01' }, {}, 434],
])('wrong data is a rejection that names it: %s', async (_, more, customer, code) => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy, more, customer)
  const { result } = await submitted(amy, id)
  expect(result).toMatchObject({ status: 'REJECTED', reasons: [{ code }], vatAllocationNumber: null })
})

test('a customer without a number is an error that nothing is sent for, until the number is entered', async () => {
  const amy = await clearingCompany()
  await amy.call('integrations_tax_authority_delete', integration(amy)) // who is connected issues no such invoice
  const { id, customerId } = await largeInvoice(amy, {}, { registrationNumber: null })
  await amy.call('integrations_tax_authority_post', { ...integration(amy), credentials: simulatorCredentials })
  const { result } = await submitted(amy, id)
  expect(result).toMatchObject({
    status: 'ERROR',
    error: expect.stringContaining('registrationNumber'),
    nextAttemptAt: null,
  })
  expect(Object.keys(await decided())).not.toContain(id)
  await amy.call('customers_update_patch', { id: customerId, registrationNumber: '512345679' })
  expect(await submitted(amy, id, 'retry')).toMatchObject({ success: true })
})

describe('FLT-18: an authority that is', () => {
  test.each([
    ['down', { outage: 1 }, 'not available'],
    ['answering with a web page', { html: 1 }, 'a web page instead of an answer'],
    ['answering with half of the JSON', { truncated: 1 }, 'could not be read'],
    ['breaking off', { lostResponses: 1 }, 'broke off'],
  ])(
    '%s is an error in words, repeated later with the same request and the same number',
    async (_, switches, words) => {
      const amy = await clearingCompany()
      await amy.call('integrations_validate', integration(amy)) // there is a token
      const { id } = await largeInvoice(amy)
      await simulate(switches)
      const { success, result } = await submitted(amy, id)
      expect([success, result.status, result.error]).toEqual([false, 'ERROR', expect.stringContaining(words)])
      expect(Date.parse(result.nextAttemptAt ?? '')).toBeGreaterThan(Date.now())
      const [queued] = await query('select run_at from graphile_worker.jobs where key = $1', [`clear-document:${id}`])
      expect(queued.run_at.toISOString()).toBe(new Date(result.nextAttemptAt ?? '').toISOString())
      await simulate({ outage: 0, html: 0, truncated: 0, lostResponses: 0 })
      await doClearance(amy, id)
      const after = await clearance(amy, id)
      expect(after).toMatchObject({ status: 'APPROVED', attempts: 2, error: null, nextAttemptAt: null })
      const { number, times } = (await decided())[id] ?? {}
      expect([number, times]).toEqual([after.vatAllocationNumber, 'outage' in switches ? 1 : 2])
    },
  )

  test('giving another number for the same document changes nothing once there is one', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    const { result } = await submitted(amy, id)
    await simulate({ repeated: 'another-number' })
    await query('update clearances set claimed_until = null where document_id = $1', [id])
    await doClearance(amy, id)
    await submitted(amy, id)
    expect((await clearance(amy, id)).vatAllocationNumber).toBe(result.vatAllocationNumber)
  })

  test('giving the number of another document is an error: no two documents have one number', async () => {
    const amy = await clearingCompany()
    const [first, second] = [await largeInvoice(amy), await largeInvoice(amy)]
    const { result } = await submitted(amy, first.id)
    await simulate({ html: 1 })
    await submitted(amy, second.id) // it was allocated a number, and the answer was lost
    await simulate({ html: 0, repeated: 'number-of-another' })
    const { result: refused } = await submitted(amy, second.id, 'retry')
    expect(refused).toMatchObject({
      status: 'ERROR',
      error: expect.stringContaining(`another document (${first.invoiceNumber})`),
    })
    await simulate({ repeated: 'same-number' })
    const after = await submitted(amy, second.id, 'retry')
    expect(after.success).toBe(true)
    expect(after.result.vatAllocationNumber).not.toBe(result.vatAllocationNumber)
  })
})

describe('credentials that the authority does not accept', () => {
  test('are an error that is not repeated; managers are notified once; other credentials repeat the submission', async () => {
    const amy = await clearingCompany()
    await simulate({ withdrawn: true })
    const [first, second] = [await largeInvoice(amy), await largeInvoice(amy)]
    for (const { id } of [first, second])
      expect((await submitted(amy, id)).result).toMatchObject({
        status: 'ERROR',
        error: expect.stringContaining('sign in there again'),
        nextAttemptAt: null,
      })
    const { status } = await amy.call('integrations_tax_authority_get', integration(amy))
    expect(status).toMatchObject({
      isActive: false,
      isValidated: false,
      validationError: expect.stringContaining('sign in'),
    })
    const { notifications } = await amy.call('users_notifications')
    expect(notifications.filter(({ kind }) => kind === 'TAX_AUTHORITY_FAILED')).toHaveLength(1)
    await simulate({ withdrawn: false })
    await amy.call('integrations_tax_authority_post', { ...integration(amy), credentials: simulatorCredentials })
    const keys = [first, second].map(({ id }) => `clear-document:${id}`)
    expect(
      await query('select key from graphile_worker.jobs where key = any($1) and run_at <= now()', [keys]),
    ).toHaveLength(2)
    await doClearance(amy, first.id)
    expect((await clearance(amy, first.id)).status).toBe('APPROVED')
  })

  test('of the sandbox ask for no number that was requested in production, where it may exist', async () => {
    const amy = await clearingCompany()
    await amy.call('integrations_validate', integration(amy)) // there is a token
    const { id } = await largeInvoice(amy)
    await simulate({ lostResponses: 1 })
    await submitted(amy, id)
    await simulate({ lostResponses: 0 })
    await query("update clearances set environment = 'production' where document_id = $1", [id])
    const asked = (await decided())[id]?.times
    expect(asked).toBe(1)
    const { success, result } = await submitted(amy, id, 'retry')
    expect([success, result]).toMatchObject([
      false,
      { status: 'ERROR', environment: 'production', nextAttemptAt: null },
    ])
    expect(result.error).toContain('The document was submitted in production')
    await amy.call('integrations_tax_authority_delete', integration(amy))
    await doClearance(amy, id)
    await amy.call('integrations_tax_authority_post', { ...integration(amy), credentials: simulatorCredentials })
    await doClearance(amy, id)
    expect(await clearance(amy, id)).toMatchObject({ status: 'ERROR', vatAllocationNumber: null })
    expect((await decided())[id]?.times).toBe(asked)
  })

  test('an access token that has ended is renewed and the request repeated', async () => {
    const amy = await clearingCompany()
    await simulate({ accessTokenSeconds: 0 }) // it has ended for the authority alone
    await amy.call('integrations_validate', integration(amy))
    await simulate({ accessTokenSeconds: 601 })
    const { id } = await largeInvoice(amy)
    expect((await submitted(amy, id)).success).toBe(true)
  })
})

describe('submission on issue', () => {
  const queuedFor = (id: string) =>
    query('select key from graphile_worker.jobs where key = $1', [`clear-document:${id}`])

  test('is made later by a new job if 20 workers have died in one, and for 14 days at most', async () => {
    const amy = await clearingCompany({ clearOnIssue: true })
    const { id } = await largeInvoice(amy)
    await doClearance(amy, id, { attempts: 21 })
    expect(await clearance(amy, id)).toMatchObject({
      status: 'ERROR',
      attempts: 0,
      error: expect.stringContaining('The server stopped'),
      nextAttemptAt: expect.any(String),
    })
    expect(Object.keys(await decided())).not.toContain(id)
    expect(await queuedFor(id)).toHaveLength(1)
    await query("update clearances set submitted_at = now() - interval '14 days' where document_id = $1", [id])
    await doClearance(amy, id, { attempts: 21 })
    expect(await clearance(amy, id)).toMatchObject({ status: 'ERROR', nextAttemptAt: null })
    await doClearance(amy, id)
    expect((await clearance(amy, id)).status).toBe('APPROVED')
  })

  test('is off by default', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    expect(await queuedFor(id)).toEqual([])
    await doClearance(amy, id)
    expect((await clearance(amy, id)).status).toBe('NOT_SUBMITTED')
  })

  test.each([
    ['created as issued', (amy: Someone) => largeInvoice(amy)],
    ['issued later', async (amy: Someone) => {
      const { id } = await largeInvoice(amy, { status: 'DRAFT' })
      expect(await queuedFor(id)).toEqual([])
      return amy.call('invoices_update', { id, status: 'UNSENT' })
    }],
  ])('commits a job with a document that is %s, which gets its number', async (_, issue) => {
    const amy = await clearingCompany({ clearOnIssue: true })
    const { id } = await issue(amy)
    expect(await queuedFor(id)).toHaveLength(1)
    await doClearance(amy, id)
    expect(await clearance(amy, id)).toMatchObject({ status: 'APPROVED', attempts: 1 })
    expect(await events(amy, id)).toContain('CLEARANCE_SUBMITTED')
  }) // biome-ignore format: a case a line

  test('leaves a document alone that needs no number', async () => {
    const amy = await clearingCompany({ clearOnIssue: true })
    const { id } = await largeInvoice(amy, amounts(100))
    await doClearance(amy, id)
    expect(await clearance(amy, id)).toMatchObject({ status: 'NOT_REQUIRED', attempts: 0 })
  })

  test('without credentials is an error on the document', async () => {
    const amy = await clearingCompany({ clearOnIssue: true })
    await amy.call('integrations_tax_authority_delete', integration(amy))
    const { id } = await largeInvoice(amy)
    await doClearance(amy, id)
    expect(await clearance(amy, id)).toMatchObject({ status: 'ERROR', error: expect.stringContaining('credentials') })
  })
})

describe('a number that was entered by hand', () => {
  test('is an approval, and ends a submission that has failed', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    await amy.call('invoices_manual_allocation', { id, allocationNumber: '178-091-822' })
    expect(await clearance(amy, id)).toMatchObject({
      status: 'APPROVED',
      vatAllocationNumber: '178091822',
      attempts: 0,
    })
    const { id: failed } = await largeInvoice(amy)
    await simulate({ outage: 1 })
    await submitted(amy, failed)
    await amy.call('invoices_manual_allocation', { id: failed, allocationNumber: '178091823' })
    await simulate({ outage: 0 })
    await doClearance(amy, failed)
    expect(await clearance(amy, failed)).toMatchObject({
      status: 'APPROVED',
      vatAllocationNumber: '178091823',
      attempts: 1,
      error: null,
    })
    await amy.call('invoices_manual_allocation', { id: failed, allocationNumber: '178091824' }) // a typing error is corrected
    expect((await clearance(amy, failed)).vatAllocationNumber).toBe('178091824')
  })

  test('INV-07: does not replace the number of the authority', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    const { result } = await submitted(amy, id)
    const enter = (allocationNumber: string) => amy.call('invoices_manual_allocation', { id, allocationNumber })
    expect((await enter(result.vatAllocationNumber ?? '')).success).toBe(true)
    await expect(enter('123456789')).rejects.toMatchObject({
      status: 409,
      details: [{ code: 'ALLOCATED_NUMBER_IS_FINAL' }],
    })
    expect((await clearance(amy, id)).vatAllocationNumber).toBe(result.vatAllocationNumber)
  })

  test('stays if the answer of the authority comes later; the answer is in the history', async () => {
    const amy = await clearingCompany()
    const { id } = await largeInvoice(amy)
    await simulate({ delayMs: 600 })
    const submitting = submitted(amy, id)
    await expect.poll(async () => (await clearance(amy, id)).attempts).toBe(1) // it is PENDING before
    await amy.call('invoices_manual_allocation', { id, allocationNumber: '178091822' })
    expect(await submitting).toMatchObject({ success: true, result: { vatAllocationNumber: '178091822' } })
    expect(await events(amy, id)).toContain('CLEARANCE_ANSWER_UNUSED')
  })
})

test('two submissions at once make one request at a time, and one number', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  await simulate({ delayMs: 200 })
  const answers = await Promise.all([submitted(amy, id), submitted(amy, id), doClearance(amy, id)])
  expect(answers.some((answer) => answer?.success)).toBe(true)
  expect((await decided())[id]).toMatchObject({ times: 1, number: (await clearance(amy, id)).vatAllocationNumber })
})

test('the database lets nobody change a number of the authority, and gives it to no second document', async () => {
  const amy = await clearingCompany()
  const [{ id }, { id: other }] = [await largeInvoice(amy), await largeInvoice(amy)]
  await submitted(amy, id)
  await submitted(amy, other)
  const final = { constraint: 'allocated_number_is_final' }
  for (const change of [
    "number = '1'",
    "status = 'PENDING', number = null, source = null, decided_at = null",
    "source = 'MANUAL'",
    'request = null',
  ])
    await expect(query(`update clearances set ${change} where document_id = $1`, [id])).rejects.toMatchObject(final)
  await expect(query("update documents set vat_allocation_number = '1' where id = $1", [id])).rejects.toMatchObject(
    final,
  )
  await query('update clearances set attempts = attempts where document_id = $1', [id])
  const { id: third } = await largeInvoice(amy)
  await simulate({ outage: 1 })
  await submitted(amy, third)
  const copied = query(
    `update clearances c set status = 'APPROVED', source = 'AUTHORITY', decided_at = now(), number = o.number
     from clearances o where o.document_id = $1 and c.document_id = $2`,
    [id, third],
  )
  await expect(copied).rejects.toMatchObject({ constraint: 'one_document_per_allocation_number' })
})

test.each([
  ['no action', { action: undefined }],
  ['an unknown action', { action: 'cancel' }],
  ['another id in the body', { action: 'submit', more: 1 }],
])('%s is refused', async (_, wrong) => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  const operation = operationNamed('invoices_clearance_post')
  expect((await amy.request(operation, { id, action: 'submit' })).status).toBe(200)
  expect((await amy.request(operation, { id, ...wrong })).status).toBe(400)
})

test('viewers read the clearance and do not submit', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  const viewer = await member('VIEWER', { of: amy })
  expect((await clearance(viewer, id)).required).toBe(true)
  await expect(submitted(viewer, id)).rejects.toMatchObject({ status: 403 })
  const stranger = await clearingCompany()
  await expect(clearance(stranger, id)).rejects.toMatchObject({ status: 404 })
  await expect(submitted(stranger, id)).rejects.toMatchObject({ status: 404 })
})
