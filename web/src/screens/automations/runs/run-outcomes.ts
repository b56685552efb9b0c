import type { RunData } from '../editor/editing.ts'
import type { Block } from '../graph/graph.ts'
import type { OutcomeKind } from './outcome.tsx'

export type Step = RunData['steps'][number]

/** How a block went as a whole: what is worst or unfinished among its elements. */
export function outcomeOf(steps: readonly Step[]): OutcomeKind | undefined {
  const has = (status: Step['status']) => steps.some((step) => step.status === status)
  const found = (['FAILED', 'RUNNING', 'PENDING', 'SUCCEEDED', 'SKIPPED'] as const).find(has)
  return found
}

export const stepsOf = (run: Pick<RunData, 'steps'>, blockId: string | null) =>
  run.steps.filter((step) => step.blockId === blockId)

const screens: Record<string, string> = {
  invoices: 'documents',
  customers: 'customers',
  expenses: 'expenses',
  orders: 'orders',
  suppliers: 'suppliers',
}

/** Where the app shows what a step made: its feature's list with it open. Reading makes nothing. */
export function madeBy(block: Pick<Block, 'ref'> | undefined, step: Step): { to: string; open: string } | undefined {
  const [feature = '', ...verb] = block?.ref?.split(/[._]/) ?? []
  const screen = screens[feature]
  const { id } = (step.output ?? {}) as { id?: unknown }
  const isRead = /^(get|list|pdf|preview)/.test(verb.join('_'))
  return screen && !isRead && step.status === 'SUCCEEDED' && typeof id === 'string'
    ? { to: screen, open: id }
    : undefined
}

/** How long it took, in milliseconds. */
export const tookMs = ({ startedAt, finishedAt }: { startedAt: string | null; finishedAt: string | null }) =>
  startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : undefined
