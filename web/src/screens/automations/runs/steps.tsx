import { Link, useParams } from '@tanstack/react-router'
import { shownInstant } from '../../../shown.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { blockIcon } from '../editor/names.ts'
import { WarningList } from '../editor/warnings.tsx'
import { automationWords } from '../editor/words.ts'
import type { Block } from '../graph/graph.ts'
import { Duration } from '../panels/duration.tsx'
import { Json } from '../panels/json.tsx'
import { Outcome } from './outcome.tsx'
import { madeBy, outcomeOf, type Step } from './run-outcomes.ts'
import { runWords } from './run-words.ts'

type StepsProps = { block: Block | undefined; name: string; steps: readonly Step[] }

/** What a block did: once, or for each element of a list. */
export function StepsOfBlock({ block, name, steps }: StepsProps) {
  const say = useWords(runWords)
  const kinds = useWords(automationWords).kinds
  const outcome = outcomeOf(steps)
  const elements = steps.filter(({ element }) => element !== null)
  return (
    <li id={block && `step-${block.id}`} className="px-3 py-3 grid gap-2 scroll-mt-2">
      <div className="flex items-center gap-3">
        {block && <Icon name={blockIcon(block)} className="text-accent" />}
        <div className="flex-1 min-w-0">
          <span className="block text-xs text-soft">{block && kinds[block.kind]}</span>
          <bdi className="block font-medium truncate on-line-start">{name}</bdi>
        </div>
        {elements.length > 0 && <span className="text-soft text-sm">{say.elements(elements.length)}</span>}
        {outcome ? <Outcome is={outcome} /> : <span className="text-soft">{say.notReached}</span>}
      </div>
      {steps.map((step) => (
        <StepDetails key={step.id} step={step} block={block} single={steps.length === 1} />
      ))}
    </li>
  )
}

function StepDetails({ step, block, single }: { step: Step; block: Block | undefined; single: boolean }) {
  const say = useWords(runWords)
  const lang = useLanguage()
  const failed = step.status === 'FAILED'
  return (
    <details open={failed || undefined} className="group rounded-md border border-rule">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 min-h-9">
        <span className="font-medium">{step.element === null ? say.details : say.element(step.element + 1)}</span>
        {!single && <Outcome is={step.status} />}
        <Duration ms={step.latencyMs} />
        {step.attempt > 1 && <span className="text-warn">{say.attempt(step.attempt)}</span>}
        {step.waitsUntil && <span className="text-info">{say.waits(shownInstant(lang, step.waitsUntil))}</span>}
        <span className="flex-1" />
        <Made step={step} block={block} />
        <Icon name="down" className="text-soft group-open:rotate-180" />
      </summary>
      <div className="grid gap-3 px-3 pb-3">
        {step.error && (
          <p className={failed ? 'text-danger' : 'text-soft'}>
            <bdi>{step.error}</bdi>
          </p>
        )}
        {step.warnings && step.warnings.length > 0 && <WarningList of={step.warnings} />}
        {step.input !== null && <Json label={say.input} value={step.input} />}
        {step.output !== null && <Json label={say.output} value={step.output} />}
      </div>
    </details>
  )
}

/** A link to what the step made. */
function Made({ step, block }: { step: Step; block: Block | undefined }) {
  const say = useWords(runWords)
  const { org = '' } = useParams({ strict: false })
  const made = madeBy(block, step)
  if (!made) return null
  return (
    <Link
      to={`/o/$org/${made.to}` as '/o/$org/documents'}
      params={{ org }}
      search={{ open: made.open }}
      className="inline-flex items-center gap-1 text-accent underline underline-offset-4"
    >
      {say.made}
      <Icon name="external" size={14} />
    </Link>
  )
}
