import { createHmac, randomBytes } from 'node:crypto'

/** What a receiver checks, in the form of standardwebhooks.com: any of its libraries can verify ours. */
export type WebhookHeaders = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }

type Signed = {
  /** Constant over attempts, so that a receiver can drop what it has seen. */
  id: string
  /** Seconds since 1970, of this attempt. */
  timestamp: number
  body: string | Uint8Array
  /** `whsec_<base64>`, the newest first. Two while a receiver changes over: it then finds a signature it knows. */
  secrets: readonly string[]
}

export function sign({ id, timestamp, body, secrets }: Signed): WebhookHeaders {
  // The dot separates what is signed: an id with a dot could move bytes between id and timestamp.
  if (!/^[^.\s]+$/.test(id)) throw new Error('A webhook id is not empty and holds neither dots nor spaces.')
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new Error('A webhook timestamp is in whole seconds.')
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret.')
  const signatures = secrets.map((secret) => `v1,${mac({ id, timestamp, body, secret }).toString('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}

/** 256 random bits; the Standard asks for 192 to 512. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

const prefix = 'whsec_'

type Single = { id: string; timestamp: number; body: string | Uint8Array; secret: string }

/** The signature of one secret, as bytes. */
export function mac({ id, timestamp, body, secret }: Single): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : '', 'base64')
  if (key.length < 24 || key.length > 64) throw new Error('A webhook secret is whsec_ and 24 to 64 bytes in base64.')
  return key
}
