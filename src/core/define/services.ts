import type { Database } from '../../db/database.ts'
import type { Attachment } from '../files/attachment.ts'
import type { ClearanceHandlers } from '../outside/clearance.ts'
import type { Conversation } from '../outside/conversation.ts'
import type { Egress } from '../outside/egress.ts'
import type { BoiSource, MasSource, RateSource } from '../outside/exchange-rates.ts'
import type { Mail } from '../outside/mail.ts'
import type { MailOAuth } from '../outside/mail-oauth.ts'
import type { MailboxClient } from '../outside/mailbox.ts'
import type { ReceiptReader } from '../outside/receipt-reader.ts'
import type { Storage } from '../outside/storage.ts'
import type { TableReader } from '../outside/table-reader.ts'
import type { TaxAuthorities } from '../outside/tax-authority.ts'
import type { Typesetter } from '../outside/typesetter.ts'
import type { Answer, Call, Caller } from '../run/call.ts'
import type { ConsumeRateLimit } from '../run/rate-limit.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Event } from './event.ts'
import type { Operation } from './operation.ts'

/** What every operation and job may use, also inside a transaction: none of it uses the network. */
export type Services = {
  /** Keys, and secrets that are stored sealed. */
  secrets: Secrets
  /** Counts against the rate limits of an organization. */
  consumeRateLimit: ConsumeRateLimit
  /** How this installation is configured. */
  installation: {
    mode: 'local' | 'strict'
    /** Its public address; links begin with it. */
    url: string
    /** Who may make an account: everybody, or only people who were invited. */
    signUp: 'open' | 'closed'
    /** Whether an account begins with the letter to its address, so that sign-up tells nobody which addresses have one. */
    signUpByLetter: boolean
  }
  /** Multiplies every rate limit. */
  rateLimitScale: number
  /** The API operations, all events and what countries have, for features that look them up by name and cannot import the lists. */
  catalog: Catalog
}

export type Catalog = {
  operations: readonly Operation[]
  events: readonly Event[]
  /** The names of the layouts of files that the banks of each country take for wages. */
  bankFormats: Readonly<Record<string, readonly string[]>>
}

/**
 * Makes the first attempt to deliver mail that the organization has just queued, and waits a limited time for the mail
 * server. The outcome of each delivery is in its row.
 */
export type DeliverNow = (organizationId: string, deliveryIds: readonly string[]) => Promise<void>

/** Prints a document as an attachment: its original, or a copy. Passed in by the program, because mail cannot import documents. */
export type PrintDocument = (
  read: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  documentId: string,
  more?: { copy?: true },
) => Promise<Attachment>

/** Prints an order as an attachment, in a language of its print. Passed in by the program, as above. */
export type PrintOrder = (
  read: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  order: { orderId: string; language?: string | undefined },
) => Promise<Attachment>

/** Prints a payslip as an attachment, in the language of the employee. Passed in by the program, as above. */
export type PrintPayslip = (
  read: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  payslipId: string,
) => Promise<Attachment>

/**
 * Asks the tax authority for the number of a document whose original is about to be printed, and waits a limited time. Passed
 * in by the program, because documents cannot import clearance.
 */
export type ClearBeforeOriginal = (organizationId: string, documentId: string) => Promise<void>

/** Executes operations (core/run/run.ts). */
export type Runner = {
  run(operation: Operation, call: Call): Promise<Answer>
  /**
   * Checks the caller before a large body is read: 401, 403 for scope and source, 429. The organization is checked later,
   * by `run`. The call counts as in flight until the returned function is called.
   */
  preauthorize(operation: Operation, caller: Caller): Promise<() => void>
}

/** The external services, one provider each. None of them is available inside a transaction. */
export type Providers = {
  mail: Mail
  deliverNow: DeliverNow
  mailOAuth: MailOAuth
  egress: Egress
  storage: Storage
  typesetter: Typesetter
  tableReader: TableReader
  receiptReader: ReceiptReader
  mailboxClient: MailboxClient
  printDocument: PrintDocument
  printOrder: PrintOrder
  printPayslip: PrintPayslip
  taxAuthorities: TaxAuthorities
  /** How documents are submitted, by integration. Passed in by the program, because they are of countries. */
  clearanceHandlers: ClearanceHandlers
  clearBeforeOriginal: ClearBeforeOriginal
  /** Undefined if rates are not fetched: then the rates that come with the product are used. */
  exchangeRates: RateSource | undefined
  boiRates: BoiSource | undefined
  masRates: MasSource | undefined
  /** The language model that the companion talks with; undefined if none is configured. */
  conversation: Conversation | undefined
  /** Runs an operation for a caller, as every surface does. It has transactions of its own, so never call it inside one. */
  run: Runner['run']
}
