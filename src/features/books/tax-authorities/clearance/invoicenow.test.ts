import '../../../../test/own-world.ts'
import { describe, expect, test } from 'vitest'
import {
  accessPointCredentials,
  invoiceNow,
  reportedInvoice,
  reportingCompany,
  sentDocuments,
  simulateAccessPoint,
} from '../../../../test/access-point.ts'
import { doClearance, submitted } from '../../../../test/clearance.ts'
import { checkUbl } from '../../../../test/einvoices/check/check-ubl.ts'
import { untaxed } from '../../../../test/singapore-trade.ts'
import { type Someone, theApp } from '../../../../test/world.ts'

const clearance = (amy: Someone, id: string) => amy.call('invoices_clearance', { id })
const query = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows
const events = async (amy: Someone, id: string) =>
  (await amy.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()

test('an invoice is sent as PINT through the access point, and APPROVED has the acknowledgement of IRAS', async () => {
  const amy = await reportingCompany()
  const { id } = await reportedInvoice(amy)
  const before = { required: true, status: 'NOT_SUBMITTED', authority: 'sg-invoicenow', environment: 'sandbox', vatAllocationNumber: null }
  expect(await clearance(amy, id)).toMatchObject(before)
  const { success, result } = await submitted(amy, id)
  expect([success, result]).toMatchObject([true, {
    status: 'APPROVED', vatAllocationNumber: expect.stringMatching(/^ACK-[0-9A-F]{24}$/), attempts: 1, error: null, reasons: [],
  }])
  expect(await clearance(amy, id)).toEqual(result)
  expect((await amy.call('invoices_get', { id })).vatAllocationNumber).toBe(result.vatAllocationNumber)
  expect(await events(amy, id)).toEqual(['CREATED', 'ISSUED', 'CLEARANCE_SUBMITTED', 'CLEARANCE_APPROVED'])
  const { content, times, deliveries, receiver } = (await sentDocuments())[id] ?? {}
  expect([times, deliveries, receiver]).toEqual([1, 1, '0195:SGUEN197401143C'])
  expect(await checkUbl(content ?? '', 'pint')).toEqual([])
  const [{ request }] = (await query('select request from clearances where document_id = $1', [id])) as [{ request: object }]
  expect(request).toMatchObject({ invoice_id: id, sender: amy.participantId, receiver, content, process: 'urn:peppol:bis:billing' })
}) // biome-ignore format: a list of fields

describe('reported are', () => {
  test.each([
    ['invoices', {}, {}, true],
    ['zero-rated invoices', untaxed(100, 'ZR'), {}, true],
    ['no receipts', { documentType: 'RECEIPT', paymentMethod: 'CASH' }, {}, false],
    ['no payment requests', { documentType: 'PAYMENT_REQUEST' }, {}, false],
    ['no sales to private customers', {}, { kind: 'INDIVIDUAL', registrationNumber: null }, false],
    ['no sales abroad without an address in Peppol', {}, { country: 'MY', registrationNumber: '199001000001' }, false],
  ])('%s', async (_, more, customer, required) => {
    const amy = await reportingCompany()
    const { id } = await reportedInvoice(amy, more, customer)
    expect(await clearance(amy, id)).toMatchObject({ required, status: required ? 'NOT_SUBMITTED' : 'NOT_REQUIRED' })
    const { success, result } = await submitted(amy, id)
    expect([success, result.status]).toEqual(required ? [true, 'APPROVED'] : [false, 'NOT_REQUIRED'])
  })

  test('credit memos, with the reason as a note', async () => {
    const amy = await reportingCompany()
    const { id } = await reportedInvoice(amy)
    const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Returned' })
    expect((await submitted(amy, memo.id)).result.status).toBe('APPROVED')
    expect((await sentDocuments())[memo.id]?.content).toContain('<cbc:Note>Returned</cbc:Note>')
  })

  test('no documents of an organization without credentials', async () => {
    const amy = await reportingCompany()
    const { id } = await reportedInvoice(amy)
    expect((await clearance(amy, id)).status).toBe('NOT_SUBMITTED')
    await amy.call('integrations_tax_authority_delete', invoiceNow(amy))
    expect(await submitted(amy, id)).toMatchObject({
      success: false,
      result: { required: false, status: 'NOT_REQUIRED', error: expect.stringContaining('access point') },
    })
  })
})

test('a document that is not decided yet stays PENDING and is asked for again, without being sent twice', async () => {
  const amy = await reportingCompany()
  const { id } = await reportedInvoice(amy)
  await simulateAccessPoint({ decideMs: 60_000 })
  const { success, result } = await submitted(amy, id)
  expect([success, result.status, result.error]).toEqual([false, 'PENDING', null])
  expect(Date.parse(result.nextAttemptAt ?? '')).toBeGreaterThan(Date.now())
  expect(await query('select run_at from graphile_worker.jobs where key = $1', [`clear-document:${id}`])).toHaveLength(
    1,
  )
  await simulateAccessPoint({ decideMs: 0 })
  await doClearance(amy, id)
  expect(await clearance(amy, id)).toMatchObject({ status: 'APPROVED', attempts: 2 })
  expect((await sentDocuments())[id]).toMatchObject({ times: 2, deliveries: 1 })
})

test('a rejection carries the rules that were broken; corrected data is sent again under the same id', async () => {
  const amy = await reportingCompany()
  const { id } = await reportedInvoice(amy)
  await simulateAccessPoint({ reject: 1 })
  const { result } = await submitted(amy, id)
  expect(result).toMatchObject({
    status: 'REJECTED',
    nextAttemptAt: null,
    error: expect.stringContaining('IRASC5-REFUSED'),
  })
  expect(result.reasons).toEqual([
    { code: null, message: expect.stringContaining('IRASC5-REFUSED'), param: 'cac:AccountingSupplierParty' },
  ])
  expect(await events(amy, id)).toContain('CLEARANCE_REJECTED')
  expect((await submitted(amy, id)).result.attempts).toBe(1)
  await simulateAccessPoint({ reject: 0 })
  expect(await submitted(amy, id, 'retry')).toMatchObject({ success: true, result: { attempts: 2 } })
})

test('a delivery that failed is repeated and accepted', async () => {
  const amy = await reportingCompany()
  const { id } = await reportedInvoice(amy)
  await simulateAccessPoint({ fail: 1 })
  const { result } = await submitted(amy, id)
  expect(result).toMatchObject({
    status: 'ERROR',
    error: expect.stringContaining('could not deliver'),
    nextAttemptAt: expect.any(String),
  })
  await doClearance(amy, id)
  expect(await clearance(amy, id)).toMatchObject({ status: 'APPROVED', attempts: 2, error: null })
})

test('what the format requires and is missing is an error in words, until it is entered', async () => {
  const amy = await reportingCompany()
  await amy.call('integrations_tax_authority_delete', invoiceNow(amy)) // who is connected issues no such invoice
  const { id, customerId } = await reportedInvoice(amy, {}, { registrationNumber: null })
  await amy.call('integrations_tax_authority_post', { ...invoiceNow(amy), credentials: accessPointCredentials })
  const { result } = await submitted(amy, id)
  expect(result).toMatchObject({ status: 'ERROR', error: expect.stringContaining('UEN'), nextAttemptAt: null })
  expect(Object.keys(await sentDocuments())).not.toContain(id)
  await amy.call('customers_update_patch', { id: String(customerId), registrationNumber: '197401143C' })
  expect(await submitted(amy, id, 'retry')).toMatchObject({ success: true })
})

describe('FLT-18: an access point that is', () => {
  test.each([
    ['down', { outage: 1 }, 'not available'],
    ['answering with a web page', { html: 1 }, 'a web page instead of an answer'],
    ['answering with half of the JSON', { truncated: 1 }, 'could not be read'],
    ['breaking off', { lostResponses: 1 }, 'broke off'],
  ])('%s is an error in words, and the document is delivered once', async (_, switches, words) => {
    const amy = await reportingCompany()
    await amy.call('integrations_validate', invoiceNow(amy)) // there is a token
    const { id } = await reportedInvoice(amy)
    await simulateAccessPoint(switches)
    const { success, result } = await submitted(amy, id)
    expect([success, result.status, result.error]).toEqual([false, 'ERROR', expect.stringContaining(words)])
    expect(Date.parse(result.nextAttemptAt ?? '')).toBeGreaterThan(Date.now())
    await simulateAccessPoint({ outage: 0, html: 0, truncated: 0, lostResponses: 0 })
    await doClearance(amy, id)
    expect(await clearance(amy, id)).toMatchObject({ status: 'APPROVED', error: null, nextAttemptAt: null })
    expect((await sentDocuments())[id]?.deliveries).toBe(1)
  })

  test('refusing the client is not repeated; managers are notified once; other credentials repeat the submission', async () => {
    const amy = await reportingCompany()
    await simulateAccessPoint({ withdrawn: true })
    const [first, second] = [await reportedInvoice(amy), await reportedInvoice(amy)]
    for (const { id } of [first, second])
      expect((await submitted(amy, id)).result).toMatchObject({ status: 'ERROR', nextAttemptAt: null })
    const { notifications } = await amy.call('users_notifications')
    expect(notifications.filter(({ kind }) => kind === 'TAX_AUTHORITY_FAILED')).toHaveLength(1)
    await simulateAccessPoint({ withdrawn: false })
    const credentials = { ...accessPointCredentials, participantId: amy.participantId }
    await amy.call('integrations_tax_authority_post', { ...invoiceNow(amy), credentials })
    const keys = [first, second].map(({ id }) => `clear-document:${id}`)
    expect(
      await query('select key from graphile_worker.jobs where key = any($1) and run_at <= now()', [keys]),
    ).toHaveLength(2)
    await doClearance(amy, first.id)
    expect((await clearance(amy, first.id)).status).toBe('APPROVED')
  })

  test('an access token that has ended is renewed and the request repeated', async () => {
    const amy = await reportingCompany()
    await simulateAccessPoint({ accessTokenSeconds: 0 })
    await amy.call('integrations_validate', invoiceNow(amy))
    await query('update tax_authority_connections set refreshing_until = null where organization_id = $1', [
      amy.organizationId,
    ])
    await simulateAccessPoint({ accessTokenSeconds: 600 })
    const { id } = await reportedInvoice(amy)
    expect((await submitted(amy, id)).success).toBe(true)
  })
})

test('submission on issue: invoices, zero-rated ones and credit memos have a job, and a receipt has none', async () => {
  const amy = await reportingCompany({ clearOnIssue: true })
  const jobs = (id: string) => query('select key from graphile_worker.jobs where key = $1', [`clear-document:${id}`])
  const invoice = await reportedInvoice(amy)
  const exported = await reportedInvoice(amy, untaxed(100, 'ZR'))
  const memo = await amy.call('invoices_memos', { id: invoice.id, kind: 'CREDIT', reason: 'Returned' })
  for (const { id } of [invoice, exported, memo]) {
    expect(await jobs(id)).toHaveLength(1)
    await doClearance(amy, id)
    expect((await clearance(amy, id)).status).toBe('APPROVED')
  }
  const receipt = await reportedInvoice(amy, { documentType: 'RECEIPT', paymentMethod: 'CASH' })
  expect(await jobs(receipt.id)).toEqual([])
})
