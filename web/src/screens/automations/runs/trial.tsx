import type { Output } from '../../../api.ts'
import { useWords, words } from '../../../words.ts'
import { useBlockName, useEditing } from '../editor/editing.ts'
import { WarningList } from '../editor/warnings.tsx'
import { blockOf } from '../graph/graph.ts'
import { Json } from '../panels/json.tsx'
import { Outcome, type OutcomeKind } from './outcome.tsx'
import { runWords } from './run-words.ts'

export type Tried = Output<'automations_try'>
type Step = Tried['blocks'][number]['steps'][number]

const said = words(
  {
    good: 'A run would get through. Nothing was changed.',
    bad: 'A run would fail.',
    outcomes: { DONE: 'Read', WOULD_CALL: 'Would be done', REFUSED: 'Would be refused', SKIPPED: 'Would be skipped', NOT_TRIED: 'Not tried' },
    notReached: 'Not reached',
    assumed: 'Output, an example',
  },
  {
    good: 'הרצה תעבור. דבר לא השתנה.',
    bad: 'הרצה תיכשל.',
    outcomes: { DONE: 'נקרא', WOULD_CALL: 'היה נעשה', REFUSED: 'היה מסורב', SKIPPED: 'היה מדולג', NOT_TRIED: 'לא נוסה' },
    notReached: 'לא הגיעו אליו',
    assumed: 'פלט לדוגמה',
  },
) // biome-ignore format: a list of words

const rings: Record<Step['outcome'], OutcomeKind> = {
  DONE: 'SUCCEEDED',
  WOULD_CALL: 'SUCCEEDED',
  REFUSED: 'FAILED',
  SKIPPED: 'SKIPPED',
  NOT_TRIED: 'PENDING',
}

/** What a run would do: each block with what it would be called with, and why it would be refused. */
export function TrialResult({ tried }: { tried: Tried }) {
  const say = useWords(said)
  const nameOf = useBlockName()
  const { graph } = useEditing()
  const blocks = tried.blocks.filter(({ kind }) => kind !== 'TRIGGER')
  return (
    <section className="grid gap-3">
      <p role="status" className={tried.succeeds ? 'text-accent font-medium' : 'text-danger font-medium'}>
        {tried.succeeds ? say.good : say.bad} {tried.problem && <bdi>{tried.problem}</bdi>}
      </p>
      {tried.warnings.length > 0 && <WarningList of={tried.warnings} />}
      <ol className="border border-rule rounded-lg divide-y divide-rule">
        {blocks.map(({ blockId, count, steps }) => (
          <li key={blockId} className="grid gap-2 px-3 py-2">
            <div className="flex items-center gap-3">
              <bdi className="flex-1 min-w-0 truncate font-medium">{nameOf(blockOf(graph, blockId)) || blockId}</bdi>
              {count === 0 && <span className="text-soft">{say.notReached}</span>}
            </div>
            {steps.map((step, at) => (
              <TriedStep key={at} step={step} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}

function TriedStep({ step }: { step: Step }) {
  const say = useWords(said)
  const run = useWords(runWords)
  return (
    <details className="rounded-md border border-rule">
      <summary className="flex flex-wrap items-center gap-x-3 px-3 py-2 min-h-9">
        <span>{step.element === null ? run.details : run.element(step.element + 1)}</span>
        <Outcome is={rings[step.outcome]} word={say.outcomes[step.outcome]} />
        {step.problems[0] && <bdi className="text-danger">{step.problems[0].message}</bdi>}
      </summary>
      <div className="grid gap-3 px-3 pb-3">
        {step.input !== null && <Json label={run.input} value={step.input} />}
        {step.output !== null && <Json label={step.assumed ? say.assumed : run.output} value={step.output} />}
      </div>
    </details>
  )
}
