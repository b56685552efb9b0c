import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { automationWords } from '../editor/words.ts'
import type { Automation } from '../graph/graph.ts'
import { Outcome, type OutcomeKind } from './outcome.tsx'

const rings: Record<Automation['status'], OutcomeKind> = {
  ENABLED: 'SUCCEEDED',
  DRAFT: 'PENDING',
  PAUSED: 'CANCELLED',
  PAUSED_NO_ACCESS: 'FAILED',
}

/** On, off or paused. A paused one says which right is missing, as its last run was told. */
export function State({ of: { id, status } }: { of: Pick<Automation, 'id' | 'status'> }) {
  const say = useWords(automationWords)
  const lang = useLanguage()
  const paused = status === 'PAUSED_NO_ACCESS'
  const { data } = useQuery({ ...read('automations_runs', { id, status: 'FAILED', limit: 1 }), enabled: paused })
  const why = paused && lang === 'en' ? data?.runs[0]?.error : null
  return (
    <span className="block truncate" title={why ?? undefined}>
      <Outcome is={rings[status]} word={say.states[status]} />
      {why && <bdi className="text-soft text-sm"> {why}</bdi>}
    </span>
  )
}
