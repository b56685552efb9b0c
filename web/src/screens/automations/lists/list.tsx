import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { call, type Output, read, useWrite } from '../../../api.ts'
import type { Search as Address } from '../../../search.ts'
import { useMay } from '../../../session.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/card.tsx'
import { Page, Search } from '../../../ui/forms/page.tsx'
import { Switch } from '../../../ui/forms/switch.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { readAgain } from '../../../ui/lists/read-again.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { deleteLater, useDeleted } from '../../../ui/overlays/later.ts'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Name } from '../../../ui/values/name.tsx'
import { ViewTabs } from '../../../ui/views/view-tabs.tsx'
import { locales, useLanguage, useWords } from '../../../words.ts'
import { eventName } from '../editor/names.ts'
import { useFailed, useSwitching } from '../editor/switching.ts'
import { Outcome } from '../runs/outcome.tsx'
import { State } from '../runs/state.tsx'
import { listWords } from './list-words.ts'

const EnabledWithWarnings = lazily(() => import('../editor/warnings.tsx'), 'EnabledWithWarnings')

type Listed = Output<'automations_list'>['automations'][number]
type Row = Listed & { owner: string; starts: string }

const inView = {
  all: () => true,
  on: ({ status }: Row) => status === 'ENABLED',
  off: ({ status }: Row) => status === 'DRAFT' || status === 'PAUSED',
  paused: ({ status }: Row) => status === 'PAUSED_NO_ACCESS',
}
type View = keyof typeof inView
const views = Object.keys(inView) as View[]

export function Automations() {
  const say = useWords(listWords)
  const may = useMay()
  const { org } = useParams({ from: '/o/$org' })
  const { q = '', view = 'all' } = useSearch({ strict: false }) as Address
  const navigate = useNavigate()
  const { rows, error, again } = useAutomations(org)
  const switching = useSwitching()
  const narrow = useNarrow(760)
  const open = ({ id }: Row) => void navigate({ to: '/o/$org/automations/$id', params: { org, id } })
  const found = rows?.filter(({ name, starts }) => `${name} ${starts}`.toLowerCase().includes(q.toLowerCase())) ?? []
  const shown = found.filter(inView[view as View] ?? inView.all)
  const switchOf = (row: Row) =>
    may('automations_enable') && (
      <Toggle row={row} onSwitch={(on) => void switching.turn(row, on)} label={say.turnOn(row.name)} />
    )
  const columns: Column<Row>[] = [
    { key: 'name', head: say.name, width: 'minmax(10rem, 1.4fr)', cell: ({ name }) => <Name strong>{name}</Name> },
    {
      key: 'state',
      head: say.state,
      width: 'minmax(9rem, 1.2fr)',
      cell: (row) => (
        <span className="flex items-center gap-3">
          {switchOf(row)}
          <State of={row} />
        </span>
      ),
    },
    {
      key: 'starts',
      head: say.starts,
      leaves: 3,
      width: 'minmax(9rem, 1.2fr)',
      cell: ({ starts }) => <Name quiet>{starts}</Name>,
    },
    { key: 'last', head: say.lastRun, leaves: 4, width: '11rem', cell: (row) => <LastRun row={row} /> },
    { key: 'success', head: say.success, leaves: 2, width: '7.5rem', cell: (row) => <Success row={row} />, end: true },
    {
      key: 'owner',
      head: say.owner,
      leaves: 1,
      width: 'minmax(6rem, 0.8fr)',
      cell: ({ owner }) => <Name quiet>{owner}</Name>,
    },
    { key: 'more', head: '', width: '3rem', cell: (row) => <More row={row} /> },
  ]
  return (
    <Page
      title={say.title}
      {...(may('automations_create') && { create: { label: say.create, to: '/o/$org/automations/new' } })}
      tools={
        <>
          <Search
            label={say.search}
            value={q}
            onText={(text) =>
              void navigate({
                to: '.',
                search: ((before: Address) => ({ ...before, q: text || undefined })) as never,
                replace: true,
              })
            }
          />
          <ButtonLink to="/o/$org/automations/deliveries" params={{ org }}>
            {say.deliveries}
          </ButtonLink>
        </>
      }
    >
      <ViewTabs
        label={say.state}
        to="/o/$org/automations"
        params={{ org }}
        views={views.map((key) => ({
          key,
          label: say.views[key],
          search: key === 'all' ? {} : { view: key },
          here: view === key,
          count: rows?.filter(inView[key]).length,
        }))}
      />
      {error && !rows ? (
        <Problem error={error} onAgain={again} />
      ) : (
        <Table
          label={say.title}
          columns={columns}
          total={rows && shown.length}
          rowAt={(index) => shown[index]}
          idOf={({ id }) => id}
          onOpen={open}
          sorting={{ by: '', order: 'asc' }}
          onSort={() => {}}
          narrow={narrow}
          brief={(row) => (
            <div className="flex items-center gap-3">
              <div className="flex-1 min-w-0">
                <Name strong>{row.name}</Name>
                <Name quiet className="text-sm">
                  {row.starts}
                </Name>
              </div>
              {switchOf(row) || <State of={row} />}
            </div>
          )}
          empty={<Nothing first={rows?.length === 0} org={org} />}
        />
      )}
      {switching.warned && (
        <EnabledWithWarnings
          warnings={switching.warned.warnings}
          onClose={switching.close}
          onOff={() => {
            const { warned } = switching
            switching.close()
            if (warned) void switching.turn(warned.of, false)
          }}
        />
      )}
    </Page>
  )
}

/** All of them, the paused ones first: an organization has few. */
function useAutomations(org: string) {
  const say = useWords(listWords)
  const lang = useLanguage()
  const deleted = useDeleted('automations')
  const { data: people } = useQuery(read('users_members', { id: org }))
  const { data, error, refetch } = useQuery({
    queryKey: ['automations_list', 'all', org],
    queryFn: async ({ signal }) => {
      const all: Listed[] = []
      for (let page = 1; ; page++) {
        const answer = await call(
          'automations_list',
          { organizationId: org, runSummary: true, page, limit: 100 },
          { signal },
        )
        all.push(...answer.automations)
        if (page >= answer.pagination.totalPages) return all
      }
    },
  })
  const startsOf = ({ blocks }: Listed) =>
    blocks.flatMap(({ kind, ref }) => (kind === 'TRIGGER' && ref ? [eventName(lang, ref)] : [])).join(', ')
  const rows = data
    ?.filter(({ id }) => !deleted.has(id))
    .map((each) => ({
      ...each,
      owner: people?.members.find(({ userId }) => userId === each.ownerUserId)?.name ?? (people ? say.former : ''),
      starts: startsOf(each) || say.startsNever,
    }))
    .sort((a, b) => Number(b.status === 'PAUSED_NO_ACCESS') - Number(a.status === 'PAUSED_NO_ACCESS'))
  return { rows, error, again: () => void refetch() }
}

function LastRun({ row: { lastRun } }: { row: Row }) {
  const say = useWords(listWords)
  const lang = useLanguage()
  if (!lastRun) return <span className="text-soft">{say.never}</span>
  return <Outcome is={lastRun.status} word={shownInstant(lang, lastRun.startedAt)} />
}

/** The share of the runs that succeeded; below nine of ten it is worth a look. */
function Success({ row: { success30Days } }: { row: Row }) {
  const share = success30Days?.share ?? null
  if (share === null) return <span className="text-soft">–</span>
  return (
    <span className={share < 0.9 ? 'text-warn' : ''}>
      <Share of={share} />
    </span>
  )
}
const Share = ({ of }: { of: number }) => {
  const lang = useLanguage()
  return <bdi className="tabular-nums">{new Intl.NumberFormat(locales[lang], { style: 'percent' }).format(of)}</bdi>
}

/** A click on the switch does not open the row. */
const Toggle = ({ row, label, onSwitch }: { row: Row; label: string; onSwitch: (on: boolean) => void }) => (
  <span onClick={(event) => event.stopPropagation()}>
    <Switch label={label} on={row.status === 'ENABLED'} onSwitch={onSwitch} />
  </span>
)

function More({ row }: { row: Row }) {
  const say = useWords(listWords)
  const may = useMay()
  const navigate = useNavigate()
  const failed = useFailed()
  const queries = useQueryClient()
  const create = useWrite('automations_create')
  const { org } = useParams({ from: '/o/$org' })
  const { id, name } = row
  const duplicate = async () => {
    const { description, blocks, edges } = row
    const copy = { organizationId: org, name: say.copyOf(name).slice(0, 200), description, blocks, edges }
    try {
      tell(say.duplicated((await create.mutateAsync(copy)).name))
    } catch (error) {
      failed(error)
    }
  }
  const remove = () =>
    deleteLater({
      kind: 'automations',
      ids: [id],
      title: say.removed(name),
      undo: say.undo,
      send: async (keepalive) => {
        await call('automations_delete', { id }, { keepalive }).catch(failed)
        await readAgain(queries, /^automations_list/)
      },
    })
  return (
    <span onClick={(event) => event.stopPropagation()}>
      <Menu
        trigger={<Button look="quiet" icon="more" label={say.more(name)} />}
        entries={[
          {
            label: say.open,
            icon: 'edit',
            on: () => void navigate({ to: '/o/$org/automations/$id', params: { org, id } }),
          },
          {
            label: say.runs,
            icon: 'history',
            on: () => void navigate({ to: '/o/$org/automations/$id/runs', params: { org, id } }),
          },
          ...(may('automations_create')
            ? [{ label: say.duplicate, icon: 'copy' as const, on: () => void duplicate() }]
            : []),
          ...(may('automations_delete')
            ? ['rule' as const, { label: say.remove, icon: 'trash' as const, danger: true, on: remove }]
            : []),
        ]}
      />
    </span>
  )
}

function Nothing({ first, org }: { first: boolean; org: string }) {
  const say = useWords(listWords)
  const may = useMay()
  if (!first) return <Empty title={say.noneHere}>{say.noneHereHint}</Empty>
  return (
    <Empty
      title={say.none}
      action={
        may('automations_create') && (
          <ButtonLink look="primary" icon="plus" to="/o/$org/automations/new" params={{ org }}>
            {say.create}
          </ButtonLink>
        )
      }
    >
      {say.noneHint}
    </Empty>
  )
}
