import '../own-world.ts'
import { expect, test } from 'vitest'
import { emailOf } from '../accounts.ts'
import { lastRun, settle } from '../automations/automations.ts'
import { storeTestRates } from '../exchange-rates.ts'
import { member, type Someone } from '../world.ts'

/** Creates the template "Approval by amount" with a limit and enables it. */
async function approveUpTo(someone: Someone, limit: number) {
  const { organizationId = '' } = someone
  const { templates } = await someone.call('automations_templates')
  const template = templates.find(({ id }) => id === 'approval-by-amount')
  if (!template) throw new Error('The template approval-by-amount is not listed.')
  const { name, description, blocks } = template
  const edges = template.edges.map((edge) => ({ ...edge, cond: { ...(edge.cond as object), right: limit } }))
  const { id } = await someone.call('automations_create', { organizationId, name, description, blocks, edges })
  await someone.call('automations_enable', { id })
  return id
}

const spend = (someone: Someone, amount: number, more: object = {}) =>
  someone.call('expenses_create', {
    organizationId: String(someone.organizationId),
    ...{ amount, currency: 'SGD', date: '2026-01-31', ...more },
  })

async function submit(someone: Someone, amount: number, more: object = {}) {
  const { id } = await spend(someone, amount, more)
  await someone.call('expenses_status', { id, status: 'PENDING_REVIEW' })
  return id
}

const read = (someone: Someone, id: string) => someone.call('expenses_get', { id })

test('the template approves a small expense that an employee submits, and leaves a large one to a person', async () => {
  const mia = await member('MANAGER')
  const carl = await member('CONTRIBUTOR', { of: mia })
  await approveUpTo(mia, 100)
  const small = await submit(carl, 100)
  const large = await submit(carl, 100.01)
  const scanned = (await spend(carl, 40, { source: 'SCAN' })).id
  const draft = (await spend(carl, 40)).id
  await settle(mia)
  expect(await read(carl, small)).toMatchObject({ status: 'APPROVED', reviewedBy: { id: mia.userId } })
  expect(await read(carl, large)).toMatchObject({ status: 'PENDING_REVIEW', reviewedBy: null })
  expect(await read(carl, scanned)).toMatchObject({ status: 'APPROVED' })
  expect(await read(carl, draft)).toMatchObject({ status: 'DRAFT' })
})

test('an automation of a CONTRIBUTOR approves nothing', async () => {
  const mia = await member('MANAGER')
  const carl = await member('CONTRIBUTOR', { of: mia })
  const automation = await approveUpTo(carl, 100)
  const small = await submit(carl, 10)
  await settle(mia)
  expect(await read(mia, small)).toMatchObject({ status: 'PENDING_REVIEW' })
  expect(await lastRun(carl, automation)).toMatchObject({ status: 'FAILED' })
})

test('an automation does not approve a claim of its owner', async () => {
  const mia = await member('MANAGER')
  const other = await mia.call('customers_create', {
    name: 'Carl',
    country: 'SG',
    kind: 'INDIVIDUAL',
    email: 'carl@example.test',
  })
  const self = await mia.call('customers_create', {
    ...{ name: 'Mia', country: 'SG', kind: 'INDIVIDUAL', email: emailOf(mia) },
  })
  const automation = await approveUpTo(mia, 100)
  const theirs = await submit(mia, 10, { claimantId: other.id })
  await settle(mia)
  expect(await read(mia, theirs)).toMatchObject({ status: 'APPROVED' })
  const own = await submit(mia, 10, { claimantId: self.id })
  await settle(mia)
  expect(await read(mia, own)).toMatchObject({ status: 'PENDING_REVIEW' })
  expect(await lastRun(mia, automation)).toMatchObject({ status: 'FAILED' })
})

test('an automation approves nothing for the author of its graph that they could not approve themselves', async () => {
  const mia = await member('OWNER')
  const ann = await member('MANAGER', { of: mia })
  const self = await mia.call('customers_create', {
    ...{ name: 'Ann', country: 'SG', kind: 'INDIVIDUAL', email: emailOf(ann) },
  })
  const automation = await approveUpTo(mia, 100)
  const { blocks, edges } = await mia.call('automations_get', { id: automation })
  await ann.call('automations_update', { id: automation, blocks, edges } as never)
  await mia.call('settings_update', { id: String(mia.organizationId), requireApproval: true })
  const claim = await submit(await member('CONTRIBUTOR', { of: mia }), 10, { claimantId: self.id })
  const entered = await submit(ann, 10)
  await settle(mia)
  for (const id of [claim, entered]) expect(await read(mia, id)).toMatchObject({ status: 'PENDING_REVIEW' })
  expect(await lastRun(mia, automation)).toMatchObject({ status: 'FAILED' })
})

test('the amount is compared in the currency of the organization, and one without a known rate waits for a person', async () => {
  await storeTestRates()
  const mia = await member('MANAGER', { country: 'IL' })
  await approveUpTo(mia, 371)
  const on = '2023-12-08' // a dollar is 3.70993783057 shekels
  const spent = (amount: number, currency: string) => submit(mia, amount, { currency, date: on })
  const small = [await spent(371, 'ILS'), await spent(100, 'USD')]
  const others = [await spent(371.01, 'ILS'), await spent(100.01, 'USD'), await spent(1, 'KPW'), await spent(1, 'XAU')]
  await settle(mia)
  for (const id of small) expect(await read(mia, id)).toMatchObject({ status: 'APPROVED' })
  for (const id of others) expect(await read(mia, id)).toMatchObject({ status: 'PENDING_REVIEW' })
})

test.each([{ amount: 5_000 }, { currency: 'USD' }, { vendor: 'Rail' }, { claimantId: 'somebody' }, { title: 'Other' }])(
  'an expense that was submitted small and then changed to %o is not approved',
  async (change) => {
    const mia = await member('MANAGER')
    const carl = await member('CONTRIBUTOR', { of: mia })
    const automation = await approveUpTo(mia, 100)
    const id = await submit(carl, 10)
    const somebody = await carl.call('customers_create', { name: 'Dana', country: 'SG', kind: 'INDIVIDUAL' })
    const changed = 'claimantId' in change ? { claimantId: somebody.id } : change
    await carl.call('expenses_update_patch_2', { id, ...changed })
    await settle(mia)
    expect(await read(mia, id)).toMatchObject({ status: 'PENDING_REVIEW' })
    expect(await lastRun(mia, automation)).toMatchObject({ status: 'FAILED' })
  },
)
