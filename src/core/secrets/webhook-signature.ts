import { createHmac, randomBytes } from 'node:crypto'

/** The headers that a receiver verifies, as specified by standardwebhooks.com: its libraries can verify ours. */
export type WebhookHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }

type Signed = {
  /** The same in every attempt, so that a receiver can ignore duplicates. */
  id: string
  /** Seconds since 1970, of this attempt. */
  timestamp: number
  body: string | Uint8Array
  /** `whsec_<base64>`, the newest first. Two during a change of secrets, so that the receiver can verify one of them. */
  secrets: readonly string[]
}

export function sign({ id, timestamp, body, secrets }: Signed): WebhookHeaders {
  // The signed parts are separated by dots: an id with a dot could move bytes between id and timestamp.
  if (!/^[^.\s]+$/.test(id)) throw new Error('A webhook id is not empty and holds neither dots nor spaces.')
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new Error('A webhook timestamp is in whole seconds.')
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret.')
  const signatures = secrets.map((secret) => `v1,${mac({ id, timestamp, body, secret }).toString('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

/** 256 random bits; the Standard asks for 192 to 512. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

const prefix = 'whsec_'

type SingleSecret = { id: string; timestamp: number; body: string | Uint8Array; secret: string }

/** The signature of one secret, as bytes. */
export function mac({ id, timestamp, body, secret }: SingleSecret): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : '', 'base64')
  if (key.length < 24 || key.length > 64) throw new Error('A webhook secret is whsec_ and 24 to 64 bytes in base64.')
  return key
}
