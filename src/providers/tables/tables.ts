import { Worker } from 'node:worker_threads'
import { Failure, invalid } from '../../core/define/failure.ts'
import { bundledFile } from '../../core/files/bundled-file.ts'
import type { TableReader, TableRequest } from '../../core/outside/table-reader.ts'
import { createFairQueue } from '../../core/share/fair-queue.ts'
import { organizationSubject } from '../../core/share/organization-holder.ts'
import type { ReadRecords } from '../../core/tables/field.ts'
import type { RefusalCode } from '../../core/tables/table.ts'

/** What a thread answers. */
export type Report = { records: ReadRecords } | { refusal: { path: string; message: string; code: RefusalCode } }

/** Files at the same time, of all organizations and of one; how long one waits, and how long it may take. */
const defaultLimits = { threadsMax: 2, perOrganizationMax: 1, waitMs: 20_000, fileMs: 25_000, memoryMb: 512 }

/** Every file has a new thread, so that a large one leaves no memory behind. `file` is the bundled worker.ts. */
export function openTableReader(given: Partial<typeof defaultLimits> = {}, file: URL = workerFile): TableReader {
  const limits = { ...defaultLimits, ...given }
  const threads = new Set<Worker>()
  const queue = createFairQueue({
    called: 'imports of this organization',
    runningMax: limits.threadsMax,
    perSubjectMax: limits.perOrganizationMax,
    waitingMax: 100,
    waitingPerSubjectMax: 10,
    waitMs: limits.waitMs,
    overloaded: tooBusy,
  })

  function read(request: TableRequest): Promise<ReadRecords> {
    return new Promise((resolve, reject) => {
      const resourceLimits = { maxOldGenerationSizeMb: limits.memoryMb }
      const worker = new Worker(file, { resourceLimits, env: {}, stdin: false, workerData: request })
      const timer = setTimeout(() => end(tookTooMuch()), limits.fileMs)
      threads.add(worker)
      function end(failure: Failure) {
        clearTimeout(timer)
        threads.delete(worker)
        reject(failure) // without effect once it is resolved
        void worker.terminate()
      }
      worker.once('message', (report: Report) => {
        if ('records' in report) resolve(report.records)
        else reject(invalid(report.refusal.path, report.refusal.message, report.refusal.code))
      })
      worker.once('error', (error: Error & { code?: string }) =>
        end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tookTooMuch() : broken(error)),
      )
      worker.once('exit', () => end(broken(new Error('The thread ended.'))))
    })
  }

  return {
    read: (request) => queue.run([organizationSubject(request.organizationId)], () => read(request)),
    async close() {
      queue.close(() => broken())
      await Promise.all([...threads].map((worker) => worker.terminate()))
    },
  }
}

const workerFile = bundledFile('table-worker')

const tookTooMuch = () =>
  invalid('file', 'Reading the file takes too much time or memory. Divide it into several files.', 'TABLE_TOO_LARGE')

const tooBusy = () => {
  const message = 'Too many files are being read just now. Try again in a moment.'
  return new Failure('INTERNAL', message, { details: [{ path: '', message, code: 'UNAVAILABLE' }], retryAfterS: 2 })
}

const broken = (cause?: unknown) => new Failure('INTERNAL', 'The file could not be read.', { retryAfterS: 10, cause })
