import {
  type CompiledQuery,
  DefaultQueryExecutor,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely'
import type { Database, Tables } from './database.ts'
import { SnakeCaseCompiler } from './names.ts'
import type { Connection } from './wire/connection.ts'

/** Kysely over one connection. It begins no transactions: that is for the borrower (core/run/connection.ts). */
export function builderOver(connection: Connection): Database {
  const executor = new OneConnectionExecutor(connection)
  const driver = {
    init: async () => {},
    acquireConnection: async () => executor.lent,
    beginTransaction: async () => refuse('The runner begins transactions.'),
    commitTransaction: async () => refuse('The runner commits transactions.'),
    rollbackTransaction: async () => refuse('The runner rolls back.'),
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  const dialect = {
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createDriver: () => driver,
  }
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
}

const adapter = new PostgresAdapter()
const compiler = new SnakeCaseCompiler()

/**
 * Sends every statement to its connection at once. Kysely's own executor asks its driver for a connection each time and
 * returns it after the answer, which made ten promises for every statement.
 */
class OneConnectionExecutor extends DefaultQueryExecutor {
  private readonly connection: Connection
  /** The connection as Kysely lends it to plugins and other code that asks for one. */
  readonly lent = {
    executeQuery: <R>(query: CompiledQuery) => this.executeQuery<R>(query),
    streamQuery: () => refuse('Rows are not streamed through the query builder.'),
  }

  constructor(connection: Connection) {
    super(compiler, adapter, { provideConnection: (consumer) => consumer(this.lent) })
    this.connection = connection
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, affected } = await this.connection.query(sql, parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(affected) }
  }
}

function refuse(sentence: string): never {
  throw new Error(sentence)
}
