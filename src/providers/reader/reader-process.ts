import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import type { MailReadOutcome, MailReadRequest } from '../../core/outside/mail-reader.ts'
import type {
  DrawFileRequest,
  DrawOutcome,
  ReadOutcome,
  ReadRequest,
  UnreadReason,
} from '../../core/outside/receipt-reader.ts'
import { silence } from './ocr/onnx-runtime.ts'
import { residentBytes } from './resident-memory.ts'

/** What the child process gets and answers. */
export type ChildRequest = { id: number } & (FileRequest | MessageRequest | PageRequest)
/** The outcome is sent before the pictures are made, so that it counts whatever happens to them. */
export type ChildAnswer = {
  id: number
  outcome: OfflineOutcome | MailReadOutcome | DrawOutcome
  picturesFollow: boolean
}
/** A mail message, and the folder for the files in it. */
export type MessageRequest = Omit<MailReadRequest, 'organizationId'>
/** A page of a PDF that is only to be looked at. */
export type PageRequest = Omit<DrawFileRequest, 'organizationId'>
export type FileRequest = Omit<ReadRequest, 'organizationId'> & {
  /** Whether pictures for a second reader are wanted. */
  withPictures?: boolean
}
/** With JPEG pictures of the first pages, if they were wanted and a second reader could add something. */
export type OfflineOutcome = ReadOutcome & { pictures?: readonly Uint8Array[] }

export type ProcessLimits = {
  /** How long one file may be read, and how much longer the first one of a process, which loads the models. */
  fileMs: number
  startMs: number
  /** How much memory the process may have before it is killed. */
  memoryMax: number
  /** How long the process is kept for the next file; loading the models takes half a second. */
  idleMs: number
  /** Its priority for the processor: 0 is that of the program, 19 the lowest. */
  niceness: number
}

type Outcome = ChildAnswer['outcome'] | Unread
type Task = {
  id: number
  done(outcome: Outcome): void
  /** Known already; pictures of it follow. */
  outcome?: Outcome
}
type Child = { process: ChildProcess; isWarm: boolean; task?: Task | undefined; timers: NodeJS.Timeout[] }

const memoryCheckMs = 200

/**
 * The process that reads files, begun with the first one and ended after the last. It decodes what strangers sent, so it may
 * crash, hang or take all memory: then it is killed, that file is not read, and the next file gets a new process. It has an
 * empty environment, no network (child.ts) and a lower priority.
 */
export function openReaderProcess(file: URL, { fileMs, startMs, memoryMax, idleMs, niceness }: ProcessLimits) {
  let current: Child | undefined
  let last = 0

  function begin(): Child {
    const process = fork(file, [], {
      env: environment,
      execArgv: ['--max-old-space-size=512', '--unhandled-rejections=strict'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const child: Child = { process, isWarm: false, timers: [] }
    lowerPriority(process, niceness)
    process.on('message', ({ id, outcome, picturesFollow }: ChildAnswer) => {
      if (id !== child.task?.id) return
      if (picturesFollow) child.task.outcome = outcome
      else finish(child, outcome)
    })
    process.on('error', () => end(child, 'CRASHED'))
    process.on('exit', () => end(child, 'CRASHED'))
    current = child
    return child
  }

  /** Reads one file or message. The caller starts no second one before the first is answered. */
  function read(request: FileRequest | MessageRequest | PageRequest, until: number): Promise<Outcome> {
    const child = current ?? begin()
    clearTimers(child)
    const id = ++last
    return new Promise((done) => {
      child.task = { id, done }
      child.process.ref()
      child.process.channel?.ref()
      const allowedMs = child.isWarm ? fileMs : startMs + fileMs
      const givenMs = Math.max(0, Math.min(allowedMs, until - performance.now()))
      child.timers.push(
        setTimeout(() => end(child, 'TOOK_TOO_LONG'), givenMs),
        setInterval(() => void endIfTooLarge(child), memoryCheckMs),
      )
      child.process.send({ id, ...request } satisfies ChildRequest, (error) => error && end(child, 'CRASHED'))
    })
  }

  function finish(child: Child, outcome: Outcome) {
    clearTimers(child)
    child.isWarm = true
    child.process.unref() // an idle reader does not keep the program alive
    child.process.channel?.unref()
    child.timers.push(setTimeout(() => end(child, 'CRASHED'), idleMs).unref())
    release(child)?.done(outcome)
  }

  async function endIfTooLarge(child: Child) {
    const bytes = await residentBytes(child.process.pid)
    if (bytes !== undefined && bytes > memoryMax && child.task) end(child, 'OUT_OF_MEMORY')
  }

  /** Kills the process. The file that it was at is not read, for this reason, or is read and has no pictures. */
  function end(child: Child, reason: UnreadReason) {
    if (current === child) current = undefined
    clearTimers(child)
    child.process.kill('SIGKILL')
    const task = release(child)
    task?.done(task.outcome ?? unread(reason))
  }

  return {
    read: (request: FileRequest, until: number) => read(request, until) as Promise<OfflineOutcome>,
    readMail: (request: MessageRequest, until: number) => read(request, until) as Promise<MailReadOutcome | Unread>,
    drawPage: (request: PageRequest, until: number) => read(request, until) as Promise<DrawOutcome>,
    async end() {
      const child = current
      if (!child) return
      const ended = new Promise((resolve) => child.process.once('exit', resolve))
      end(child, 'CRASHED')
      await ended
    },
  }
}

function release(child: Child): Task | undefined {
  const { task } = child
  child.task = undefined
  return task
}

function clearTimers(child: Child) {
  for (const timer of child.timers.splice(0)) clearTimeout(timer)
}

function lowerPriority({ pid }: ChildProcess, niceness: number) {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // it has ended already, or the system does not allow it
  }
}

/**
 * Nothing of the environment, which has secrets, but what Windows needs to load libraries. One arena of memory: with one for
 * each thread, the library of Linux keeps a third more memory than the models use.
 */
const environment: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: '1',
  ...silence,
  ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
}

type Unread = Extract<ReadOutcome, { unread: UnreadReason }>

/** A file that was not read, in the words of the answer. */
export const unread = (reason: UnreadReason, message = messages[reason]): Unread => ({ unread: reason, message })

const messages: Record<UnreadReason, string> = {
  UNSUPPORTED_TYPE: 'Files of this type cannot be read. Send a picture, a PDF or an e-invoice.',
  DAMAGED: 'The file is damaged. Send it again, or another copy of it.',
  ENCRYPTED: 'The file is protected by a password. Remove the password and send it again.',
  TOO_LARGE: 'The picture has too many pixels. Send it with at most 50 million.',
  TOO_MANY_PAGES: 'The file has more than 50 pages. Send the pages of the invoice only.',
  NO_TEXT: 'No text was found. Send a sharper picture with more light, or enter the values by hand.',
  TOOK_TOO_LONG: 'Reading the file took too long, so it was given up. Try again, or enter the values by hand.',
  OUT_OF_MEMORY: 'Reading the file needs too much memory. Send a smaller picture or fewer pages.',
  CRASHED: 'The reader stopped at this file. Try again, or enter the values by hand.',
  BUSY: 'Too many files are being read just now. Try again in a minute.',
}
