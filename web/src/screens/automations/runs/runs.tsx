import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Output, read } from '../../../api.ts'
import type { Search } from '../../../search.ts'
import { useMay } from '../../../session.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/card.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Page } from '../../../ui/forms/page.tsx'
import { useRows } from '../../../ui/lists/rows.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { Problem } from '../../../ui/problem.tsx'
import { Name } from '../../../ui/values/name.tsx'
import { ViewTabs } from '../../../ui/views/view-tabs.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { Duration } from '../panels/duration.tsx'
import { Outcome } from './outcome.tsx'
import { ReplayFailed } from './replay-failed.tsx'
import { tookMs } from './run-outcomes.ts'
import { runWords } from './run-words.ts'

type Row = Output<'automations_runs'>['runs'][number]
const views = ['all', 'RUNNING', 'FAILED', 'SUCCEEDED', 'CANCELLED'] as const

/** Every run of an automation, the newest first, by outcome and period. */
export function Runs() {
  const say = useWords(runWords)
  const lang = useLanguage()
  const may = useMay()
  const { org = '', id = '' } = useParams({ strict: false })
  const { view = 'all', from, to } = useSearch({ strict: false }) as Search & { from?: string; to?: string }
  const navigate = useNavigate()
  const { data: automation } = useQuery(read('automations_get', { id }))
  const [replaying, setReplaying] = useState(false)
  const narrow = useNarrow(760)
  const status = views.find((each) => each === view && each !== 'all') as Row['status'] | undefined
  const period = { ...(from && { from }), ...(to && { to }) }
  const rows = useRows(
    'automations_runs',
    { id, ...(status && { status }), ...period },
    ({ runs }) => runs,
    ({ pagination }) => pagination.total,
  )
  const set = (change: Search) =>
    void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...change })) as never, replace: true })
  const by = ({ triggerEventId }: Row) => (triggerEventId ? say.event : say.test)
  const columns: Column<Row>[] = [
    { key: 'started', head: say.started, width: '9rem', cell: ({ startedAt }) => shownInstant(lang, startedAt) },
    { key: 'outcome', head: say.outcome, width: '9rem', cell: (run) => <Outcome is={run.status} /> },
    { key: 'by', head: say.by, leaves: 1, width: '7rem', cell: by },
    { key: 'took', head: say.took, leaves: 2, width: '7rem', cell: (run) => <Duration ms={tookMs(run)} />, end: true },
    { key: 'problem', head: say.problem, width: 'minmax(10rem, 1fr)', cell: ({ error }) => <Name quiet>{error}</Name> },
  ]
  return (
    <Page
      title={say.title(automation?.name ?? '…')}
      tools={
        <>
          <ButtonLink icon="edit" to="/o/$org/automations/$id" params={{ org, id }}>
            {say.edit}
          </ButtonLink>
          {may('automations_replay_failed') && (
            <Button icon="again" onPress={() => setReplaying(true)}>
              {say.replayFailed}
            </Button>
          )}
        </>
      }
    >
      <ViewTabs
        label={say.outcome}
        to="/o/$org/automations/$id/runs"
        params={{ org, id }}
        views={views.map((key) => ({
          key,
          label: say.views[key],
          search: { ...period, ...(key !== 'all' && { view: key }) },
          here: view === key,
        }))}
      />
      <div className="flex flex-wrap items-end gap-3 px-4 md:px-5 py-3 border-b border-rule">
        <Field label={say.from} className="w-40">
          <DayField value={from ?? ''} onDay={(day) => set({ from: day })} />
        </Field>
        <Field label={say.to} className="w-40">
          <DayField value={to ?? ''} onDay={(day) => set({ to: day })} />
        </Field>
        {(from || to) && (
          <Button look="quiet" onPress={() => set({ from: undefined, to: undefined })}>
            {say.clear}
          </Button>
        )}
      </div>
      {rows.failed && rows.total === undefined ? (
        <Problem error={rows.failed} onAgain={rows.again} />
      ) : (
        <Table
          label={say.runs}
          columns={columns}
          total={rows.total}
          rowAt={rows.rowAt}
          idOf={(run) => run.id}
          onOpen={({ id: run }) => void navigate({ to: '/o/$org/automations/$id/runs/$run', params: { org, id, run } })}
          sorting={{ by: '', order: 'desc' }}
          onSort={() => {}}
          narrow={narrow}
          brief={(run) => (
            <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
              <span>{shownInstant(lang, run.startedAt)}</span>
              <Outcome is={run.status} />
              <Name quiet className="text-sm">
                {run.error ?? by(run)}
              </Name>
            </div>
          )}
          empty={
            status || from || to ? (
              <Empty title={say.noneHere}>{say.noneHereHint}</Empty>
            ) : (
              <Empty title={say.none}>{say.noneHint}</Empty>
            )
          }
        />
      )}
      {replaying && <ReplayFailed id={id} {...period} onClose={() => setReplaying(false)} />}
    </Page>
  )
}
