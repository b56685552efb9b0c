import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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

type Received = {
  headers: Record<string, string | string[] | undefined>
  /** The bytes as they came: parsing and printing JSON again changes them. */
  body: string | Uint8Array
  secrets: readonly string[]
  now: Date
  toleranceS?: number
}

/** Whether one of the signatures is of one of the secrets, and recent. Takes as long for a near miss as for a far one. */
export function verify({ headers, body, secrets, now, toleranceS = 300 }: Received): boolean {
  const [id, sentAt, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (typeof id !== 'string' || typeof sentAt !== 'string' || typeof given !== 'string') return false
  if (!/^[^.\s]+$/.test(id) || !/^(0|[1-9]\d{0,15})$/.test(sentAt)) return false
  const timestamp = Number(sentAt)
  if (Math.abs(now.getTime() / 1000 - timestamp) > toleranceS) return false
  const candidates = given
    .split(' ')
    .slice(0, signaturesMax)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
  let matches = 0
  for (const secret of secrets) {
    const expected = mac({ id, timestamp, body, secret })
    for (const candidate of candidates) {
      if (candidate.length === expected.length && timingSafeEqual(candidate, expected)) matches += 1
    }
  }
  return matches > 0
}

/** 256 random bits; the Standard asks for 192 to 512. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

const prefix = 'whsec_'
const signaturesMax = 10

type Single = { id: string; timestamp: number; body: string | Uint8Array; secret: string }

function mac({ id, timestamp, body, secret }: Single): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : '', 'base64')
  if (key.length < 24 || key.length > 64) throw new Error('A webhook secret is whsec_ and 24 to 64 bytes in base64.')
  return key
}
