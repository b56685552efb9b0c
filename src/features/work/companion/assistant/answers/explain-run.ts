import { call, type Steps, type Talk, tryCall } from '../talk.ts'
import { counted, nouns } from '../words/nouns.ts'
import { statusWord } from '../words/statuses.ts'
import { tellFailure } from './failures.ts'
import { andMore, rowText } from './list.ts'

/** Why a run of an automation failed: which step, the reason, and what to do. */

type Step = { blockId: string | null; status: string; error: string | null; attempt: number; output: unknown }
type Run = { id: string; automationId: string; status: string; error: string | null; startedAt: string; steps: Step[] }
type Automation = {
  id: string
  name: string
  status: string
  blocks: { id: string; kind: string; ref: string | null }[]
}

/** The latest failed run of an automation; without one, the latest failed run of any. */
export async function* explainFailedRun(talk: Talk, automationId: string | undefined): Steps {
  const found = automationId === undefined ? yield* latestFailed(talk) : yield* failedRunOf(talk, automationId)
  if (found === 'told') return
  if (!found) return yield* talk.say(talk.in('No run of an automation has failed.', 'אף הרצה של אוטומציה לא נכשלה.'))
  yield* explainRun(talk, found)
}

type FoundRuns = {
  count: number
  sample: { id: string; automationId: string; automation: string; error: string | null; startedAt: string }[]
}

/** Failed runs of all automations, found by a filter: the latest one is explained, or they are listed. */
export async function* failedRuns(talk: Talk, { count, sample }: FoundRuns, isExplained: boolean): Steps {
  if (count === 0)
    return yield* talk.say(talk.in('No run of an automation has failed.', 'אף הרצה של אוטומציה לא נכשלה.'))
  const runs = sample.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
  const [latest] = runs
  if (isExplained && latest && count <= sample.length) return yield* explainRun(talk, latest)
  if (isExplained) return yield* explainFailedRun(talk, undefined)
  yield* talk.say(talk.in(`${counted('en', count, nouns.run)} failed:`, `הרצות שנכשלו (${count}):`))
  for (const [at, { id, automation, error, startedAt }] of runs.slice(0, 10).entries()) {
    const row = { kind: 'run' as const, id, name: automation, more: [talk.instant(startedAt), talk.data(error, 160)] }
    yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
  }
  if (count > Math.min(runs.length, 10)) yield* talk.line(andMore(talk, count - Math.min(runs.length, 10)))
}

async function* failedRunOf(talk: Talk, id: string): Steps<Run | undefined | 'told'> {
  const result = yield* call(talk, 'automations_runs', { id, status: 'FAILED', limit: 1 })
  if (result.ok) return (result.output as { runs: Run[] }).runs[0]
  yield* tellFailure(talk, result, 'automations_runs')
  return 'told'
}

/** Runs are listed by automation, so those that are on or paused are asked one after the other, at most twenty. */
async function* latestFailed(talk: Talk): Steps<Run | undefined | 'told'> {
  const result = yield* call(talk, 'automations_list', { limit: 100 })
  if (!result.ok) {
    yield* tellFailure(talk, result, 'automations_list')
    return 'told'
  }
  const { automations } = result.output as { automations: Automation[] }
  const used = automations.filter(({ status }) => status !== 'DRAFT')
  let latest: Run | undefined
  for (const { id } of (used.length > 0 ? used : automations).slice(0, 20)) {
    const output = (yield* tryCall(talk, 'automations_runs', { id, status: 'FAILED', limit: 1 })) as
      | { runs: Run[] }
      | undefined
    const [run] = output?.runs ?? []
    if (run && (!latest || run.startedAt > latest.startedAt)) latest = run
  }
  return latest
}

export async function* explainRun(talk: Talk, { id, automationId }: Pick<Run, 'id' | 'automationId'>): Steps {
  const result = yield* call(talk, 'automations_run', { id: automationId, runId: id })
  if (!result.ok) return yield* tellFailure(talk, result, 'automations_run')
  const run = result.output as Run
  const automation = (yield* tryCall(talk, 'automations_get', { id: automationId })) as Automation | undefined
  const name = talk.data(automation?.name ?? '')
  talk.show('run', run.id, automation?.name ?? '')
  if (automation) talk.show('automation', automation.id, automation.name)
  const when = talk.instant(run.startedAt)
  if (run.status !== 'FAILED')
    return yield* talk.say(
      talk.in(
        `The run of ${name} of ${when}: ${statusWord('en', run.status)}.`,
        `ההרצה של ${name} מ-${when}: ${statusWord('he', run.status)}.`,
      ),
    )
  yield* talk.say(talk.in(`The run of ${name} of ${when} failed.`, `ההרצה של ${name} מ-${when} נכשלה.`))
  const failed = run.steps.find(({ status }) => status === 'FAILED')
  if (failed) yield* failedStep(talk, failed, automation)
  else if (run.error)
    yield* talk.line(talk.in(`Reason: ${talk.data(run.error, 300)}`, `סיבה: ${talk.data(run.error, 300)}`))
  yield* talk.line(doneBefore(talk, run, automation))
  yield* talk.line(adviceFor(talk, failed?.error ?? run.error ?? ''))
  if (automation?.status === 'PAUSED_NO_ACCESS')
    yield* talk.line(
      talk.in(
        'The automation is paused because its owner lacks a right; enable it again after that is solved.',
        'האוטומציה הושהתה כי לבעליה חסרה הרשאה; הפעילו אותה שוב לאחר התיקון.',
      ),
    )
}

/** Steps that succeeded, apart from the trigger. */
function doneBefore(talk: Talk, { steps }: Run, automation: Automation | undefined): string {
  const triggers = automation?.blocks.filter(({ kind }) => kind === 'TRIGGER').map(({ id }) => id) ?? []
  const done = steps.filter(({ status, blockId }) => status === 'SUCCEEDED' && !triggers.includes(blockId ?? '')).length
  if (done === 0) return ''
  return talk.in(
    `${counted('en', done, nouns.step)} before it succeeded and will not be repeated.`,
    done === 1
      ? 'שלב אחד לפניו הצליח ולא יבוצע שוב.'
      : `${counted('he', done, nouns.step)} לפניו הצליחו ולא יבוצעו שוב.`,
  )
}

async function* failedStep(talk: Talk, { blockId, error, attempt }: Step, automation: Automation | undefined): Steps {
  const block = automation?.blocks.find(({ id }) => id === blockId)
  const what = [talk.data(blockId ?? ''), block?.ref ? `(${talk.data(block.ref)})` : ''].filter(Boolean).join(' ')
  const tries = attempt > 1 ? talk.in(` after ${attempt} attempts`, ` לאחר ${attempt} ניסיונות`) : ''
  yield* talk.line(talk.in(`Step: ${what}${tries}`, `שלב: ${what}${tries}`))
  if (error) yield* talk.line(talk.in(`Reason: ${talk.data(error, 300)}`, `סיבה: ${talk.data(error, 300)}`))
}

/** What to do, by what the reason is about. */
const advice: readonly [RegExp, en: string, he: string][] = [
  [
    /\brole\b|\bscope\b|\bright|allowed|forbidden|belong/i,
    'What to do: give the owner of the automation the role it needs, or let somebody with that role save it again; then replay the run.',
    'מה לעשות: תנו לבעל האוטומציה את התפקיד הדרוש, או שמי שיש לו תפקיד כזה ישמור אותה שוב; ואז הריצו שוב.',
  ],
  [
    /no such|not found|does not exist|404/i,
    'What to do: the record it works on no longer exists; correct the step of the automation, then replay the run.',
    'מה לעשות: הרשומה שהאוטומציה פועלת עליה אינה קיימת; תקנו את השלב ואז הריצו שוב.',
  ],
  [
    /too many|rate|limit|429/i,
    'What to do: wait a little and replay the run; it did too much at once.',
    'מה לעשות: המתינו מעט והריצו שוב; בוצעו יותר מדי פעולות בבת אחת.',
  ],
  [
    /time|timed out|unreachable|connect|5\d\d|refused|ECONN|ENOTFOUND/i,
    'What to do: the other service did not answer as it should; check its address and whether it works, then replay the run.',
    'מה לעשות: השירות החיצוני לא ענה כראוי; בדקו את הכתובת ואת זמינותו ואז הריצו שוב.',
  ],
  [
    /binding|missing|required|valid|expected|must|give /i,
    'What to do: an input of the step is missing or does not fit; correct it in the automation, then replay the run.',
    'מה לעשות: קלט של השלב חסר או אינו מתאים; תקנו אותו באוטומציה ואז הריצו שוב.',
  ],
]

function adviceFor(talk: Talk, reason: string): string {
  const [, en, he] = advice.find(([words]) => words.test(reason)) ?? [
    undefined,
    'What to do: correct the cause and replay the run; it continues with the step that failed.',
    'מה לעשות: תקנו את הסיבה והריצו שוב; ההרצה ממשיכה מהשלב שנכשל.',
  ]
  return talk.in(en, he)
}
