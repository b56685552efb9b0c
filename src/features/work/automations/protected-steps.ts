import { appScopes, atLeast, type Feature, hasScope } from '../../../core/define/access.ts'
import type { Member, Operation } from '../../../core/define/operation.ts'
import type { Block, Edge } from './automation.ts'
import { bindsItem, bindsTrigger, boundBlocks } from './engine/bindings.ts'

type Reader = Pick<Member, 'role' | 'scopes'>

/**
 * Who may see the data of steps that not every reader of runs may see, by the mark that is recorded with the step (its
 * column `feature`): payroll data, and what only managers can read or do, such as invitations with their tokens. The data of
 * any other feature is for every role, and for credentials with the scope to read it.
 */
const readersOf: Record<string, (reader: Reader) => boolean> = {
  payroll: ({ role, scopes }) => atLeast(role, 'CONTRIBUTOR') && hasScope(scopes, 'payroll:read'),
  management: ({ role }) => atLeast(role, 'MANAGER'),
}

/** Who reads runs has `automations:read`. */
const features = new Set<string>(
  appScopes.map((scope) => scope.split(':')[0] ?? '').filter((each) => each !== 'automations'),
)
const isFeature = (mark: string): mark is Feature => features.has(mark)

const separator = '+'
/** The mark of data of which nobody knows whose it is. */
export const unknownMark = [...features].join(separator)
const marksIn = (mark: string | null) =>
  (mark ?? '').split(separator).filter((each) => each in readersOf || isFeature(each))

/** Whether data with this mark is that of payroll. */
export const holdsPayroll = (mark: string | null): boolean => marksIn(mark).includes('payroll')

/** Whether a reader may see the data of a step with this mark. */
export const mayReadStep = (mark: string | null, reader: Reader): boolean =>
  marksIn(mark).every((each) => readersOf[each]?.(reader) ?? mayReadFeature(each, reader))

/** The first right that a reader lacks to see data with this mark, in words; undefined if there is none. */
export function missingToRead(mark: string | null, reader: Reader): string | undefined {
  const missing = marksIn(mark).find((each) => !mayReadStep(each, reader))
  if (missing === undefined) return undefined
  if (isFeature(missing) && !mayReadFeature(missing, reader)) return `the scope ${missing}:read`
  return `the role ${missing === 'management' ? 'MANAGER' : 'CONTRIBUTOR'}`
}

const mayReadFeature = (mark: string, { scopes }: Reader) => !isFeature(mark) || hasScope(scopes, `${mark}:read`)

/** The features that a filter reads, as a mark. */
export const markOfFeatures = (read: Iterable<Feature>): string => [...read].join(separator)

/** The feature whose data the events of a type hold, by the first word of the type; a schedule holds none. */
export const featuresOfEvents: Readonly<Record<string, Feature | null>> = {
  ...{ invoice: 'invoices', receipt: 'invoices', payment: 'invoices', customer: 'customers' },
  ...{ expense: 'expenses', ingestion: 'expenses', order: 'orders', stock: 'logistics', payslip: 'payroll' },
  ...{ scan_batch: 'expenses', automation: 'automations', import: 'organizations', schedule: null },
}
export const markOfTrigger = (type: string | null): string | null =>
  featuresOfEvents[(type ?? '').split('.')[0] ?? ''] ?? null

type TriggeredRun = { triggerType: string | null; blocks: readonly Block[] }

/** A test fires the first trigger. */
const typeOfPayload = ({ triggerType, blocks }: TriggeredRun) =>
  triggerType ?? blocks.find(({ kind }) => kind === 'TRIGGER')?.ref ?? null

/** The mark of the payload of a run. */
export const markOfPayload = (run: TriggeredRun): string | null => markOfTrigger(typeOfPayload(run))

type Payload = Record<string, unknown>

/**
 * The payload as bindings and conditions see it. A graph without the right to read it sees only its ids, as a filter sees no
 * rows.
 */
export function visiblePayload({ trigger, ...run }: TriggeredRun & { trigger: Payload }, graph: Reader): Payload {
  if (mayReadStep(markOfPayload(run), graph)) return withoutError(typeOfPayload(run), trigger, graph)
  return Object.fromEntries(Object.entries(trigger).filter(([name]) => name === 'id' || name === 'organizationId'))
}

/** The error of a failed run may quote the data of any feature, so only who may read all of them sees it in the event. */
export const withoutError = (type: string | null, payload: Payload, reader: Reader): Payload =>
  type !== 'automation.failed' || mayReadStep(unknownMark, reader) ? payload : { ...payload, error: null }

/**
 * The mark of the data that an operation takes and returns: its feature, or that only managers may see it. What the companion
 * answers may be of any feature, and from what only managers can read.
 */
export function markOf({ feature, role }: Pick<Operation, 'feature' | 'role'>): string | null {
  if (feature === 'companion') return joinMarks(unknownMark, 'management')
  return atLeast(role, 'MANAGER') ? joinMarks(feature, 'management') : feature
}

/** The restrictions of both marks; without any, the first mark. */
export function joinMarks(mark: string | null, other: string | null): string | null {
  const both = new Set([...marksIn(mark), ...marksIn(other)])
  return both.size > 0 ? [...both].join(separator) : mark
}

type MarkedStep = { blockId: string; feature: string | null }

/** The mark of the data that a block is given by earlier steps and by the payload, if any of it is restricted. */
export function receivedMark(
  { id, config }: Block,
  edges: readonly Edge[],
  steps: Iterable<MarkedStep>,
  payload: string | null = null,
): string | null {
  const fromPayload = marksIn(payload).length > 0 && bindsTrigger(config) ? payload : null
  const marks = new Map<string, string | null>()
  for (const { blockId, feature } of steps)
    if (marksIn(feature).length > 0) marks.set(blockId, joinMarks(feature, marks.get(blockId) ?? null))
  if (marks.size === 0) return fromPayload
  const isMarked = (blockId: string) => marks.has(blockId)
  const given = [...boundBlocks(config, isMarked), ...(bindsItem(config) ? sourcesOfItem(id, edges) : [])]
  return given.map((blockId) => marks.get(blockId) ?? null).reduce(joinMarks, fromPayload)
}

/** The blocks that an element can come from: through FOR_EACH edges in a row it stays the same element. */
export function sourcesOfItem(id: string, edges: readonly Edge[]): string[] {
  const sources = new Set<string>()
  const add = (target: string, isFirst: boolean) => {
    for (const { fromBlockId, toBlockId, mode } of edges) {
      if (toBlockId !== target || sources.has(fromBlockId) || !(isFirst || mode === 'FOR_EACH')) continue
      sources.add(fromBlockId)
      add(fromBlockId, false)
    }
  }
  add(id, true)
  return [...sources]
}
