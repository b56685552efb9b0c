import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifyWebhook } from '../../test/verify-webhook.ts'
import { newWebhookSecret, sign } from './webhook-signature.ts'

// The example that the Standard Webhooks libraries test themselves with (standardwebhooks.com, "sign function works").
const published = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
}
const at = (seconds: number) => new Date(seconds * 1000)

test('THR-11 the published example of Standard Webhooks is signed letter for letter', () => {
  expect(sign(published)).toEqual({
    'webhook-id': published.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('the signed text is the id, the timestamp and the body, separated by dots', () => {
  const secret = newWebhookSecret()
  const { 'webhook-signature': signature } = sign({ ...published, secrets: [secret] })
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const whole = createHmac('sha256', key).update(`${published.id}.${published.timestamp}.${published.body}`)
  expect(signature).toBe(`v1,${whole.digest('base64')}`)
})

test('every signature is verified with its own secret only, also for bytes', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat({ max: 4_000_000_000 }), fc.uint8Array(), (id, timestamp, body) => {
      const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
      const headers = sign({ id, timestamp, body, secrets: [secret] })
      expect(verifyWebhook({ headers: { ...headers }, body, secrets: [secret], now: at(timestamp) })).toBe(true)
      expect(verifyWebhook({ headers: { ...headers }, body, secrets: [other], now: at(timestamp) })).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('during a change of secrets, a receiver with the old or the new secret can verify', () => {
  const [old, fresh] = [newWebhookSecret(), newWebhookSecret()]
  const headers = { ...sign({ ...published, secrets: [fresh, old] }) }
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
  for (const secrets of [[old], [fresh], [newWebhookSecret(), old]]) {
    expect(verifyWebhook({ headers, body: published.body, secrets, now: at(published.timestamp) })).toBe(true)
  }
})

const good = { ...sign(published) }
const refused = {
  'another body': { body: '{"test": 2432232315}' },
  'the same JSON printed anew': { body: '{"test":2432232314}' },
  'another id': { headers: { ...good, 'webhook-id': 'msg_other' } },
  'an id that borrows from the timestamp': {
    headers: { ...good, 'webhook-id': `${published.id}.1614265330`, 'webhook-timestamp': '0' },
    now: at(0),
  },
  'another timestamp': { headers: { ...good, 'webhook-timestamp': '1614265331' } },
  'a timestamp in other words': { headers: { ...good, 'webhook-timestamp': '1614265330.0' } },
  'a timestamp with a zero before it': { headers: { ...good, 'webhook-timestamp': '01614265330' } },
  'a signature of another version': {
    headers: { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') },
  },
  'a signature cut short': { headers: { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -8) } },
  'no signature': { headers: { ...good, 'webhook-signature': undefined } },
  'an empty signature': { headers: { ...good, 'webhook-signature': '' } },
  'headers given twice': { headers: { ...good, 'webhook-id': [published.id, published.id] } },
  'a delivery of 301 seconds ago': { now: at(published.timestamp + 301) },
  'a delivery from 301 seconds ahead': { now: at(published.timestamp - 301) },
  'no secrets': { secrets: [] },
}

test.each(Object.entries(refused))('%s is not verified', (_name, wrong) => {
  const received = { headers: good, body: published.body, secrets: published.secrets, now: at(published.timestamp) }
  expect(verifyWebhook(received)).toBe(true)
  expect(verifyWebhook({ ...received, ...wrong })).toBe(false)
})

test('five minutes either way are tolerated', () => {
  const received = { headers: good, body: published.body, secrets: published.secrets }
  for (const offset of [-300, 300]) {
    expect(verifyWebhook({ ...received, now: at(published.timestamp + offset) })).toBe(true)
  }
})

test('a secret has 256 bits and is never the same', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
})

test('an invalid secret, or an id with dots, is refused', () => {
  for (const secret of ['', 'whsec_', 'whsec_YWJj', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
    expect(() => sign({ ...published, secrets: [secret] })).toThrow()
  }
  for (const id of ['', 'a.b', 'a b']) expect(() => sign({ ...published, id })).toThrow()
  expect(() => sign({ ...published, secrets: [] })).toThrow()
  expect(() => sign({ ...published, timestamp: 1.5 })).toThrow()
})
