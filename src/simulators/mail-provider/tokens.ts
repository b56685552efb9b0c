import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import { newId } from '../../core/values/id.ts'

/** What a code or token of the simulator says. Every process of the installation can check it, because it is signed. */
export type Claims = {
  kind: 'code' | 'access' | 'refresh'
  provider: OAuthMailProvider
  address: string
  /** The consent that all tokens of it share. */
  grant: string
  /** Seconds since 1970. */
  expires: number
  id: string
  /** Of a code: what the request was for. */
  request?: { redirectUri: string; challenge: string; nonce: string | undefined }
}

export type TokenKey = { key: KeyObject; now(): Date }

export function issueToken({ key, now }: TokenKey, claims: Omit<Claims, 'id' | 'expires'>, lifeS: number): string {
  const whole: Claims = { ...claims, id: newId(), expires: Math.floor(now().getTime() / 1000) + lifeS }
  const text = Buffer.from(JSON.stringify(whole)).toString('base64url')
  return `${text}.${signatureOf(key, text).toString('base64url')}`
}

/** The claims of a token of this kind that has not expired; undefined for any other text. */
export function readToken({ key, now }: TokenKey, kind: Claims['kind'], token: string): Claims | undefined {
  const [text = '', signature = '', ...more] = token.split('.')
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(key, text)]
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as Claims
  return claims.kind === kind && claims.expires > now().getTime() / 1000 ? claims : undefined
}

const signatureOf = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest()
