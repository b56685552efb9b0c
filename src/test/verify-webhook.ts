import { mac } from '../core/secrets/webhook-signature.ts'

type Received = {
  headers: Record<string, string | string[] | undefined>
  /** The bytes as they came: parsing and printing JSON again changes them. */
  body: string | Uint8Array
  secrets: readonly string[]
  now: Date
  toleranceS?: number
}

/** What a receiver does, by the Standard: whether one of the signatures is of one of the secrets, and recent. */
export function verifyWebhook({ headers, body, secrets, now, toleranceS = 300 }: Received): boolean {
  const [id, sentAt, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (typeof id !== 'string' || typeof sentAt !== 'string' || typeof given !== 'string') return false
  if (!/^[^.\s]+$/.test(id) || !/^(0|[1-9]\d{0,15})$/.test(sentAt)) return false
  const timestamp = Number(sentAt)
  if (Math.abs(now.getTime() / 1000 - timestamp) > toleranceS) return false
  const candidates = given
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
  let matches = 0
  for (const secret of secrets) {
    const expected = mac({ id, timestamp, body, secret })
    for (const candidate of candidates) {
      if (candidate.equals(expected)) matches += 1
    }
  }
  return matches > 0
}
