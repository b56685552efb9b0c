import { OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import type { Block, RunStatus } from '../automation.ts'
import { canonical } from '../engine/elements.ts'
import type { PlannedStep } from '../engine/plan.ts'
import type { RecordedStep } from '../engine/run-record.ts'

const sentences = {
  FAILED: 'It failed before.',
  CANCELLED: 'It had not ended when the run was cancelled.',
  UNFINISHED: 'It has begun and not ended yet.',
  SKIPPED_BEFORE: 'It was skipped before, and the current graph leads to it.',
  SUCCEEDED: 'It succeeded before. Only elements without a success would be carried out.',
  NEW_ELEMENT: 'The element has no success yet; the block was carried out for other elements.',
  OTHER_FORM:
    'The block was carried out before in another form, once or for each element: its effect would happen again.',
  NEW_BLOCK: 'The block is new in the graph, or was renamed.',
  NOT_REACHED: 'The run ended before it started.',
}
type Code = keyof typeof sentences

export const Why = Type.Object({
  code: OneOf(...(Object.keys(sentences) as Code[])),
  message: Type.String({ description: 'The code as a sentence.' }),
})
type Why = Static<typeof Why>

export type RecordOfRun = {
  status: RunStatus
  /** The blocks that the run was last carried out with; null if they are not known any more. */
  blocksBefore: readonly Block[] | null
  blocks: readonly Block[]
  steps: readonly RecordedStep[]
}

/** Why a replay would carry out a step. */
export function whyStep({ block, element, recorded }: PlannedStep, run: RecordOfRun): Why {
  const others = stepsOf(block, run)
  if (recorded) return whyAgain(recorded.status, run)
  if (others.some((step) => step.status === 'SUCCEEDED' && isPerElement(step) !== element >= 0))
    return why('OTHER_FORM')
  if (element >= 0 && others.some(isPerElement)) return why('NEW_ELEMENT')
  return others.length > 0 ? why('NOT_REACHED') : whyFirst(block, run)
}

/** Why a replay would carry out a block that waits for others. */
export function whyLater(block: Block, run: RecordOfRun): Why {
  const statuses = stepsOf(block, run).map(({ status }) => status)
  const found = (['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED', 'SKIPPED'] as const).find((each) =>
    statuses.includes(each),
  )
  return found ? whyAgain(found, run) : whyFirst(block, run)
}

const isPerElement = ({ element }: Pick<RecordedStep, 'element'>) => element >= 0

const stepsOf = ({ id }: Block, { steps }: RecordOfRun) => steps.filter(({ blockId }) => blockId === id)

function whyAgain(status: RecordedStep['status'], run: RecordOfRun): Why {
  if (status === 'SKIPPED') return why('SKIPPED_BEFORE')
  if (status === 'SUCCEEDED') return why('SUCCEEDED')
  if (run.status === 'CANCELLED') return why('CANCELLED')
  return why(status === 'FAILED' ? 'FAILED' : 'UNFINISHED')
}

/** A block that was renamed looks like a new one: what it did under its former id would be done again. */
function whyFirst(block: Block, { blocksBefore, blocks, steps }: RecordOfRun): Why {
  if (!blocksBefore || blocksBefore.some(({ id }) => id === block.id)) return why('NOT_REACHED')
  const removed = blocksBefore.filter(({ id }) => !blocks.some((each) => each.id === id))
  const twin = removed.find((each) => isAlike(each, block) && steps.some((step) => hasEffect(step, each)))
  if (!twin) return why('NEW_BLOCK')
  const warning = `It looks like ${twin.id}, which was removed after it was carried out: its effect would happen again.`
  return { code: 'NEW_BLOCK', message: `${sentences.NEW_BLOCK} ${warning}` }
}

const isAlike = (one: Block, other: Block) =>
  one.kind === other.kind && one.ref === other.ref && canonical(one.config) === canonical(other.config)

const hasEffect = ({ blockId, status }: RecordedStep, { id }: Block) => blockId === id && status === 'SUCCEEDED'

const why = (code: Code): Why => ({ code, message: sentences[code] })
