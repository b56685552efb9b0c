import { Worker } from 'node:worker_threads'
import { bundledFile } from '../../../core/files/bundled-file.ts'
import { silenceProcess } from './onnx-runtime.ts'
import type { Raster } from './raster.ts'
import type { Character } from './recognized.ts'

export type LineRequest = { id: number; line: Raster }
export type LineResult = { id: number; characters: Character[] }

/** How many lines are read at the same time. Each thread has the model in memory. */
const threadCount = 2

type Waiting = { done: (characters: Character[]) => void; failed: (error: Error) => void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/** Reads the picture of a line. */
export type Recognizer = (line: Raster) => Promise<Character[]>

/** Threads that read lines at the same time, begun with the first one. */
export function openRecognizer(file: URL = threadFile): Recognizer {
  const threads = new Set<Thread>()
  let last = 0

  function begin(): Thread {
    silenceProcess()
    const worker = new Worker(file, { env: {}, stdin: false })
    const thread: Thread = { worker, waiting: new Map() }
    worker.unref() // a process that waits for a line has more to keep it alive
    worker.on('message', ({ id, characters }: LineResult) => {
      thread.waiting.get(id)?.done(characters)
      thread.waiting.delete(id)
    })
    worker.on('error', (error) => {
      threads.delete(thread)
      for (const { failed } of thread.waiting.values()) failed(error)
    })
    threads.add(thread)
    return thread
  }

  return (line) => {
    while (threads.size < threadCount) begin()
    const [thread = begin()] = [...threads].sort((a, b) => a.waiting.size - b.waiting.size)
    const id = ++last
    return new Promise((done, failed) => {
      thread.waiting.set(id, { done, failed })
      thread.worker.postMessage({ id, line } satisfies LineRequest)
    })
  }
}

const threadFile = bundledFile('line-reader')
