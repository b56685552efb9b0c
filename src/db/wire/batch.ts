import type { FieldDef, Submittable } from 'pg'
import { MessageWriter } from './messages.ts'
import { type Row, rowsOf, type ToRow } from './row.ts'

export type Statement = { text: string; values: readonly unknown[] }

export type Result = { rows: Row[]; command: string; affected: number }

/** A statement that was sent, and how to answer it. */
export type Sent = Statement & { resolve: (result: Result) => void; reject: (error: unknown) => void }

/** A statement that was executed, but whose rows cannot be read, such as an integer that a number does not hold. */
class Unreadable {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** A prepared statement of one connection; its columns are described once, when it first runs. */
type Known = { name: string; toRow?: ToRow }

/** The prepared statements of a connection, by text. */
export type Prepared = Map<string, Known>

const preparedMax = 1000

const writer = new MessageWriter()

/** A statement that begins like this is not kept as a prepared statement: it would displace those that are used often. */
export const unpreparedMark = '/* not prepared */'

/**
 * Several prepared statements in one flush with one Sync: one round trip and, outside an explicit transaction, one
 * implicit one. The pipeline mode of `pg` sends a Sync and a Describe with each statement, and every Sync costs
 * PostgreSQL a flush of its own (docs/decisions/0003-round-trips-and-statements.md).
 */
export class Batch implements Submittable {
  private readonly statements: Sent[]
  private readonly prepared: Prepared
  private readonly known: Known[] = []
  private readonly parsing: { text: string; known: Known }[] = []
  private readonly done: (Result | Unreadable)[] = []
  private rows: Row[] = []
  private unreadable: Unreadable | undefined

  private readonly ended: (error?: unknown) => void

  constructor(statements: Sent[], prepared: Prepared, ended: (error?: unknown) => void) {
    this.statements = statements
    this.prepared = prepared
    this.ended = ended
  }

  submit({ stream }: { stream: { write(bytes: Buffer): void } }): Error | null {
    try {
      writer.begin()
      for (const statement of this.statements) this.append(statement)
      stream.write(writer.end())
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  private append({ text, values }: Statement) {
    const parsed = this.prepared.get(text) ?? this.parsing.find((each) => each.known.name && each.text === text)?.known
    const known = parsed ?? this.parse(text)
    this.known.push(known)
    writer.bind(known.name, values)
    if (!known.toRow) writer.describe()
    writer.execute()
  }

  private parse(text: string): Known {
    const isKept = this.prepared.size < preparedMax && !text.startsWith(unpreparedMark)
    const known = { name: isKept ? `s${this.prepared.size + this.parsing.length}` : '' }
    writer.parse(known.name, text)
    this.parsing.push({ text, known })
    return known
  }

  /** From here on the statement is prepared, even if executing it fails. */
  handleParseComplete() {
    const first = this.parsing.shift()
    if (first?.known.name) this.prepared.set(first.text, first.known)
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }) {
    const known = this.known[this.done.length]
    if (known) known.toRow = rowsOf(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    const toRow = this.known[this.done.length]?.toRow
    // An error that is thrown here would end the process: it is of this statement alone.
    try {
      if (toRow && !this.unreadable) this.rows.push(toRow(fields))
    } catch (error) {
      this.unreadable = new Unreadable(error)
    }
  }

  handleCommandComplete({ text }: { text: string }) {
    const known = this.known[this.done.length]
    if (known) known.toRow ??= rowsOf([]) // it returns no rows
    const [first, last] = [text.indexOf(' '), text.lastIndexOf(' ')] // `INSERT 0 1`, `SELECT 25`, `BEGIN`
    const command = first < 0 ? text : text.slice(0, first)
    const affected = last < 0 ? 0 : Number(text.slice(last + 1)) || 0
    this.done.push(this.unreadable ?? { rows: this.rows, command, affected })
    this.rows = []
    this.unreadable = undefined
  }

  handleEmptyQuery() {
    this.handleCommandComplete({ text: 'EMPTY' })
  }

  /**
   * Statements before the failing one are answered; PostgreSQL skipped those after it. If all were executed, their implicit
   * commit failed (a deferred constraint, a lost connection), and all of them fail.
   */
  handleError(error: unknown) {
    if (this.done.length === this.statements.length) this.done.length = 0
    this.finish(error)
    for (const statement of this.statements.slice(this.done.length)) statement.reject(error)
  }

  handleReadyForQuery() {
    this.finish()
  }

  private finish(error?: unknown) {
    this.ended(error)
    for (const [index, result] of this.done.entries()) {
      if (result instanceof Unreadable) this.statements[index]?.reject(result.cause)
      else this.statements[index]?.resolve(result)
    }
  }

  handlePortalSuspended() {}
}
