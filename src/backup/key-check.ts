import type { Keyring } from '../core/secrets/keyring.ts'
import { opensCanary } from '../core/secrets/secrets.ts'
import type { Manifest } from './manifest.ts'

/**
 * Why these keys do not open the secrets of a database or backup, as the end of a sentence; undefined if they do, or if there
 * are no secrets.
 */
export function keyProblem(
  { canary, wrappingKeys }: Manifest['secrets'],
  keyring: Keyring | undefined,
): string | undefined {
  if (!canary) return undefined
  if (!keyring) {
    return `were encrypted with the key ${canary.kekId}, and no key is set here. Set KONTOR_SECRETS_KEY, or put the file secrets.key into the data folder, and run it again.`
  }
  const opens = opensCanary(keyring, { wrapped: Buffer.from(canary.wrapped, 'hex'), kekId: canary.kekId })
  const missing = wrappingKeys.find((id) => !keyring.ids.includes(id))
  if (opens && !missing) return undefined
  return `were encrypted with the key ${opens ? missing : canary.kekId}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${keyring.ids.join(', ')}. Set that key: without it the secrets can never be read.`
}
