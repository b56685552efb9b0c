import { expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'

const newCustomer = async (someone: Someone) =>
  (await someone.call('customers_create', { name: 'Blue Door', country: 'SG' })).id

test('recipients are listed as an array, in the order they were added', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await newCustomer(amy)
  expect(await amy.call('customers_recipients', { id })).toEqual([])
  const first = await amy.call('customers_recipients_post', { id, email: 'a@b.test', name: 'Ann' })
  const second = await amy.call('customers_recipients_post', { id, email: 'c@d.test' })
  expect(first).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    customerId: id,
    email: 'a@b.test',
    name: 'Ann',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(second.name).toBeNull()
  expect(await amy.call('customers_recipients', { id })).toEqual([first, second])
})

test('a customer has an address only once as recipient, regardless of case', async () => {
  const amy = await member('CONTRIBUTOR')
  const [one, other] = [await newCustomer(amy), await newCustomer(amy)]
  await amy.call('customers_recipients_post', { id: one, email: 'a@b.test' })
  await expect(amy.call('customers_recipients_post', { id: one, email: 'A@B.test' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('already has a recipient'),
  })
  await amy.call('customers_recipients_post', { id: other, email: 'a@b.test' })
})

test.each([
  { email: '' },
  { email: 'x' },
  { email: null },
  {},
  { email: 'a@b.test', name: 5 },
  { email: 'a@b.test', cc: 'x' },
])('a recipient %j is refused', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  const id = await newCustomer(amy)
  await amy.call('customers_recipients_post', { id, email: 'c@d.test', name: 'Cyd' })
  await expect(amy.call('customers_recipients_post', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
})

test('a recipient is removed by its id, only from its own customer', async () => {
  const amy = await member('CONTRIBUTOR')
  const eve = await member('CONTRIBUTOR')
  const [id, other] = [await newCustomer(amy), await newCustomer(amy)]
  const recipient = await amy.call('customers_recipients_post', { id, email: 'a@b.test' })
  const foreign = await eve.call('customers_recipients_post', { id: await newCustomer(eve), email: 'e@f.test' })
  const missing = { status: 404, message: expect.stringContaining('recipient') }
  for (const recipientId of [foreign.id, 'nope', '00000000-0000-0000-0000-000000000000', id])
    await expect(amy.call('customers_recipients_delete', { id, recipientId })).rejects.toMatchObject(missing)
  const recipientId = recipient.id
  await expect(amy.call('customers_recipients_delete', { id: other, recipientId })).rejects.toMatchObject(missing)
  await expect(amy.call('customers_recipients_delete', { id } as never)).rejects.toMatchObject({ status: 400 })
  expect(await amy.call('customers_recipients_delete', { id, recipientId })).toEqual({ success: true })
  expect(await amy.call('customers_recipients', { id })).toEqual([])
})

test('deleting a customer deletes its recipients', async () => {
  const amy = await member('CONTRIBUTOR')
  const id = await newCustomer(amy)
  await amy.call('customers_recipients_post', { id, email: 'a@b.test' })
  await amy.call('customers_delete', { id })
  await expect(amy.call('customers_recipients', { id })).rejects.toMatchObject({ status: 404 })
})
