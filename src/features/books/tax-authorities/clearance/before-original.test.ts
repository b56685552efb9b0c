import { expect, test } from 'vitest'
import { clearingCompany, doClearance, largeInvoice, simulate, submitted } from '../../../../test/clearance.ts'
import { originalOf, printed } from '../../../../test/documents/printed.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { type Someone, send, theApp } from '../../../../test/world.ts'

const shortNumber = async (amy: Someone, id: string) =>
  (await amy.call('invoices_clearance', { id })).vatAllocationNumber?.slice(-9) ?? 'none'
const copyOf = async (amy: Someone, id: string) => textOf((await printed(amy, id)).bytes)

test('the original is printed with the number: it is requested first, if documents are submitted when they are issued', async () => {
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy)
  const original = await originalOf(amy, id)
  const number = await shortNumber(amy, id)
  expect(number).toMatch(/^\d{9}$/)
  expect(await textOf(original)).toContain(number)
  expect(await copyOf(amy, id)).toContain(number)
})

test('the original waits for an attempt that a worker is making', async () => {
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy)
  await simulate({ delayMs: 700 })
  const working = doClearance(amy, id)
  await expect.poll(async () => (await amy.call('invoices_clearance', { id })).status).toBe('PENDING')
  const original = await originalOf(amy, id)
  await working
  expect(await textOf(original)).toContain(await shortNumber(amy, id))
  expect((await amy.call('invoices_clearance', { id })).attempts).toBe(1)
})

test('a document is sent with the number, and its page shows it', async () => {
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy, { status: 'DRAFT' })
  expect(await amy.call('invoices_send', { id })).toMatchObject({ sent: 1 })
  const number = await shortNumber(amy, id)
  const { url } = await amy.call('invoices_link', { id })
  const page = await send({ method: 'GET', url: new URL(url).pathname + new URL(url).search })
  expect(String(page.body)).toContain(number)
  const { rows } = await theApp().system.raw.query(
    'select type from document_events where document_id = $1 order by seq',
    [id],
  )
  const types = rows.map(({ type }) => type)
  expect(types.indexOf('CLEARANCE_APPROVED')).toBeLessThan(types.indexOf('ORIGINAL_KEPT'))
})

test('an authority that is down does not keep the document back: the original stays without the number, copies show it', async () => {
  const amy = await clearingCompany({ clearOnIssue: true })
  const { id } = await largeInvoice(amy)
  await simulate({ outage: 1 })
  const original = await originalOf(amy, id)
  await simulate({ outage: 0 })
  expect(await submitted(amy, id)).toMatchObject({ success: true })
  const number = await shortNumber(amy, id)
  expect((await originalOf(amy, id)).equals(original)).toBe(true)
  expect([(await textOf(original)).includes(number), (await copyOf(amy, id)).includes(number)]).toEqual([false, true])
})

test('printing submits nothing where the organization does not want that', async () => {
  const amy = await clearingCompany()
  const { id } = await largeInvoice(amy)
  await originalOf(amy, id)
  expect(await amy.call('invoices_clearance', { id })).toMatchObject({ status: 'NOT_SUBMITTED', attempts: 0 })
})
