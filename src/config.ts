import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { toAddress } from './core/address.ts'

/** What the environment says, checked once. `.env.example` explains every variable. */
export type Config = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  url: string
  mode: 'local' | 'strict'
  /** Why it is that mode, in words for the start-up message. */
  modeBecause: string
  secretsKey: string | undefined
  rateLimitScale: number
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  demo: boolean
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** The mail server, with its name and password; without one, local mode keeps mail in the outbox. */
  smtpUrl: string | undefined
  /** The one address that all mail comes from. */
  mailFrom: string
}

/** A wrong setting, said in a sentence that names the variable. */
export class WrongSetting extends Error {}

type Environment = Record<string, string | undefined>

export function readConfig(env: Environment): Config {
  const port = number(env, 'PORT', 3000, { min: 0, max: 65535 })
  const host = env.HOST || '127.0.0.1'
  const { mode, modeBecause } = modeOf(env, host)
  const rateLimitScale = number(env, 'RATE_LIMIT_SCALE', 1, { min: 0.001, max: 1_000_000 })
  if (rateLimitScale > 1 && mode === 'strict' && env.RATE_LIMIT_SCALE_ALLOW !== '1') {
    throw new WrongSetting(
      'RATE_LIMIT_SCALE above 1 loosens the limits; in strict mode it also needs RATE_LIMIT_SCALE_ALLOW=1.',
    )
  }
  if (mode === 'strict' && !env.KONTOR_SECRETS_KEY) {
    throw new WrongSetting(
      'KONTOR_SECRETS_KEY is required in strict mode: 32 random bytes in base64, for example from `openssl rand -base64 32`.',
    )
  }
  return {
    port,
    host,
    dataDir: resolve(env.KONTOR_DATA || './data'),
    databaseUrl: postgresUrl(env),
    url: webUrl(env) ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    mode,
    modeBecause,
    secretsKey: secretsKey(env),
    rateLimitScale,
    logLevel:
      oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const) ??
      (mode === 'local' ? 'warn' : 'info'),
    demo: oneOf(env, 'KONTOR_DEMO', ['0', '1'] as const) !== '0',
    trustedProxies: (env.TRUSTED_PROXIES ?? '').split(',').filter(Boolean),
    smtpUrl: smtpUrl(env),
    mailFrom: mailFrom(env),
  }
}

function modeOf(env: Environment, host: string): Pick<Config, 'mode' | 'modeBecause'> {
  const chosen = oneOf(env, 'KONTOR_MODE', ['local', 'strict'] as const)
  if (chosen) return { mode: chosen, modeBecause: `KONTOR_MODE is ${chosen}` }
  if (env.NODE_ENV === 'production') return { mode: 'strict', modeBecause: 'NODE_ENV is production' }
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return loopback
    ? { mode: 'local', modeBecause: 'it listens on this machine only' }
    : { mode: 'strict', modeBecause: `HOST ${host} is reachable from elsewhere` }
}

function number(env: Environment, name: string, otherwise: number, { min, max }: { min: number; max: number }) {
  const text = env[name]
  if (!text) return otherwise
  const value = Number(text)
  if (!(value >= min && value <= max))
    throw new WrongSetting(`${name} must be a number from ${min} to ${max}; it is "${text}".`)
  return value
}

function oneOf<const T extends string>(env: Environment, name: string, values: readonly T[]): T | undefined {
  const text = env[name]
  if (!text) return undefined
  const found = values.find((value) => value === text)
  if (!found) throw new WrongSetting(`${name} must be one of ${values.join(', ')}; it is "${text}".`)
  return found
}

function postgresUrl({ DATABASE_URL }: Environment) {
  if (DATABASE_URL && !/^postgres(ql)?:\/\//.test(DATABASE_URL)) {
    throw new WrongSetting('DATABASE_URL must begin with postgres:// or postgresql://.')
  }
  return DATABASE_URL || undefined
}

function webUrl({ KONTOR_URL }: Environment) {
  if (!KONTOR_URL) return undefined
  const url = URL.canParse(KONTOR_URL) ? new URL(KONTOR_URL) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new WrongSetting(
      `KONTOR_URL must be the address people use, such as https://books.example.com; it is "${KONTOR_URL}".`,
    )
  }
  return url.origin
}

function secretsKey({ KONTOR_SECRETS_KEY }: Environment) {
  if (!KONTOR_SECRETS_KEY) return undefined
  for (const key of KONTOR_SECRETS_KEY.split(',')) {
    const bytes = Buffer.from(key, 'base64')
    if (bytes.length !== 32 || new Set(bytes).size < 12) {
      throw new WrongSetting(
        'KONTOR_SECRETS_KEY must be 32 random bytes in base64 (a comma list while rotating); make one with `openssl rand -base64 32`.',
      )
    }
  }
  return KONTOR_SECRETS_KEY
}

function smtpUrl({ SMTP_URL }: Environment) {
  if (!SMTP_URL) return undefined
  const url = URL.canParse(SMTP_URL) ? new URL(SMTP_URL) : undefined
  const tls = url?.searchParams.get('tls') ?? 'on'
  const known = [...(url?.searchParams.keys() ?? [])].every((name) => name === 'tls')
  const wellFormed = !/%(?![0-9a-f]{2})/i.test(SMTP_URL)
  if (
    !url ||
    !/^smtps?:$/.test(url.protocol) ||
    !url.hostname ||
    !known ||
    !['on', 'off'].includes(tls) ||
    !wellFormed
  ) {
    // Not repeated here: it may hold a password.
    throw new WrongSetting(
      'SMTP_URL must look like smtps://user:password@mail.example.com or smtp://mail.example.com:587 (with ?tls=off for a relay of your own without TLS, and % as %25).',
    )
  }
  return SMTP_URL
}

function mailFrom({ MAIL_FROM, SMTP_URL }: Environment) {
  if (!MAIL_FROM && SMTP_URL) {
    throw new WrongSetting(
      'MAIL_FROM is required with SMTP_URL: the address mail comes from, such as books@example.com.',
    )
  }
  const address = toAddress(MAIL_FROM || 'mail@kontor.test')
  if (!address) {
    throw new WrongSetting(
      `MAIL_FROM must be one plain address such as books@example.com, without a name; it is "${MAIL_FROM}".`,
    )
  }
  return address
}
