import type { Egress } from '../providers/egress.ts'
import type { RateSource } from '../providers/exchange-rates.ts'
import type { Mail } from '../providers/mail.ts'
import type { Storage } from '../providers/storage.ts'
import type { Event } from './event.ts'
import type { Operation } from './operation.ts'
import type { Charge } from './rate-limit.ts'
import type { Runner } from './run.ts'
import type { Secrets } from './secrets.ts'

/** What every operation and job may use, inside a transaction too: none of it leaves the process. */
export type Kept = {
  /** Keys and secrets that are kept sealed. */
  secrets: Secrets
  /** Counts what an organization does against its limits. */
  charge: Charge
  /** How this installation is run. */
  installation: { mode: 'local' | 'strict' /** Where people reach it; links begin with it. */; url: string }
  /** Everything that can be done and everything that can happen, for features that name it: they do not know the lists. */
  catalog: Catalog
}

export type Catalog = { operations: readonly Operation[]; events: readonly Event[] }

/** The outside world, a provider each. Nothing of it is in reach inside a transaction. */
export type Providers = {
  mail: Mail
  egress: Egress
  storage: Storage
  /** Undefined where rates are not fetched: those that came along are used. */
  exchangeRates: RateSource | undefined
  /** Carries an operation out for somebody, as every surface does. It has transactions of its own, so never inside one. */
  run: Runner['run']
}
