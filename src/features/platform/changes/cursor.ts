import { invalid } from '../../../core/define/failure.ts'

/** Up to where changes were read: the moment, and which transactions were visible then. */
export type Cursor = {
  /** Milliseconds since 1970, by the clock of the database. */
  readAt: number
  /** All transactions before this one had ended. */
  xmin: bigint
  /** This one and those after it had not begun. */
  xmax: bigint
  /** Those between the two that were still running. */
  running: readonly bigint[]
}

const pattern = /^(\d{1,15})\.(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19}){0,199})?)$/

/** So many transactions are named at most; with more, all of them count as unseen, and some changes are sent twice. */
const runningMax = 200

export const cursorText = ({ readAt, xmin, xmax, running }: Cursor): string =>
  running.length > runningMax ? `${readAt}.${xmin}:${xmin}:` : `${readAt}.${xmin}:${xmax}:${running.join()}`

export function readCursor(text: string): Cursor {
  const [, readAt = '', xmin = '', xmax = '', running = ''] = pattern.exec(text) ?? []
  if (!readAt) throw invalid('lastEventId', 'lastEventId must be the id of an event of this stream.')
  return {
    readAt: Number(readAt),
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: running === '' ? [] : running.split(',').map(BigInt),
  }
}
