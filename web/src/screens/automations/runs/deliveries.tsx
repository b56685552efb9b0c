import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Input } from '../../../api.ts'
import type { Search } from '../../../search.ts'
import { useMay } from '../../../session.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/card.tsx'
import { Page } from '../../../ui/forms/page.tsx'
import { useRows } from '../../../ui/lists/rows.ts'
import { type Column, Table } from '../../../ui/lists/table.tsx'
import { useNarrow } from '../../../ui/narrow.ts'
import { Panel } from '../../../ui/overlays/panel.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Facts } from '../../../ui/values/facts.tsx'
import { Name } from '../../../ui/values/name.tsx'
import { ViewTabs } from '../../../ui/views/view-tabs.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { Duration } from '../panels/duration.tsx'
import { Json } from '../panels/json.tsx'
import { SecretsDialog } from '../panels/secrets.tsx'
import { deliveryWords } from './delivery-words.ts'
import { Outcome } from './outcome.tsx'
import { type Delivery, rings } from './sent-outside.tsx'

const filters: Record<'all' | 'failed' | 'WEBHOOK' | 'EMAIL', Partial<Input<'automations_deliveries'>>> = {
  all: {},
  failed: { outcome: 'FAILED' },
  WEBHOOK: { kind: 'WEBHOOK' },
  EMAIL: { kind: 'EMAIL' },
}
type View = keyof typeof filters
const views = Object.keys(filters) as View[]

/** Every attempt to send something outside, with what came back. */
export function Deliveries() {
  const say = useWords(deliveryWords)
  const lang = useLanguage()
  const may = useMay()
  const { org = '' } = useParams({ strict: false })
  const { view = 'all', open, automation } = useSearch({ strict: false }) as Search & { automation?: string }
  const navigate = useNavigate()
  const [showing, setShowing] = useState(false)
  const of = automation && { automationId: automation }
  const input = { organizationId: org, ...filters[view as View], ...of }
  const rows = useRows(
    'automations_deliveries',
    input,
    ({ deliveries }) => deliveries,
    ({ pagination }) => pagination.total,
  )
  const set = (change: Search) =>
    void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...change })) as never, replace: true })
  const found = Array.from({ length: Math.min(rows.total ?? 0, 100) }, (_, at) => rows.rowAt(at))
  const opened = found.find((each) => each?.id === open)
  const narrow = useNarrow(760)
  const columns: Column<Delivery>[] = [
    { key: 'at', head: say.at, width: '9rem', cell: ({ createdAt }) => shownInstant(lang, createdAt) },
    { key: 'kind', head: say.kind, leaves: 2, width: '6rem', cell: ({ kind }) => say.kinds[kind] },
    { key: 'target', head: say.target, width: 'minmax(10rem, 1fr)', cell: ({ target }) => <Name>{target}</Name> },
    { key: 'attempt', head: say.attempt, leaves: 1, width: '5rem', cell: ({ attempt }) => attempt, end: true },
    { key: 'status', head: say.status, leaves: 3, width: '5rem', cell: ({ status }) => status ?? '–', end: true },
    {
      key: 'outcome',
      head: say.outcome,
      width: '12rem',
      cell: (row) => <Outcome is={rings[row.outcome]} word={say.outcomes[row.outcome]} />,
    },
  ]
  return (
    <div className="flex-1 min-h-0 flex">
      <Page
        title={say.title}
        tools={
          <>
            <ButtonLink to="/o/$org/automations" params={{ org }}>
              {say.back}
            </ButtonLink>
            {may('automations_secrets_list') && <Button onPress={() => setShowing(true)}>{say.secrets}</Button>}
            {may('settings_webhook_secret') && (
              <ButtonLink icon="passkey" to="/o/$org/settings/webhooks" params={{ org }}>
                {say.secret}
              </ButtonLink>
            )}
          </>
        }
      >
        <ViewTabs
          label={say.outcome}
          to="/o/$org/automations/deliveries"
          params={{ org }}
          views={[
            ...views.map((key) => ({
              key,
              label: say.views[key],
              search: { ...(key !== 'all' && { view: key }), ...(automation && { automation }) },
              here: view === key,
            })),
            ...(automation ? [{ key: 'any', label: say.all, search: {}, here: false }] : []),
          ]}
        />
        {rows.failed && rows.total === undefined ? (
          <Problem error={rows.failed} onAgain={rows.again} />
        ) : (
          <Table
            label={say.title}
            columns={columns}
            total={rows.total}
            rowAt={rows.rowAt}
            idOf={({ id }) => id}
            onOpen={({ id }) => set({ open: id })}
            openId={open}
            sorting={{ by: '', order: 'desc' }}
            onSort={() => {}}
            narrow={narrow}
            brief={(row) => (
              <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
                <Name strong>{row.target}</Name>
                <Outcome is={rings[row.outcome]} word={say.outcomes[row.outcome]} />
                <span className="text-sm text-soft">{shownInstant(lang, row.createdAt)}</span>
              </div>
            )}
            empty={<Empty title={say.none}>{say.noneHint}</Empty>}
          />
        )}
      </Page>
      {opened && <DeliveryPanel delivery={opened} org={org} onClose={() => set({ open: undefined })} />}
      {showing && <SecretsDialog organizationId={org} onClose={() => setShowing(false)} />}
    </div>
  )
}

function DeliveryPanel({ delivery, org, onClose }: { delivery: Delivery; org: string; onClose: () => void }) {
  const say = useWords(deliveryWords)
  const lang = useLanguage()
  const { automationId, runId, kind, target, outcome, attempt, status, reason, answer, latencyMs, webhookId } = delivery
  return (
    <Panel label={target} title={<bdi dir="ltr">{target}</bdi>} onClose={onClose}>
      <Facts
        of={[
          [say.outcome, <Outcome key="o" is={rings[outcome]} word={say.outcomes[outcome]} />],
          [say.at, shownInstant(lang, delivery.createdAt)],
          [say.kind, say.kinds[kind]],
          [say.attempt, attempt],
          [say.status, status],
          [say.took, <Duration key="d" ms={latencyMs} />],
          [say.reason, reason && <bdi>{reason}</bdi>],
          [
            say.webhookId,
            <code key="w" dir="ltr" className="font-mono text-xs">
              {webhookId}
            </code>,
          ],
        ]}
      />
      {answer && <Json label={say.answer} value={answer} />}
      <Link
        to="/o/$org/automations/$id/runs/$run"
        params={{ org, id: automationId, run: runId }}
        className="text-accent underline underline-offset-4"
      >
        {say.openRun}
      </Link>
    </Panel>
  )
}
