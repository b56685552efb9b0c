import { Failure } from '../../../../core/define/failure.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import { formatDay } from '../../../../core/values/format.ts'
import { newId } from '../../../../core/values/id.ts'
import type { Language } from '../../../../core/values/language.ts'
import type { SendStatement } from '../../../../db/wire/connection.ts'
import { previewOf } from '../preview/preview.ts'
import type { Preview } from '../preview/preview-types.ts'
import { warningIn } from '../preview/warnings.ts'
import type { ToolResult } from './assistant.ts'
import { executeStep, haveBooksChanged, readWith, requireValid, resultOf, type TurnContext } from './call-tool.ts'
import {
  askAboutStep,
  beginConfirmedStep,
  beginStep,
  endStep,
  feedTurn,
  inTurn,
  type PendingStep,
  readSnapshot,
  skipPendingSteps,
} from './turn-record.ts'

/** What the assistant is told about a call that waits. */
const waits: ToolResult = {
  ok: false,
  code: 'WAITS',
  message: 'This waits for the word of the person, who is shown exactly what will happen. Nothing was done.',
}

/** The tools of a turn, by name. */
export type ToolNamed = (name: string) => Operation | undefined

type WantedCall = { operation: Operation; input: Record<string, unknown> }

/** What a call will do. The tools that were read with for it are noted together, before the turn is given the preview or a refusal. */
async function previewNow(context: TurnContext, tool: ToolNamed, { operation, input }: WantedCall): Promise<Preview> {
  const { job, turn, organizationId } = context
  const tools = new Set<string>()
  const call = async (name: string, given: Record<string, unknown>) => {
    const reading = tool(name)
    if (!reading?.reads) throw new Failure('FORBIDDEN', `What this needs (${name}) is not available to you.`)
    tools.add(name)
    return readWith(context, reading, given)
  }
  try {
    return await previewOf({ organizationId, call }, operation, input)
  } finally {
    if (tools.size > 0) await inTurn(job, turn.id, ({ db }) => feedTurn(db, turn, { tools: [...tools] }))
  }
}

/** Asks the person about a call with an effect: the step waits, with what will happen, and the turn ends with the question. */
export async function askFirst(
  context: TurnContext,
  tool: ToolNamed,
  { operation, input }: WantedCall,
): Promise<{ result: ToolResult; preview?: Preview }> {
  const { job, turn } = context
  const stepId = newId()
  const step = { stepId, tool: operation.name, input }
  try {
    requireValid(operation, context, input)
    const preview = await previewNow(context, tool, { operation, input })
    await inTurn(job, turn.id, async ({ db, ask }) => {
      await feedTurn(db, turn, { tools: [operation.name] })
      await askAboutStep(ask, turn, { ...step, preview })
    })
    return { result: waits, preview }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await inTurn(job, turn.id, async ({ ask }) => {
      await beginStep(ask, turn, step)
      await endStep(ask, turn, stepId, { status: 'FAILED', error: error.message })
    })
    return { result: resultOf(error) }
  }
}

/** What became of a step after the person's word. */
export type Confirmed = { result: ToolResult; preview: Preview } | { changed: Preview } | { refused: string }

/**
 * Executes the step that the person said yes to, exactly as they were shown it. If a record has changed since, it is not
 * executed, and the person is asked again with what would happen now. A call that works in the database alone is rolled back
 * if anything was written in the organization while its preview was compared, and both are done again.
 */
export async function executeConfirmed(context: TurnContext, tool: ToolNamed, step: PendingStep): Promise<Confirmed> {
  const { job, turn } = context
  const operation = tool(step.ref ?? '')
  if (!operation) {
    await inTurn(job, turn.id, ({ ask }) => skipPendingSteps(ask, turn, 'You may no longer do this.'))
    return { refused: 'FORBIDDEN' }
  }
  await inTurn(job, turn.id, ({ db }) => feedTurn(db, turn, { tools: [operation.name] }))
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const unchangedSince = await inTurn(job, turn.id, ({ ask }) => readSnapshot(ask))
    const refused = await refuseChanged(context, tool, { operation, step, hasBegun: attempt > 1 })
    if (refused) return refused
    if (attempt === 1 && !(await inTurn(job, turn.id, ({ ask }) => beginConfirmedStep(ask, turn, step.id))))
      return { refused: 'EXPIRED' }
    try {
      const result = await executeStep(context, operation, {
        ...{ stepId: step.id, input: step.input },
        ...(!operation.run.outside && { unchangedSince }),
      })
      return { result, preview: step.output as Preview }
    } catch (error) {
      if (!haveBooksChanged(error)) throw error
    }
  }
  await inTurn(job, turn.id, ({ ask }) => endStep(ask, turn, step.id, { status: 'FAILED', error: busy }))
  return { refused: busy }
}
const attemptsMax = 8
const busy = 'The books are being changed all the time at the moment. Nothing was done; ask again later.'

type Begun = { operation: Operation; step: PendingStep; hasBegun: boolean }

/** Compares what would happen now with what the person was shown. Returns why the step is not executed, if it is not. */
async function refuseChanged(context: TurnContext, tool: ToolNamed, { operation, step, hasBegun }: Begun) {
  const { job, turn } = context
  const end = async (ask: SendStatement, reason: string) => {
    if (hasBegun) await endStep(ask, turn, step.id, { status: 'FAILED', error: reason })
    else await skipPendingSteps(ask, turn, reason)
  }
  try {
    const now = await previewNow(context, tool, { operation, input: step.input })
    if (now.fingerprint === (step.output as Preview).fingerprint) return undefined
    const again = { stepId: newId(), tool: operation.name, input: step.input, preview: now }
    await inTurn(job, turn.id, async ({ ask }) => {
      await end(ask, 'What it is about has changed since the question.')
      await askAboutStep(ask, turn, again)
    })
    return { changed: now }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await inTurn(job, turn.id, ({ ask }) => end(ask, error.message))
    return { refused: error.message }
  }
}

/** The question in words, with all that the person decides on. */
export function questionOf({ title, lines, mail, warnings }: Preview, language: Language): string {
  const rows = lines.map(
    ({ label, value, valueHe }) =>
      `- ${label[language]}: ${withDays((language === 'he' && valueHe) || value, language)}`,
  )
  const isAddressed = lines.some(({ label }) => label.en === words.en.to)
  if (mail && !isAddressed) rows.push(`- ${words[language].to}: ${mail.to.join(', ')}`)
  if (mail) rows.push(`- ${words[language].subject}: ${mail.subject}`)
  const body = mail ? ['', ...mail.text.split('\n').map((line) => `> ${line}`)] : []
  if (mail && mail.attachments.length > 0) body.push(`> [${mail.attachments.join(', ')}]`)
  const doubts = warnings.map((warning) => `! ${warningIn(language, warning)}`)
  return [`${title[language]}`, ...rows, ...body, ...doubts, '', words[language].sayYes].join('\n')
}

/** Days as people write them; the preview as data keeps them as they are. */
const withDays = (value: string, language: Language): string =>
  value
    .split(/( → |, )/)
    .map((part) => (/^\d{4}-\d\d-\d\d$/.test(part) && isRealDay(part) ? formatDay(language, part) : part))
    .join('')

const isRealDay = (day: string): boolean => !Number.isNaN(Date.parse(`${day}T00:00:00Z`))

const words = {
  en: { to: 'To', subject: 'Subject', sayYes: 'Shall I do this? Say yes within an hour; anything else means no.' },
  he: { to: 'אל', subject: 'נושא', sayYes: 'לבצע? יש להשיב "כן" בתוך שעה; כל תשובה אחרת פירושה לא.' },
}
