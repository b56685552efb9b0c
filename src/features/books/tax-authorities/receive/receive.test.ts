import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import {
  deliver,
  invoiceNow,
  reportedInvoice,
  reportingCompany,
  sentDocuments,
  simulateAccessPoint,
} from '../../../../test/access-point.ts'
import { submitted } from '../../../../test/clearance.ts'
import { doJob } from '../../../../test/job.ts'
import { type Someone, theApp } from '../../../../test/world.ts'
import { receiveEInvoices, startReceiving } from './receive.ts'

const query = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows

const connectionOf = async (amy: Someone) =>
  (await query('select id from tax_authority_connections where organization_id = $1', [amy.organizationId]))[0]?.id

/** Runs the job of an organization at once. */
const receive = async (amy: Someone) =>
  doJob(
    receiveEInvoices,
    { connectionId: await connectionOf(amy) },
    { flags: { [`organization:${amy.organizationId}`]: true } },
  )

async function expenses(amy: Someone) {
  const { expenses: listed } = await amy.call('expenses_list', { organizationId: String(amy.organizationId) })
  return Promise.all(listed.map(({ id }) => amy.call('expenses_get', { id })))
}
const taken = (amy: Someone) =>
  query(
    'select access_point_id as id, outcome, reason, expense_id, sender from received_einvoices where organization_id = $1',
    [amy.organizationId],
  )

/** An e-invoice as a supplier sends it: that of a company which sells to this one. */
async function supplierFile(more: Record<string, unknown> = {}) {
  const olga = await reportingCompany()
  const { id, invoiceNumber } = await reportedInvoice(olga, more)
  await submitted(olga, id)
  const xml = (await sentDocuments())[id]?.content ?? ''
  return { xml, invoiceNumber }
}

test('a document that was received makes one expense with the exact figures, and is confirmed', async () => {
  const amy = await reportingCompany()
  const { xml, invoiceNumber } = await supplierFile()
  const id = await deliver(amy.participantId, xml)
  await receive(amy)
  const [expense, ...others] = await expenses(amy)
  expect(others).toEqual([])
  expect(expense).toMatchObject({
    amount: 109,
    taxAmount: 9,
    currency: 'SGD',
    documentNumber: invoiceNumber,
    status: 'PENDING_REVIEW',
    source: 'SCAN',
  })
  expect(await taken(amy)).toEqual([
    { id, outcome: 'CREATED', reason: null, expense_id: expense?.id, sender: '0195:SGUEN197401143C' },
  ])
  await receive(amy)
  expect(await expenses(amy)).toHaveLength(1)
  expect(await taken(amy)).toHaveLength(1)
})

test('an organization receives what another one sends to it', async () => {
  const [olga, amy] = [await reportingCompany(), await reportingCompany()]
  const { id, invoiceNumber } = await reportedInvoice(olga, { countrySpecificData: { peppolId: amy.participantId } })
  expect((await submitted(olga, id)).success).toBe(true)
  await receive(amy)
  expect(await expenses(amy)).toMatchObject([{ documentNumber: invoiceNumber, amount: 109 }])
  expect(await taken(amy)).toMatchObject([{ id, sender: olga.participantId }])
})

test('a document that is listed again, because its confirmation was lost, makes no second expense', async () => {
  const amy = await reportingCompany()
  await amy.call('integrations_validate', invoiceNow(amy)) // there is a token
  const { xml } = await supplierFile()
  await deliver(amy.participantId, xml, 'one')
  await receive(amy)
  await deliver(amy.participantId, xml, 'one') // the access point has forgotten the confirmation
  await Promise.all([receive(amy), receive(amy)])
  expect(await expenses(amy)).toHaveLength(1)
  expect(await taken(amy)).toHaveLength(1)
})

test('two polls at a time make one expense', async () => {
  const amy = await reportingCompany()
  const { xml } = await supplierFile()
  await deliver(amy.participantId, xml)
  await Promise.all([receive(amy), receive(amy)])
  expect(await expenses(amy)).toHaveLength(1)
  expect(await taken(amy)).toMatchObject([{ outcome: 'CREATED' }])
})

test('the same bill under another id is a duplicate of the expense that is there', async () => {
  const amy = await reportingCompany()
  const { xml } = await supplierFile()
  await deliver(amy.participantId, xml)
  await receive(amy)
  const [expense] = await expenses(amy)
  await deliver(amy.participantId, xml)
  await receive(amy)
  expect(await expenses(amy)).toHaveLength(1)
  expect((await taken(amy)).map(({ outcome, expense_id }) => [outcome, expense_id])).toEqual(
    expect.arrayContaining([
      ['CREATED', expense?.id],
      ['DUPLICATE', expense?.id],
    ]),
  )
})

test('what cannot be read is a draft with the file attached, and does not hold up the others', async () => {
  const amy = await reportingCompany()
  const { xml } = await supplierFile()
  await deliver(amy.participantId, '<nothing/>')
  await deliver(amy.participantId, xml)
  await receive(amy)
  const made = await expenses(amy)
  expect(made.map(({ status, amount }) => [status, amount]).toSorted()).toEqual([
    ['DRAFT', 0],
    ['PENDING_REVIEW', 109],
  ])
  expect(made.map(({ attachments }) => attachments.length)).toEqual([1, 1])
  const says = 'Received over InvoiceNow from 0195:SGUEN197401143C. It could not be taken over: The XML is no invoice'
  expect(made.map(({ notes }) => notes).toSorted()).toEqual([expect.stringContaining(says), null])
  expect((await taken(amy)).map(({ outcome, reason }) => [outcome, reason]).toSorted()).toEqual([
    ['CREATED', null],
    ['UNREAD', expect.any(String)],
  ])
})

test('an access point that is down or sends nonsense loses nothing; one that refuses the client is noted and not asked again', async () => {
  const amy = await reportingCompany()
  await amy.call('integrations_validate', invoiceNow(amy))
  const { xml } = await supplierFile()
  await deliver(amy.participantId, xml)
  for (const fault of ['outage', 'html', 'truncated', 'lostResponses'] as const) {
    await simulateAccessPoint({ [fault]: 1 })
    await receive(amy)
    await simulateAccessPoint({ [fault]: 0 })
    expect(await expenses(amy)).toEqual([])
  }
  await receive(amy)
  expect(await expenses(amy)).toHaveLength(1)
  await query('update tax_authority_connections set tokens = null where organization_id = $1', [amy.organizationId])
  await simulateAccessPoint({ withdrawn: true })
  await receive(amy)
  await receive(amy)
  const { status } = await amy.call('integrations_tax_authority_get', invoiceNow(amy))
  expect(status).toMatchObject({ isActive: false, validationError: expect.stringContaining('access point') })
  const { notifications } = await amy.call('users_notifications')
  expect(notifications.filter(({ kind }) => kind === 'TAX_AUTHORITY_FAILED')).toHaveLength(1)
})

test('connected organizations are polled by the clock, those with refused credentials are not, and validating polls at once', async () => {
  const [amy, olga] = [await reportingCompany(), await reportingCompany()]
  await query("update tax_authority_connections set validation_error = 'refused' where organization_id = $1", [
    olga.organizationId,
  ])
  await doJob(startReceiving, {})
  const queued = async (someone: Someone) =>
    query("select run_at <= now() as due from graphile_worker.jobs where key = 'receive-einvoices:' || $1", [
      await connectionOf(someone),
    ])
  expect(await queued(amy)).toHaveLength(1)
  expect(await queued(olga)).toEqual([])
  await amy.call('integrations_validate', invoiceNow(amy))
  expect(await queued(amy)).toEqual([{ due: true }])
})
