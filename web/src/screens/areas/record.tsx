import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hrefOf, type Name, read, useWrite } from '../../api.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { Panel } from '../../ui/overlays/panel.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { Problem } from '../../ui/problem.tsx'
import { AllValues } from '../../ui/values/all-values.tsx'
import { type Row, Value, valueAt } from '../../ui/values/values.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { ActDialog, Answer, knownOf } from './acts/act.tsx'
import { actName } from './acts/act-words.ts'
import { consequenceOf } from './acts/consequences.ts'
import type { Area } from './area.ts'
import { titleOf, valueIn } from './columns.tsx'
import { OutboxLetter } from './outbox-letter.tsx'
import { filesOf, Receipt } from './receipts/receipt.tsx'
import { areaWords } from './words.ts'

/** Everything that a record holds, and what can be done with it. */
export function Record({
  area,
  id,
  row,
  onClose,
}: {
  area: Area
  id: string
  row: Row | undefined
  onClose: () => void
}) {
  const say = useWords(areaWords)
  const { currency } = useOrganization()
  const lang = useLanguage()
  const asked = {
    ...read(area.get ?? area.list, { id } as never),
    enabled: area.get !== undefined,
    refetchInterval: ({ state }: { state: { data?: unknown } }) =>
      (state.data as Row | undefined)?.status === 'RUNNING' && 2_000,
  }
  const { data, error, refetch } = useQuery(asked)
  const record = (area.get ? (data as Row | undefined) : row) ?? row
  const title = (record && titleOf(area, record, lang)) || area.title[lang]
  return (
    <Panel
      label={title}
      title={<bdi className="font-medium">{title}</bdi>}
      onClose={onClose}
      tools={
        record && (
          <>
            {area.download && (
              <a
                className="inline-flex items-center gap-1.5 h-8 pointer-coarse:h-11 px-2.5 rounded-md text-soft hover:bg-tint hover:text-ink font-medium"
                href={hrefOf(area.download, { id } as never)}
              >
                <Icon name="pdf" />
                {say.pdf}
              </a>
            )}
            <RecordActs area={area} id={id} record={record} title={title} onClose={onClose} />
          </>
        )
      }
    >
      {error && !record && <Problem error={error} onAgain={() => void refetch()} />}
      {!record && !error && <Skeleton className="h-64" />}
      {record &&
        (area.shownAs === 'LETTER' ? (
          <OutboxLetter of={record} />
        ) : (
          <Facts area={area} of={record} currency={currency} />
        ))}
      {record && area.parts?.map((name) => <Part key={name + id} name={name} id={id} />)}
    </Panel>
  )
}

/** What more is known of the record, read once somebody opens it. */
function Part({ name, id }: { name: Name; id: string }) {
  const lang = useLanguage()
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (!may(name)) return null
  return (
    <details
      className="border-t border-rule pt-3 min-w-0"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="font-medium cursor-pointer pointer-coarse:py-2">{actName(lang, name)}</summary>
      <div className="pt-2">{open && <Answer name={name} input={{ id }} />}</div>
    </details>
  )
}

/** The state and the sum first, as in the documents; then everything else. */
function Facts({ area, of, currency }: { area: Area; of: Row; currency: string }) {
  const lang = useLanguage()
  const state = area.columns.find(({ shown }) => shown === 'state')
  const sum = area.columns.findLast(({ shown }) => shown === 'money')
  const own = of[sum?.currency ?? 'currency']
  const title = area.columns.find(({ strong }) => strong)
  const said = [state, sum, title].flatMap((column) => (column ? [column.field, column.he ?? ''] : []))
  return (
    <>
      {(state || sum) && (
        <div className="grid gap-1">
          {state && <Value value={valueIn(of, state, lang)} shown="state" currency={currency} />}
          {sum && (
            <span className="figure-text text-xl">
              <Value value={valueAt(of, sum.field)} shown="money" currency={typeof own === 'string' ? own : currency} />
            </span>
          )}
        </div>
      )}
      {area.hasReceipts && filesOf(of).length > 0 && <Receipt files={filesOf(of)} />}
      <AllValues
        of={of}
        currency={currency}
        leaveOut={[...said, 'displayName', ...(area.hasReceipts ? ['attachments'] : []), ...(area.leaveOut ?? [])]}
      />
    </>
  )
}

type ActsProps = { area: Area; id: string; record: Row; title: string; onClose: () => void }

function RecordActs({ area, id, record, title, onClose }: ActsProps) {
  const say = useWords(areaWords)
  const lang = useLanguage()
  const may = useMay()
  const { id: org, role } = useOrganization()
  const navigate = useNavigate()
  const [act, setAct] = useState<Name>()
  const [removing, setRemoving] = useState(false)
  const touches = [area.list.split('_')[0] ?? '', 'dashboard']
  const isOffered = (name: Name | undefined): name is Name =>
    name !== undefined && may(name) && (area.fits?.[name]?.(record, role) ?? true)
  const acts = (area.acts ?? []).filter(isOffered)
  const update = isOffered(area.update) ? area.update : undefined
  const remove = isOffered(area.remove) ? area.remove : undefined
  const known = (name: Name) => knownOf(area.knows, name, { id, record, org })
  const isReviewed = area.hasReceipts && filesOf(record).length > 0
  return (
    <>
      {update && isReviewed && (
        <Button look="quiet" icon="eye" label={say.review} onPress={() => setAct(update)}>
          {say.check}
        </Button>
      )}
      {update && !isReviewed && <Button look="quiet" icon="edit" label={say.edit} onPress={() => setAct(update)} />}
      {(acts.length > 0 || remove) && (
        <Menu
          trigger={<Button look="quiet" icon="more" label={say.more} />}
          entries={[
            ...acts.map((name) => ({
              label: actName(lang, name),
              danger: consequenceOf(lang, name) !== undefined,
              on: () => setAct(name),
            })),
            ...(remove
              ? [{ label: say.remove, icon: 'trash' as const, danger: true, on: () => setRemoving(true) }]
              : []),
          ]}
        />
      )}
      {act && (
        <ActDialog
          area={area}
          title={title}
          name={act}
          known={known(act)}
          record={record}
          {...(act === update && { initial: record })}
          {...(area.starts?.[act] && { begin: area.starts[act](record) })}
          touches={touches}
          onDone={(answer) => {
            setAct(undefined)
            const to = area.leads?.[act]?.(answer as Row)
            if (to) void navigate({ to: `/o/${org}/${to}` as never })
          }}
          onClose={() => setAct(undefined)}
        />
      )}
      {removing && remove && (
        <Removal
          name={remove}
          known={known(remove)}
          title={title}
          touches={touches}
          onDone={onClose}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

type RemovalProps = {
  name: Name
  known: Row
  title: string
  touches: string[]
  onDone: () => void
  onClose: () => void
}

function Removal({ name, known, title, touches, onDone, onClose }: RemovalProps) {
  const say = useWords(areaWords)
  const write = useWrite(name, touches)
  const act = async () => {
    await write.mutateAsync(known as never)
    tell(say.removed)
    onDone()
  }
  return (
    <Ask
      title={say.removeTitle(title)}
      act={say.remove}
      danger
      busy={write.isPending}
      problem={write.error?.message ?? ''}
      onAct={() => void act().catch(() => {})}
      onClose={onClose}
    >
      {say.removeHint}
    </Ask>
  )
}
