import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { read, useWrite } from '../../../api.ts'
import { useMay } from '../../../session.ts'
import { shownInstant } from '../../../shown.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { useWayBack } from '../../../ui/lists/left.ts'
import { useNarrow } from '../../../ui/narrow.ts'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { useTitle } from '../../../ui/title.ts'
import { useLanguage, useWords } from '../../../words.ts'
import type { RunData } from '../editor/editing.ts'
import { blockName } from '../editor/names.ts'
import { useFailed } from '../editor/switching.ts'
import { type Automation, blockOf, inOrder } from '../graph/graph.ts'
import { Duration } from '../panels/duration.tsx'
import { Json } from '../panels/json.tsx'
import { Outcome } from './outcome.tsx'
import { Replay } from './replay.tsx'
import { outcomeOf, stepsOf, tookMs } from './run-outcomes.ts'
import { runWords } from './run-words.ts'
import { SentOutside } from './sent-outside.tsx'
import { StepsOfBlock } from './steps.tsx'

const Flow = lazily(() => import('../graph/flow.tsx'), 'Flow')

/** One run: the graph coloured by outcome, every step with what it got and gave, what was sent outside. */
export function Run() {
  const { id = '', run: runId = '' } = useParams({ strict: false })
  const automation = useQuery(read('automations_get', { id }))
  const run = useLiveRun(id, runId)
  const error = automation.error ?? run.error
  if (error && (!automation.data || !run.data)) return <Problem error={error} onAgain={() => void run.refetch()} />
  if (!automation.data || !run.data)
    return (
      <div className="p-5 grid gap-4">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-64" />
      </div>
    )
  return <Inspector automation={automation.data} run={run.data} />
}

/** In case a change was missed. */
const everyMs = 15_000

/** A run as it goes: its steps come with the changes of the organization. */
const useLiveRun = (id: string, runId: string) =>
  useQuery({
    ...read('automations_run', { id, runId }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.status === 'RUNNING' ? everyMs : false),
  })

function Inspector({ automation, run }: { automation: Automation; run: RunData }) {
  const say = useWords(runWords)
  const lang = useLanguage()
  const nameOf = (blockId: string) => {
    const block = blockOf(automation, blockId)
    return block ? blockName(lang, block) || blockId : blockId
  }
  const narrow = useNarrow(640)
  const elements = (blockId: string) => stepsOf(run, blockId).filter(({ element }) => element !== null).length
  const show = (blockId: string) => document.getElementById(`step-${blockId}`)?.scrollIntoView({ block: 'start' })
  const trigger = (blockId: string) => blockOf(automation, blockId)?.kind === 'TRIGGER'
  return (
    <div className="flex-1 min-h-0 overflow-y-auto">
      <Head automation={automation} run={run} nameOf={nameOf} />
      {!narrow && (
        <div className="h-80 border-b border-rule">
          <Flow
            label={say.graph}
            graph={automation}
            nameOf={nameOf}
            onOpen={show}
            outcomeOf={(blockId) => ({
              outcome: outcomeOf(stepsOf(run, blockId)) ?? (trigger(blockId) ? 'SUCCEEDED' : undefined),
              ...(elements(blockId) > 0 && { below: say.elements(elements(blockId)) }),
            })}
            edgeData={() => ({ name: '', label: '', selected: false, warned: false })}
          />
        </div>
      )}
      <div className="p-4 md:p-5 grid gap-6 max-w-[60rem]">
        {run.error && (
          <Alert>
            <bdi>{run.error}</bdi>
          </Alert>
        )}
        <section className="grid gap-2">
          <h2 className="title-text">{say.steps}</h2>
          <ol className="border border-rule rounded-lg bg-card divide-y divide-rule">
            {inOrder(automation)
              .filter(({ kind }) => kind !== 'TRIGGER')
              .map((block) => (
                <StepsOfBlock key={block.id} block={block} name={nameOf(block.id)} steps={stepsOf(run, block.id)} />
              ))}
            {stepsOf(run, null).length > 0 && (
              <StepsOfBlock block={undefined} name={say.removedBlock} steps={stepsOf(run, null)} />
            )}
          </ol>
        </section>
        <SentOutside run={run} />
        <Json label={say.payload} value={run.input} />
      </div>
    </div>
  )
}

type HeadProps = { automation: Automation; run: RunData; nameOf: (blockId: string) => string }

function Head({ automation, run, nameOf }: HeadProps) {
  const say = useWords(runWords)
  const lang = useLanguage()
  const may = useMay()
  const [asking, setAsking] = useState<'cancel' | 'replay' | null>(null)
  const way = { org: automation.organizationId, id: automation.id }
  const back = useWayBack(`/o/${way.org}/automations/${way.id}/runs`)
  useTitle(automation.name)
  return (
    <header className="grid gap-2 px-4 md:px-5 py-4 border-b border-rule">
      <Link
        to="/o/$org/automations/$id/runs"
        params={way}
        {...back}
        className="justify-self-start flex items-center gap-1 text-soft hover:text-ink min-h-6"
      >
        <Icon name="back" />
        {say.back}
      </Link>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-serif text-xl font-semibold flex-1 min-w-48">
          <bdi>{automation.name}</bdi>
        </h1>
        <ButtonLink icon="edit" to="/o/$org/automations/$id" params={way}>
          {say.edit}
        </ButtonLink>
        {run.status === 'RUNNING' && may('automations_cancel') && (
          <Button look="danger" icon="stop" onPress={() => setAsking('cancel')}>
            {say.cancel}
          </Button>
        )}
        {run.status === 'FAILED' && may('automations_replay') && (
          <Button look="primary" icon="again" onPress={() => setAsking('replay')}>
            {say.replay}
          </Button>
        )}
      </div>
      <p role="status" className="flex flex-wrap gap-x-4 gap-y-1">
        <Outcome is={run.status} />
        <span className="text-soft">{shownInstant(lang, run.startedAt)}</span>
        {tookMs(run) !== undefined && <Duration ms={tookMs(run)} />}
        <span className="text-soft">{run.triggerEventId ? say.event : say.test}</span>
        {run.status === 'RUNNING' && <span className="text-info">{say.live}</span>}
      </p>
      {asking === 'cancel' && <Cancel run={run} onClose={() => setAsking(null)} />}
      {asking === 'replay' && (
        <Replay id={automation.id} runId={run.id} nameOf={nameOf} onClose={() => setAsking(null)} />
      )}
    </header>
  )
}

function Cancel({ run, onClose }: { run: RunData; onClose: () => void }) {
  const say = useWords(runWords)
  const failed = useFailed()
  const cancel = useWrite('automations_cancel')
  const act = async () => {
    try {
      const { warnings = [] } = await cancel.mutateAsync({ id: run.automationId, runId: run.id })
      tell(say.cancelled, warnings[0] ? { description: warnings[0].message } : {})
    } catch (error) {
      failed(error)
    }
    onClose()
  }
  return (
    <Ask
      title={say.cancelTitle}
      act={say.cancelAct}
      danger
      busy={cancel.isPending}
      onAct={() => void act()}
      onClose={onClose}
    >
      <p>{say.cancelAsk}</p>
    </Ask>
  )
}
