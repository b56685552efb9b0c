import { type Hints, type Reading, Unreadable } from './reading.ts'

/** Reads a receipt or an invoice, by the type that its content shows. */
export async function readDocument(_bytes: Buffer, contentType: string, _hints: Hints): Promise<Reading> {
  throw new Unreadable('UNSUPPORTED_TYPE', `Files of type ${contentType} cannot be read.`)
}
