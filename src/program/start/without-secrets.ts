import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { secretKinds } from '../../catalog/secret-kinds.ts'
import type { Config } from '../../config/config.ts'
import { type Keyring, openKeyring } from '../../core/secrets/keyring.ts'
import { type Loss, type LostValues, markLost } from '../../core/secrets/lost.ts'
import { type DatabaseConfig, openPool, type Pool } from '../../db/pool.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { findKeyring, keyFile, keyPath } from '../data-folder/key-file.ts'
import type { Say } from '../say.ts'

/**
 * `--without-secrets`: marks what a missing key encrypted as lost, says what that is, and makes a new key if there is none.
 * If the key here is the right one, nothing happens.
 */
export async function giveUpLostSecrets(config: Config, database: DatabaseConfig, say: Say): Promise<void> {
  const system = openPool(database, { confined: false, max: 1 })
  try {
    await requireAlone(system)
    const { keyring, loss } = await withKey(config, async (keyring) => ({
      keyring,
      loss: await markLost(system, keyring, secretKinds),
    }))
    say(
      loss
        ? lossReport(loss, keyring.current.id)
        : `The key ${keyring.current.id} fits this database: nothing is lost.`,
    )
  } finally {
    await system.close()
  }
}

/** A new key whose database still belongs to another one must not stay: it would be taken for the right one. */
async function withKey<T>(config: Config, work: (keyring: Keyring) => Promise<T>): Promise<T> {
  const found = findKeyring(config)
  if (found) return work(found)
  const made = openKeyring(keyFile(config.dataDir))
  return work(made).catch((error) => {
    rmSync(keyPath(config.dataDir), { force: true })
    throw error
  })
}

/** A running process has the right key, and would go on with values that are lost for all others. */
async function requireAlone(system: Pool) {
  const others = `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and usesysid is not null and pid <> pg_backend_pid()`
  for (let tries = 10; ; tries--) {
    const { rows } = await system.raw.query<{ others: number }>(others)
    if (rows[0]?.others === 0) return
    if (tries === 1)
      throw new StartFailure(
        'Other programs are connected to this database. Stop every Kontor that runs on it first: one that still has the key can tell you what it is. Nothing was changed.',
      )
    await sleep(200) // connections of this process that are being closed
  }
}

/** What was lost, by organization, and what to do about it. */
export function lossReport({ values, people, queuedMail }: Loss, keyId: string): string {
  const kinds = secretKinds.filter((kind) => values.some((value) => isOf(value, kind)))
  const lines = [
    'The books are complete. What the missing key encrypted can never be read again and was marked as lost:',
    ...values.map((value) => `  ${value.organization} (${value.organizationId}): ${value.times} ${calledOf(value)}`),
    ...(people.length > 0 ? [`  Second factors of: ${people.join(', ')}`] : []),
    ...(queuedMail > 0 ? [`  The text of ${queuedMail} messages that were waiting to be sent`] : []),
    '  Links to documents and to files that were sent before',
    '',
    'What to do:',
    ...kinds.map(({ called, again }) => `  ${capitalized(called)}: ${again}`),
    ...(people.length > 0 ? [`  ${forPeople}`] : []),
    '  Links that customers have: send the documents again.',
    `  The new key is ${keyId}. Store it apart from the backups. kontor verify lists what is still to be entered.`,
    '  If the old key is found, add it after the new one and run kontor secrets rotate: what was not entered again can be read then.',
  ]
  return lines.join('\n')
}

const forPeople =
  'Second factors: people sign in with a passkey, or kontor second-factor remove <e-mail address> removes it; ask who it is first.'

const isOf = (value: LostValues, kind: { table: string; column: string }) =>
  value.table === kind.table && value.column === kind.column

const calledOf = (value: LostValues) =>
  secretKinds.find((kind) => isOf(value, kind))?.called ?? `values of ${value.table}.${value.column}`

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
