import type { Database } from '../../db/database.ts'
import type { Attachment } from '../files/attachment.ts'
import type { Egress } from '../outside/egress.ts'
import type { RateSource } from '../outside/exchange-rates.ts'
import type { Mail } from '../outside/mail.ts'
import type { Storage } from '../outside/storage.ts'
import type { Typesetter } from '../outside/typesetter.ts'
import type { ConsumeRateLimit } from '../run/rate-limit.ts'
import type { Runner } from '../run/run.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Event } from './event.ts'
import type { Operation } from './operation.ts'

/** What every operation and job may use, inside a transaction too: none of it leaves the process. */
export type Services = {
  /** Keys and secrets that are kept sealed. */
  secrets: Secrets
  /** Counts what an organization does against its limits. */
  consumeRateLimit: ConsumeRateLimit
  /** How this installation is run. */
  installation: { mode: 'local' | 'strict' /** Where people reach it; links begin with it. */; url: string }
  /** Multiplies every rate limit. */
  rateLimitScale: number
  /** Everything that can be done and everything that can happen, for features that name it: they do not know the lists. */
  catalog: Catalog
}

export type Catalog = { operations: readonly Operation[]; events: readonly Event[] }

/**
 * Makes the first attempt at mail that the organization has just queued, and waits a bounded time for the answer of the
 * mail server; what became of each delivery then stands in its row.
 */
export type DeliverNow = (organizationId: string, deliveryIds: readonly string[]) => Promise<void>

/** Prints a document as the attachment of a message. Handed in by the program: mail does not import documents. */
export type PrintDocument = (
  read: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  documentId: string,
) => Promise<Attachment>

/** The outside world, a provider each. Nothing of it is in reach inside a transaction. */
export type Providers = {
  mail: Mail
  deliverNow: DeliverNow
  egress: Egress
  storage: Storage
  typesetter: Typesetter
  printDocument: PrintDocument
  /** Undefined where rates are not fetched: those that came along are used. */
  exchangeRates: RateSource | undefined
  /** Carries an operation out for somebody, as every surface does. It has transactions of its own, so never inside one. */
  run: Runner['run']
}
