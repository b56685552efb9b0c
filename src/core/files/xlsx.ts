import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failure } from '../define/failure.ts'
import { createFairQueue } from '../share/fair-queue.ts'
import { organizationSubject } from '../share/organization-holder.ts'
import { bundledFile } from './bundled-file.ts'
import type { FileAnswer } from './file.ts'
import { type Sheet, type SheetValue, writeSheet } from './sheet.ts'

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What a thread is told: rows, as often as needed, and then the sheet to write them into. */
export type ToThread = { rows: readonly (readonly SheetValue[])[] } | { sheet: Sheet }

export type XlsxFile = {
  fileName: string
  /** Whose file it is: organizations share the threads fairly. */
  organizationId: string
  sheet: Sheet
  rows: readonly (readonly SheetValue[])[]
}

/** A spreadsheet as the answer. It is written when the answer is sent, which is after the transaction. */
export const xlsxFile = ({ fileName, organizationId, sheet, rows }: XlsxFile): FileAnswer => ({
  fileName,
  fileType: xlsxType,
  open: async () => Readable.from([await xlsxBytes(sheet, rows, organizationId)]),
})

/** Writing this many cells takes a few milliseconds; more are written in a thread of their own. */
const smallCellsMax = 2_000

async function xlsxBytes(sheet: Sheet, rows: XlsxFile['rows'], organizationId: string): Promise<Uint8Array> {
  if (rows.length * sheet.columns.length <= smallCellsMax) return writeSheet(sheet, rows)
  return queue.run([organizationSubject(organizationId)], () => inThread(sheet, rows))
}

const queue = createFairQueue({
  called: 'spreadsheets of this organization',
  runningMax: 2,
  perSubjectMax: 1,
  waitingMax: 50,
  waitingPerSubjectMax: 5,
  waitMs: 20_000,
  overloaded: () => failure('Too many spreadsheets are being written just now. Try again in a moment.'),
})

/** A file that takes longer than this is given up. */
const fileMs = 60_000

/** Rows per message: copying them to the thread takes a few milliseconds. */
const rowsPerMessage = 500

async function inThread(sheet: Sheet, rows: XlsxFile['rows']): Promise<Uint8Array> {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: 1_024 }, env: {}, stdin: false })
  const timer = setTimeout(() => void worker.terminate(), fileMs)
  const written = new Promise<Uint8Array>((done, failed) => {
    worker.once('message', done)
    worker.once('error', (error) => failed(failure('The spreadsheet could not be written.', error)))
    worker.once('exit', () => failed(failure('Writing the spreadsheet took too long.')))
  })
  written.catch(() => {}) // the thread may end while rows are still sent
  try {
    for (let at = 0; at < rows.length; at += rowsPerMessage) {
      worker.postMessage({ rows: rows.slice(at, at + rowsPerMessage) } satisfies ToThread)
      await turn()
    }
    worker.postMessage({ sheet } satisfies ToThread)
    return await written
  } finally {
    clearTimeout(timer)
    void worker.terminate()
  }
}

const workerFile = bundledFile('xlsx-worker')

const failure = (message: string, cause?: unknown) =>
  new Failure('INTERNAL', message, {
    details: [{ path: '', message, code: 'UNAVAILABLE' }],
    retryAfterS: 5,
    cause,
  })
