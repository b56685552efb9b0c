import type { Connection } from '../../db/wire/connection.ts'
import type { Operation } from '../define/operation.ts'
import type { Runner } from '../define/services.ts'
import type { Call } from './call.ts'

type RecordedCall = {
  call: Omit<Call, 'once' | 'recordInSameTransaction'>
  /** The Idempotency-Key of a write. None if what `record` writes can be written once only. */
  once: Call['once']
  /** Records the output of a write in its transaction. Its statements are sent without waiting. */
  record: (connection: Connection, output: unknown) => void
  /** Records the output of a read, or of a write that was done by an earlier attempt, in a transaction of its own. */
  recordAlone: (output: unknown) => Promise<unknown>
}

/**
 * Runs an operation whose output is recorded, as the steps of an automation and of a turn of the companion are: a write and its
 * record commit together, so that a crash leaves both or neither. What a caller does after a failure differs, and is its own.
 */
export async function runRecorded(
  run: Runner['run'],
  operation: Operation,
  { call, once, record, recordAlone }: RecordedCall,
): Promise<unknown> {
  let output: unknown
  const recorded: Call = {
    once,
    recordInSameTransaction(connection, { body }) {
      output = JSON.parse(body)
      record(connection, output)
    },
    ...call,
  }
  const { body, replayed } = await run(operation, operation.reads ? call : recorded)
  if (!operation.reads && !replayed) return output
  output = JSON.parse(body)
  await recordAlone(output)
  return output
}
