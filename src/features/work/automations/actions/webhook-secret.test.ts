import { expect, test } from 'vitest'
import { testRun } from '../../../../test/automations/outside-actions.ts'
import { type Heard, receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { doJob } from '../../../../test/job.ts'
import { asProduct } from '../../../../test/secrets.ts'
import { verifyWebhook } from '../../../../test/verify-webhook.ts'
import { member, type Someone } from '../../../../test/world.ts'
import { prune } from '../../../../worker/prune.ts'

const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })
const read = (amy: Someone) => amy.call('settings_webhook_secret', at(amy))
const rotate = (amy: Someone) => amy.call('settings_webhook_secret_rotate', at(amy))
const isSignedWith = (heard: Heard | undefined, secret: string | null) =>
  heard !== undefined && verifyWebhook({ ...heard, secrets: [String(secret)], now: new Date() })

test('the first secret is made by a rotation or the first webhook, and stays the same', async () => {
  const amy = await member('MANAGER')
  expect(await read(amy)).toEqual({ secret: null, createdAt: null, previousUntil: null })
  const { heard, url } = await receiver()
  await testRun(amy, 'webhook.post', { url })
  const first = await read(amy)
  expect(first).toMatchObject({ secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), previousUntil: null })
  await testRun(amy, 'webhook.post', { url })
  expect(await read(amy)).toEqual(first)
  expect(heard.map((each) => isSignedWith(each, first.secret))).toEqual([true, true])
})

test('for a day after a rotation webhooks are signed with both secrets, then only with the new one', async () => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver()
  const [before, after] = [await rotate(amy), await rotate(amy)]
  expect(after).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousUntil: expect.any(String) })
  expect(after.secret).not.toBe(before.secret)
  await testRun(amy, 'webhook.post', { url })
  expect([isSignedWith(heard[0], before.secret), isSignedWith(heard[0], after.secret)]).toEqual([true, true])
  await asProduct(
    "update webhook_secrets set replaced_at = now() - interval '25 hours' where organization_id = $1 and replaced_at is not null",
    [amy.organizationId],
  )
  await testRun(amy, 'webhook.post', { url })
  expect([isSignedWith(heard[1], before.secret), isSignedWith(heard[1], after.secret)]).toEqual([false, true])
  await doJob(prune)
  expect(
    await asProduct('select replaced_at from webhook_secrets where organization_id = $1', [amy.organizationId]),
  ).toEqual([{ replaced_at: null }])
  expect(await read(amy)).toEqual({ ...after, previousUntil: null })
})

test('after two rotations the first secret no longer signs webhooks', async () => {
  const amy = await member('MANAGER')
  const { heard, url } = await receiver()
  const [leaked] = [await rotate(amy), await rotate(amy), await rotate(amy)]
  await testRun(amy, 'webhook.post', { url })
  expect(isSignedWith(heard[0], leaked?.secret ?? null)).toBe(false)
})

test('concurrent rotations leave one current secret', async () => {
  const amy = await member('MANAGER')
  const made = await Promise.all(Array.from({ length: 4 }, () => rotate(amy)))
  expect(made.map(({ secret }) => secret)).toContain((await read(amy)).secret)
  const rows = await asProduct(
    'select replaced_at is null as current from webhook_secrets where organization_id = $1 order by 1',
    [amy.organizationId],
  )
  expect(rows).toEqual([{ current: false }, { current: true }])
})

test('SEC-1: the secret is stored encrypted, each organization has its own, and only a signed-in manager can read it', async () => {
  const [amy, eve] = [await member('MANAGER'), await member('MANAGER')]
  const [hers, others] = [await rotate(amy), await rotate(eve)]
  expect(hers.secret).not.toBe(others.secret)
  const rows = await asProduct('select secret from webhook_secrets where organization_id = $1', [amy.organizationId])
  const [sealed] = rows.map(({ secret }) => secret as Buffer)
  const key = String(hers.secret).slice('whsec_'.length)
  for (const plain of [Buffer.from(key), Buffer.from(key, 'base64')]) expect(sealed?.includes(plain)).toBe(false)
  await expect(eve.call('settings_webhook_secret', at(amy))).rejects.toMatchObject({ status: 404 })
  const bob = await member('CONTRIBUTOR', { of: amy })
  await expect(bob.call('settings_webhook_secret', at(amy))).rejects.toMatchObject({ status: 403 })
})

test('an automation cannot read the secret', async () => {
  const amy = await member('OWNER')
  const { secret } = await rotate(amy)
  const run = await testRun(amy, 'settings_webhook_secret', at(amy))
  expect(run).toMatchObject({ status: 'FAILED' })
  expect(JSON.stringify(run)).not.toContain(secret)
})
