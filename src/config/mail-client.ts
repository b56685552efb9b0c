import { Secret } from '../core/secrets/secret.ts'
import type { ClientSetting } from '../providers/mail-oauth/clients.ts'
import { type Environment, WrongSetting } from './wrong-setting.ts'

/** The client id and secret of a mail provider: both or neither. */
export function mailClient(env: Environment, provider: 'GMAIL' | 'OUTLOOK'): ClientSetting | undefined {
  const [idName, secretName] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`]
  const [id, secret] = [env[idName], env[secretName]]
  if (!id && !secret) return undefined
  if (!id || !secret) throw new WrongSetting(`${idName} and ${secretName} belong together: set both or neither.`)
  if (![id, secret].every((text) => /^[\x21-\x7e]+$/.test(text))) {
    throw new WrongSetting(`${idName} and ${secretName} must be as the provider shows them, without spaces.`)
  }
  return { id, secret: new Secret(secret) }
}
