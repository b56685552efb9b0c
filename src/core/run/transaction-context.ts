import { sql } from 'kysely'
import type { BorrowedConnection, Pool } from '../../db/pool.ts'
import type { Connection } from '../../db/wire/connection.ts'
import { organizationHolder } from '../share/organization-holder.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'

/**
 * The person and the organization that a transaction acts for. Row security, column defaults and triggers read them with
 * current_person() and current_organization(); without them a confined connection sees and writes no row. The database
 * sets them itself when it authorizes a request; everything else sets them here.
 */
export type TransactionContext = {
  userId?: string | null | undefined
  organizationId?: string | null | undefined
  /** Whose payroll data is visible; without it nobody's. */
  payroll?: PayrollRights | undefined
}

/** `all` for callers with payroll rights and for jobs of the product, `own` for the rows of the person alone. */
export type PayrollRights = 'all' | 'own' | ''

/** The part of a statement that sets the organization, for one that does something else as well. */
export const setOrganization = (value: string) => `set_config('app.organization', ${value}, true)`

/** The part of a statement that says from which day on a change of an account counts; book_from() reads it. */
export const setBookedFrom = (day: string) => sql`set_config('app.booked_from', ${day}, true)`

/** The part of a statement that sets whose payroll data is visible. */
export const setPayroll = (value: string) => `set_config('app.payroll', ${value}, true)`

const contextText = `select set_config('app.person', $1, true), ${setOrganization('$2')}, ${setPayroll('$3')}`

const contextValues = ({ userId, organizationId, payroll }: TransactionContext) => [
  userId ?? '',
  organizationId ?? '',
  payroll ?? '',
]

/** Sets the context for the rest of the transaction. Nothing waits for it: it travels ahead of the next statement. */
export const setContext = (connection: Connection, context: TransactionContext): void =>
  void sendWithoutWaiting(connection.query(contextText, contextValues(context)))

/** Sets the context for every later flush of a connection without a transaction: each flush is an implicit one. */
export function setContextOfFlushes(connection: Connection, context: TransactionContext): void {
  connection.prefix = { text: contextText, values: contextValues(context) }
}

/** Lets the transaction read in all organizations that its person belongs to. */
export const readAcrossOrganizations = (connection: Connection): void =>
  void sendWithoutWaiting(connection.query('set local role kontor_across'))

/** Runs work in a transaction with this context; a job, for example, acts for an organization and no person. */
export const withTransaction = <T>(
  pool: Pool,
  context: TransactionContext,
  work: (borrowed: BorrowedConnection) => Promise<T>,
): Promise<T> => {
  const inContext = (borrowed: BorrowedConnection) => {
    setContext(borrowed.connection, context)
    return work(borrowed)
  }
  const { organizationId } = context
  return withConnection(pool, true, inContext, {
    holder: organizationId ? organizationHolder(organizationId) : undefined,
  })
}
