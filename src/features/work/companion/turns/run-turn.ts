import { Failure } from '../../../../core/define/failure.ts'
import { type JobContext, job } from '../../../../core/define/job.ts'
import { requeueJob } from '../../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { isLost } from '../../../../core/run/errors.ts'
import { timeLimit } from '../../../../core/values/time-limit.ts'
import type { Assistant } from './assistant.ts'
import { TurnFailure } from './assistant.ts'
import { isTurnOver, type TurnContext } from './call-tool.ts'
import { converse } from './loop.ts'
import { TooLong } from './speech.ts'
import { asPerson, claimTurn, endTurn, type HeldTurn, inTurn, keepTurn, rightsOf } from './turn-record.ts'

/** How long a turn may take. */
const turnMaxMs = 5 * 60_000

/** How often a running turn looks whether it was cancelled. Cancelling itself takes effect at once, in the database. */
const watchMs = 500

/** The job that works on a turn. The assistant is chosen by the program: a language model, or the built-in one. */
export const runTurnWith = (assistantFor: (context: JobContext) => Assistant) =>
  job('run-turn', Type.Object({ turnId: Id }), async (context, { turnId }) => {
    if (context.conversation && answering >= modelTurnsMax) return lookAgainLater(context, turnId, 500)
    answering++
    await workOn(context, turnId, assistantFor).finally(() => answering--)
  })

async function workOn(context: JobContext, turnId: string, assistantFor: (context: JobContext) => Assistant) {
  const claimed = await claimTurn(context, turnId)
  if (claimed === 'INTERRUPTED') return failInterrupted(context, turnId)
  if (claimed === 'HELD') return lookAgainLater(context, turnId, 15_000)
  if (typeof claimed !== 'string') await executeTurn(context, claimed, assistantFor(context))
}

/** Turns with a language model at a time in a process: a slow one holds a slot of the worker, and other jobs need some too. */
const modelTurnsMax = 4
let answering = 0

/** Enqueues the job again for turns that have none. */
export const requeueLostTurns = requeueJob('recover-turns', { job: 'run-turn', requeueLost: 'requeue_lost_turns' })

/** Ends questions that nobody answered within their time. */
export const expireQuestions = job(
  'expire-questions',
  Type.Object({}, { additionalProperties: true }),
  async ({ tx }) => {
    await tx(({ ask }) => ask('select expire_pending_steps($1)', [questionsAtOnce]))
  },
)
const questionsAtOnce = 1_000

/** There is no room for the turn now, or another job works on it; if that one is gone, the next job will end the turn. */
const lookAgainLater = (context: JobContext, turnId: string, ms: number) =>
  context.once(async ({ enqueue }) => {
    enqueue('run-turn', { turnId }, { runAt: new Date(Date.now() + ms) })
  })

const interrupted =
  'The server stopped while this was being done. Look whether it was done before you ask for it again.'

const failInterrupted = (context: JobContext, turnId: string) =>
  inTurn(context, turnId, ({ ask }) =>
    endTurn(ask, turnId, {
      status: 'FAILED',
      error: 'The server stopped during this turn. The steps that succeeded are done, and nothing else was. Ask again.',
      interrupted,
    }),
  ).then(() => {})

async function executeTurn(job: JobContext, turn: HeldTurn, assistant: Assistant): Promise<void> {
  const cancelled = new AbortController()
  const signal = timeLimit(turnMaxMs, job.signal, cancelled.signal)
  const watch = setInterval(() => {
    keepTurn(job, turn).then(
      (isMine) => {
        if (!isMine) cancelled.abort()
      },
      () => {}, // the database is unavailable; the next write says so
    )
  }, watchMs)
  const context: TurnContext = { job, turn, organizationId: job.organizationId ?? '', signal }
  try {
    const memory = await answer(context, assistant)
    // If this fails, another job has the turn or will have it, and ends it.
    await job.once((inside) =>
      asPerson(inside, turn.id, ({ ask }) => endTurn(ask, turn.id, { status: 'SUCCEEDED', memory })),
    )
  } catch (error) {
    if (isTurnOver(error) || cancelled.signal.aborted) return // it was cancelled, and has ended already
    if (!(error instanceof Unanswered)) throw error
    await failTurn(job, turn, error)
  } finally {
    clearInterval(watch)
  }
}

/** The turn could not be answered: the reason that the person is told, and the error. */
class Unanswered extends Error {}

async function answer(context: TurnContext, assistant: Assistant): Promise<unknown> {
  const { job, turn, organizationId, signal } = context
  try {
    const rights = await inTurn(job, turn.id, (inside) => rightsOf(inside, turn, organizationId))
    if (!rights) throw new TurnFailure('You may not use the companion here any more: your access has ended.')
    return await converse(context, assistant, rights)
  } catch (error) {
    const reason = isTurnOver(error) ? undefined : reasonOf(error, signal)
    throw reason === undefined ? error : new Unanswered(reason, { cause: error })
  }
}

async function failTurn(job: JobContext, turn: HeldTurn, { message, cause }: Unanswered): Promise<void> {
  const end = { status: 'FAILED', error: message, interrupted } as const
  await inTurn(job, turn.id, ({ ask }) => endTurn(ask, turn.id, end)).catch((failure) => {
    if (!isTurnOver(failure)) throw failure
  })
  if (message === ourMistake) throw cause // so that it is logged; the job finds that the turn has ended
}

/** What the person is told about the end of a turn; undefined for errors after which the job is tried again. */
function reasonOf(error: unknown, { aborted, reason }: AbortSignal): string | undefined {
  if (aborted && reason?.name === 'TimeoutError') return 'This took longer than five minutes. Ask for less at once.'
  if (aborted) return 'The server is stopping. Nothing was left half done; ask again in a moment.'
  if (error instanceof TurnFailure) return error.message
  if (error instanceof TooLong) return 'The answer became too long.'
  if (error instanceof Failure && error.status < 500) return error.message
  return isLost(error instanceof Failure ? error.cause : error) ? undefined : ourMistake
}

const ourMistake = 'Something went wrong on our side. It has been recorded; what the steps show as done is done.'
