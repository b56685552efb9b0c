import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { DetailCode } from '../../core/define/error-codes.ts'
import { Failure } from '../../core/define/failure.ts'
import { bundledFile } from '../../core/files/bundled-file.ts'
import type { DrawnPages, DrawRequest, TypesetRequest, Typesetter } from '../../core/outside/typesetter.ts'
import { createFairQueue } from '../../core/share/fair-queue.ts'
import { organizationSubject } from '../../core/share/organization-holder.ts'
import type { Engine } from './engine.ts'
import { createRest } from './rest.ts'

/** What a thread is asked for: a document to print, or pages of a printed one to draw. */
export type Work = { request: TypesetRequest } | { draw: DrawRequest }
export type ThreadRequest = { id: number } & Work
type Done = { pdf: Uint8Array } | { drawn: DrawnPages }
export type Result = Done | { refusal: string }
export type Report = {
  id: number
  result: Result
  engine: Engine['name']
  heldBytes: number
}

export type Limits = {
  /** Threads at the same time. Large documents have one more, of their own. */
  threadsMax: number
  /** Documents that wait for a thread, of all organizations and of one, and for how long; more are refused. */
  waitingMax: number
  waitingPerOrganizationMax: number
  waitMs: number
  /** How long a document may take before its thread is ended (FLT-11), and the extra time for the first one of a thread. */
  documentMs: number
  startMs: number
  /** The memory of a thread before it is replaced. */
  heldMaxBytes: number
}

/** One processor is left for the API. */
const defaultLimits: Limits = {
  threadsMax: Math.min(4, Math.max(1, availableParallelism() - 1)),
  waitingMax: 200,
  waitingPerOrganizationMax: 50,
  waitMs: 20_000,
  documentMs: 25_000,
  startMs: 25_000,
  heldMaxBytes: 384 * 1024 * 1024,
}

/** A document with more rows than this takes longer than a tenth of a second. */
const smallRowsMax = 200

/** `engine` names one of the two; without it the native one is used where it is installed. */
export type Options = Partial<Limits> & { engine?: Engine['name'] }

/** What a thread is told when it starts. */
export type ThreadData = { engine: Engine['name'] | undefined; isForLarge: boolean }

/**
 * Small and large documents have threads and queues of their own, so that a small one never waits for a large one. Threads
 * are started on demand and kept. `file` is the bundled worker.ts.
 */
export function openTypesetter({ engine, ...given }: Options = {}, file: URL = workerFile): Typesetter {
  const limits = { ...defaultLimits, ...given }
  const begin = (workerData: ThreadData) =>
    new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 256 }, env: {}, stdin: false, workerData })
  const small = openThreads(limits, () => begin({ engine, isForLarge: false }))
  const large = openThreads({ ...limits, threadsMax: 1 }, () => begin({ engine, isForLarge: true }))
  return {
    async typeset(request) {
      const { organizationId, rows } = request
      const done = await (rows > smallRowsMax ? large : small).execute(organizationId, { request })
      if ('pdf' in done) return done.pdf
      throw broken()
    },
    async draw(request) {
      const done = await small.execute(request.organizationId, { draw: request })
      if ('drawn' in done) return done.drawn
      throw broken()
    },
    close: async () => void (await Promise.all([small.close(), large.close()])),
  }
}

type Task = ThreadRequest & { done(done: Done): void; failed(error: Error): void }
type Thread = { worker: Worker; isWarm: boolean; task?: Task | undefined; timer?: NodeJS.Timeout | undefined }

type Threads = { execute(organizationId: string, work: Work): Promise<Done>; close(): Promise<void> }

/** Threads that organizations share fairly: of several that wait, one with a thread already waits longer. */
function openThreads(limits: Limits, beginWorker: () => Worker): Threads {
  const { threadsMax, documentMs, startMs, heldMaxBytes } = limits
  const threads = new Set<Thread>()
  const queue = createFairQueue({
    called: 'PDFs of this organization',
    runningMax: threadsMax,
    perSubjectMax: Math.max(1, threadsMax - 1),
    waitingMax: limits.waitingMax,
    waitingPerSubjectMax: limits.waitingPerOrganizationMax,
    waitMs: limits.waitMs,
    overloaded: tooBusy,
  })
  const restAfter = createRest()
  let last = 0

  /** The queue starts no more documents than there may be threads, so one is idle or can be begun. */
  function execute(work: Work): Promise<Done> {
    const thread = [...threads].find(({ task }) => !task) ?? begin()
    return new Promise((done, failed) => {
      const task = { id: ++last, ...work, done, failed }
      thread.task = task
      const givenMs = thread.isWarm ? documentMs : startMs + documentMs
      thread.timer = setTimeout(() => end(thread, tookTooLong()), givenMs)
      thread.worker.ref() // a waiting caller keeps the process alive, an idle thread does not
      thread.worker.postMessage({ id: task.id, ...work } satisfies ThreadRequest)
    })
  }

  function begin(): Thread {
    const worker = beginWorker()
    const thread: Thread = { worker, isWarm: false }
    threads.add(thread)
    worker.on('message', (report: Report) => finish(thread, report))
    worker.on('error', (error) => end(thread, broken(error)))
    worker.on('exit', () => end(thread, broken(new Error('The thread ended.'))))
    return thread
  }

  function finish(thread: Thread, { result, heldBytes }: Report) {
    const task = release(thread)
    thread.isWarm = true
    if (heldBytes > heldMaxBytes) end(thread)
    if ('refusal' in result) task?.failed(broken(new Error(result.refusal)))
    else task?.done(result)
  }

  /** Ends a thread, and with it the document it was at; the next one gets a new thread. */
  function end(thread: Thread, reason: Error = broken()) {
    if (!threads.delete(thread)) return
    release(thread)?.failed(reason)
    void thread.worker.terminate()
  }

  function release(thread: Thread): Task | undefined {
    const { task } = thread
    clearTimeout(thread.timer)
    thread.task = undefined
    thread.worker.unref()
    return task
  }

  return {
    async execute(organizationId, work) {
      const turn = await queue.enter([organizationSubject(organizationId)])
      const began = performance.now()
      try {
        return await execute(work)
      } finally {
        const restMs = restAfter(performance.now() - began)
        if (restMs > 0) setTimeout(turn.leave, restMs)
        else turn.leave()
      }
    },
    async close() {
      queue.close(() => broken())
      const ending = [...threads].map(({ worker }) => worker.terminate())
      for (const thread of threads) end(thread)
      await Promise.all(ending)
    },
  }
}

const workerFile = bundledFile('typeset-worker')

const refusal = (sentence: string, code: DetailCode, retryAfterS: number, cause?: unknown) =>
  new Failure('INTERNAL', sentence, { details: [{ path: '', message: sentence, code }], retryAfterS, cause })

const tooBusy = () => refusal('Too many documents are being printed just now. Try again in a moment.', 'UNAVAILABLE', 2)
const tookTooLong = () => refusal('Printing this document took too long, so it was given up.', 'PRINTING', 10)
const broken = (cause?: unknown) => refusal('The document could not be printed.', 'PRINTING', 10, cause)
