import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OAuthMailProvider } from '../../../../core/outside/mail-oauth.ts'
import { joined } from '../../../../core/secrets/cipher.ts'

/** What a state is valid for. */
export type StateOwner = { provider: OAuthMailProvider; organizationId: string; userId: string; sessionId: string }

/**
 * The anti-forgery token of one connect: the organization, a random part, and a signature over these and everything that the
 * state is bound to. A person, session or provider other than the one it was made for cannot use it (THR-21).
 */
export function newState(key: KeyObject, owner: StateOwner): string {
  const random = randomBytes(24).toString('base64url')
  return `${owner.organizationId}.${random}.${signatureOf(key, owner, random)}`
}

export function isStateOf(key: KeyObject, owner: StateOwner, state: string): boolean {
  const [organizationId, random = '', signature = '', ...more] = state.split('.')
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(key, owner, random))]
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
  return isSigned && organizationId === owner.organizationId && more.length === 0
}

/** The organization that a state names. Only the signature says whether that is true. */
export const organizationIn = (state: string): string => state.split('.', 1)[0] ?? ''

/** PKCE verifier and nonce follow from the state and our key, so that neither has to be stored. */
export const secretsOf = (key: KeyObject, state: string) => ({
  verifier: derived(key, 'verifier', state),
  nonce: derived(key, 'nonce', state),
})

const derived = (key: KeyObject, purpose: string, state: string) =>
  createHmac('sha256', key)
    .update(joined('mail connect', purpose, state))
    .digest('base64url')

const signatureOf = (key: KeyObject, { provider, organizationId, userId, sessionId }: StateOwner, random: string) =>
  createHmac('sha256', key)
    .update(joined('mail connect', 'state', provider, organizationId, userId, sessionId, random))
    .digest('base64url')
