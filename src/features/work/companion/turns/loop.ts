import type { Operation } from '../../../../core/define/operation.ts'
import { today } from '../../../../core/values/day.ts'
import type { Language } from '../../../../core/values/language.ts'
import type { Preview } from '../preview/preview-types.ts'
import { mayRead, mayUse, type Reader } from '../sessions/readable.ts'
import { askFirst, executeConfirmed, questionOf, type ToolNamed } from './ask-first.ts'
import { type Assistant, type Move, type ToolResult, TurnFailure, type TurnInput } from './assistant.ts'
import { callAsStep, type TurnContext } from './call-tool.ts'
import { neverOffered, waitsForWord } from './effects.ts'
import { createSpeech } from './speech.ts'
import { feedTurn, inTurn, type PendingStep, pendingStep, readTurn, say, skipPendingSteps } from './turn-record.ts'
import { usageOf } from './usage.ts'
import { isNo, isYes } from './words-of-consent.ts'

/** A turn of more calls than this goes round in circles. */
const callsMax = 40

/**
 * Answers the message of a turn: executes what waits for the person's word, or lets the assistant answer. Returns what the
 * assistant wants to remember.
 */
export async function converse(context: TurnContext, assistant: Assistant, rights: Reader): Promise<unknown> {
  const { job, turn } = context
  const tools = offered(job.catalog.operations, rights)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const tool: ToolNamed = (name) => byName.get(name)
  const { given, pending } = await inTurn(job, turn.id, async (inside) => {
    const read = await readTurn(inside, turn, mayRead(job.catalog, rights))
    await feedTurn(inside.db, turn, { tools: read.fedBy, rights })
    const asked = await pendingStep(inside, turn)
    return { given: read, pending: asked && !read.hidden.has(asked.turnId) ? asked : undefined }
  })
  const text = given.message.text ?? ''
  const language: Language = /[\u0590-\u05ff]/.test(text) ? 'he' : 'en'
  const speech = createSpeech((deltas) => inTurn(job, turn.id, ({ ask }) => say(ask, turn, deltas)))
  const talk: Talk = { context, tool, speech, language }
  if (pending) {
    const isWord = turn.confirmsStepId ? turn.confirmsStepId === pending.id : isYes(text)
    if (isWord && (turn.confirmsStepId || pending.wasSeen)) return answerWord(talk, pending)
    if (isWord) return tell(talk, `${words[language].notSeen}\n\n${questionOf(pending.output as Preview, language)}`)
    await inTurn(job, turn.id, ({ ask }) => skipPendingSteps(ask, turn, 'The answer was not yes.'))
    if (isNo(text)) return tell(talk, words[language].notDone)
  }
  if (turn.confirmsStepId) return tell(talk, words[language].over)
  let memory: unknown
  const { organization, person, history, message } = given
  const input: TurnInput = {
    text,
    attachments: message.attachments ?? [],
    today: today(new Date(), organization.timezone),
    organization: organization as TurnInput['organization'],
    person,
    role: rights.role,
    history: history.map(({ role, text: said }) => ({ role, text: said ?? '' })),
    memory: given.memory,
    remember(value) {
      memory = value
    },
    signal: context.signal,
    tools,
    usage: usageOf(context, organization.timezone),
  }
  await drive(talk, assistant(input))
  await speech.flush()
  return memory
}

type Talk = { context: TurnContext; tool: ToolNamed; speech: ReturnType<typeof createSpeech>; language: Language }

/** Carries out what the assistant does, move by move, until it ends or something waits for the person's word. */
async function drive(talk: Talk, moves: AsyncGenerator<Move, void, ToolResult | undefined>): Promise<void> {
  const { context, speech } = talk
  let calls = 0
  let result: ToolResult | undefined
  try {
    for (;;) {
      const { done, value: move } = await moves.next(result)
      context.signal.throwIfAborted()
      if (done) return
      result = undefined
      if ('say' in move) speech.say(move.say)
      else {
        calls += 1
        if (calls > callsMax) throw new TurnFailure(`This took more than ${callsMax} steps. Ask for less at once.`)
        await speech.flush()
        result = await call(talk, move)
        if (!result.ok && result.code === 'WAITS') return
      }
    }
  } finally {
    await moves.return()
  }
}

async function call(talk: Talk, move: Extract<Move, { call: string }>): Promise<ToolResult> {
  const { context, tool } = talk
  const operation = tool(move.call)
  if (!operation)
    return { ok: false, code: 'UNKNOWN_TOOL', message: notOffered(context.job.catalog.operations, move.call) }
  const { organizationId, ...input } = move.input
  if (organizationId !== undefined && organizationId !== context.organizationId)
    return { ok: false, code: 'ORGANIZATION', message: 'This session belongs to another organization.' }
  if (operation.reads || !waitsForWord(operation, input)) return callAsStep(context, operation, input)
  const { result, preview } = await askFirst(context, tool, { operation, input })
  if (preview) await tell(talk, questionOf(preview, talk.language))
  return result
}

/** Says what a call needs that the person or the credential does not have; nothing of it is for a conversation if it has no needs. */
function notOffered(operations: readonly Operation[], name: string): string {
  const operation = operations.find((each) => each.name === name)
  const said = `There is no tool ${name} that you may use here.`
  return operation && !neverOffered(operation)
    ? `${said} It needs the role ${operation.role} and the scope ${operation.scope}.`
    : said
}

/** The person said yes. */
async function answerWord(talk: Talk, step: PendingStep): Promise<undefined> {
  const { language, context, tool } = talk
  const became = await executeConfirmed(context, tool, step)
  if ('changed' in became) return tell(talk, `${words[language].changed}\n\n${questionOf(became.changed, language)}`)
  if ('refused' in became)
    return tell(talk, `${words[language].failed} ${refusals[became.refused]?.[language] ?? became.refused}`)
  const { result, preview } = became
  return tell(
    talk,
    result.ok
      ? (preview.done?.[language] ?? `${words[language].done} ${preview.title[language]}`)
      : `${words[language].failed} ${result.message}`,
  )
}

async function tell({ speech }: Talk, text: string): Promise<undefined> {
  speech.say(speech.isEmpty ? text : `\n\n${text}`)
  await speech.flush()
}

/** The tools of the catalog that this person may use with this credential. */
export const offered = (operations: readonly Operation[], rights: Reader): Operation[] =>
  operations.filter((operation) => !neverOffered(operation) && mayUse(operation, rights))

const words = {
  en: {
    notDone: 'All right, nothing was done.',
    over: 'That question no longer waits for an answer. Nothing was done.',
    done: 'Done:',
    failed: 'That was not done.',
    notSeen: 'I asked this after you wrote, so I have not done it yet. Please look at it and say yes again:',
    changed: 'Something has changed since I asked, so I have not done it yet. This is what would happen now:',
  },
  he: {
    notDone: 'בסדר, לא בוצע דבר.',
    over: 'השאלה הזאת כבר לא ממתינה לתשובה. לא בוצע דבר.',
    done: 'בוצע:',
    failed: 'הפעולה לא בוצעה.',
    notSeen: 'השאלה נשאלה אחרי שכתבת, ולכן עוד לא ביצעתי. נא לבדוק ולהשיב שוב כן:',
    changed: 'משהו השתנה מאז ששאלתי, ולכן עוד לא ביצעתי. זה מה שיקרה עכשיו:',
  },
}

const refusals: Record<string, Record<Language, string>> = {
  EXPIRED: { en: 'The question is more than an hour old.', he: 'השאלה נשאלה לפני יותר משעה.' },
  FORBIDDEN: { en: 'You may no longer do this.', he: 'כבר אין לך הרשאה לכך.' },
}
