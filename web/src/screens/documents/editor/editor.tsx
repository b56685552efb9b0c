import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Output, read } from '../../../api.ts'
import { useKeys } from '../../../keys.ts'
import type { Search } from '../../../search.ts'
import { addDays } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { useWayBack } from '../../../ui/lists/left.ts'
import { Problem } from '../../../ui/problem.tsx'
import { useTitle } from '../../../ui/title.ts'
import { useWords } from '../../../words.ts'
import { Preview, usePreview } from '../document/page-preview.tsx'
import { useHere } from '../here.ts'
import { typedBefore, useAutosave } from './autosave.ts'
import { useDoubts, useDoubtWords } from './doubts.ts'
import { type Draft, emptyLine, isBlank, isEmptyDraft, sums, toDraft } from './draft.ts'
import { Terms } from './editor-fields.tsx'
import { Leaving, SavingState, useKept } from './editor-saving.tsx'
import { Sums } from './editor-sums.tsx'
import { editorWords } from './editor-words.ts'
import { Lines } from './lines.tsx'

const Conflict = lazily(() => import('./conflict.tsx'), 'Conflict')
const SendDialog = lazily(() => import('../acts/send.tsx'), 'SendDialog')

type Doc = Output<'invoices_get'>

/** Once it is saved, its id stands in the address, so that loading the page again goes on with it. */
export function NewDocument() {
  const { org } = useParams({ from: '/o/$org' })
  const { draft: id, customer } = useSearch({ strict: false }) as Search
  const [first] = useState(id)
  const here = useHere()
  const { data: accounts } = useQuery(read('bank_accounts_list', { organizationId: org }))
  const { data: given, isError: isUnknown } = useQuery({
    ...read('customers_get', { id: String(customer) }),
    enabled: customer !== undefined,
  })
  if (first !== undefined) return <Saved key={String(first)} id={String(first)} />
  if (!accounts || (customer !== undefined && !given && !isUnknown)) return <Waiting />
  const account = accounts.bankAccounts.find(({ isDefault }) => isDefault) ?? accounts.bankAccounts[0]
  return (
    <Editor
      initial={{
        customerId: given?.id ?? '',
        customerName: given?.displayName ?? '',
        documentType: 'INVOICE',
        issueDate: '',
        dueDate: addDays(here.today, 30),
        currency: given?.defaultCurrencies[0] ?? here.currency,
        bankAccountId: account?.id ?? null,
        taxRate: here.tax.rate ?? 0,
        notes: '',
        paymentMethod: 'BANK_TRANSFER',
        paymentDate: here.today,
        items: [emptyLine()],
      }}
    />
  )
}

export function EditDocument() {
  const { id } = useParams({ from: '/o/$org/documents/$id/edit' })
  return <Saved key={id} id={id} />
}

function Saved({ id }: { id: string }) {
  const say = useWords(editorWords)
  const { today } = useHere()
  const first = useRef<Doc>(undefined)
  const { data, error, refetch, isFetchedAfterMount } = useQuery({ ...read('invoices_get', { id }), staleTime: 0 })
  if (isFetchedAfterMount) first.current ??= data
  if (error && !first.current) return <Problem error={error} onAgain={() => void refetch()} />
  if (!first.current) return <Waiting />
  if (first.current.status !== 'DRAFT') return <p className="p-8 text-soft">{say.unchanged}</p>
  return <Editor known={first.current} initial={toDraft(first.current, today)} />
}

const Waiting = () => (
  <div className="p-8 grid gap-4 max-w-[44rem]">
    <Skeleton className="h-9" />
    <Skeleton className="h-9 w-2/3" />
    <Skeleton className="h-64" />
  </div>
)

/** A draft saves itself a moment after the last key; beside it stands what the customer will get, printed by the server. */
function Editor({ known, initial }: { known?: Doc; initial: Draft }) {
  const say = useWords(editorWords)
  const here = useHere()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => typedBefore(here.id, known?.id) ?? initial)
  const [sending, setSending] = useState(false)
  const saving = useAutosave({ org: here.id, initial, draft, ...(known && { known }) })
  const { at, state, trouble, save, takeBack, goOnFrom } = saving
  const preview = usePreview(here.id, draft)
  const said = trouble?.kind === 'refused' ? trouble.refused.details : []
  const inWords = useDoubtWords()
  const doubt = useDoubts(draft, [...saving.doubts, ...said.map(({ code = '', ...rest }) => ({ code, ...rest }))])
  const set = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }))
  const added = sums(draft)
  const isTyped = draft !== initial && (at !== undefined || !isEmptyDraft(draft, initial))
  const complete =
    draft.customerId !== '' &&
    (at !== undefined || isTyped) &&
    draft.items.every((line) => line.description.trim() !== '' || isBlank(line))
  async function issue() {
    if (complete && (await save())) setSending(true)
  }
  useKeys({ 'mod+enter': () => void issue(), 'mod+s': () => void save() })
  useEffect(() => {
    if (at && !known)
      void navigate({ to: '.', search: ((now: Search) => ({ ...now, draft: at.id })) as never, replace: true })
  }, [at?.id])
  useKept(here.id, at?.id, draft, saving)
  const title = draft.customerName ? say.draftFor(draft.customerName) : say.newTitle
  useTitle(title)
  const way = useWayBack(`/o/${here.id}/documents`)
  return (
    <div className="flex-1 min-h-0 flex flex-col">
      <header className="flex items-center gap-3 min-h-13 px-4 md:px-5 border-b border-rule shrink-0">
        <Link
          to="/o/$org/documents"
          params={{ org: here.id }}
          {...way}
          className="flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="back" />
          <span className="max-sm:sr-only">{say.back}</span>
        </Link>
        <h1 className="font-medium truncate">{title}</h1>
        <SavingState
          state={state}
          trouble={trouble}
          waits={draft.customerId === '' && isTyped}
          onAgain={() => void save()}
        />
        <Button look="primary" icon="send" keys="Control+Enter" isDisabled={!complete} onPress={() => void issue()}>
          {say.issue}
        </Button>
      </header>
      <div className="flex-1 min-h-0 grid lg:grid-cols-[minmax(36rem,1fr)_minmax(0,34rem)] overflow-y-auto lg:overflow-hidden">
        <div className="lg:overflow-y-auto p-4 md:p-6">
          <form className="mx-auto max-w-[46rem] grid gap-5" noValidate onSubmit={(event) => event.preventDefault()}>
            {doubt('') && (
              <p className="text-sm whitespace-pre-line rounded-md bg-warn-wash text-warn px-3 py-2">
                {doubt('')}{' '}
                {saving.doubts.some(({ code }) => code.startsWith('ISSUER_')) && (
                  <Link to="/o/$org/settings" params={{ org: here.id }} className="underline underline-offset-2">
                    {say.settings}
                  </Link>
                )}
              </p>
            )}
            <Terms draft={draft} set={set} doubt={doubt} />
            <Lines draft={draft} amounts={added.lines} doubt={doubt} onChange={(items) => set({ items })} />
            <div className="grid sm:grid-cols-[minmax(0,1fr)_17rem] gap-6 items-start">
              <Field label={say.notes} hint={doubt('notes') ?? say.notesHint}>
                <TextArea rows={3} value={draft.notes} onText={(notes) => set({ notes })} />
              </Field>
              <Sums
                draft={draft}
                sums={added}
                note={doubt('taxRate') ?? doubt('taxAmount') ?? doubt('total')}
                onRate={(taxRate) => set({ taxRate })}
              />
            </div>
          </form>
        </div>
        <Preview shown={preview.data} error={preview.error} waits={preview.isLoading} />
      </div>
      {sending && at && (
        <SendDraft
          id={at.id}
          problems={preview.data?.problems.map(inWords) ?? []}
          doubts={saving.doubts.map(inWords)}
          onClose={() => setSending(false)}
        />
      )}
      {trouble?.kind === 'conflict' && (
        <Conflict
          org={here.id}
          refused={trouble.refused}
          mine={draft}
          theirs={toDraft(trouble.theirs, here.today)}
          onMine={() => goOnFrom(trouble.theirs, toDraft(trouble.theirs, here.today))}
          onTheirs={() => {
            const theirs = toDraft(trouble.theirs, here.today)
            setDraft(theirs)
            goOnFrom(trouble.theirs, theirs)
          }}
          onBoth={(copy) => {
            goOnFrom(copy, draft)
            void navigate({
              to: '/o/$org/documents/$id/edit',
              params: { org: here.id, id: copy.id },
              ignoreBlocker: true,
            })
          }}
        />
      )}
      <Leaving
        isTyped={isTyped}
        isSaved={state === 'saved' || state === 'idle'}
        isKept={trouble?.kind === 'signedOut'}
        hasCustomer={draft.customerId !== ''}
        save={save}
        takeBack={takeBack}
      />
    </div>
  )
}

/** The summary before a draft becomes final, made of what was saved. */
function SendDraft({
  id,
  onClose,
  ...about
}: {
  id: string
  problems: string[]
  doubts: string[]
  onClose: () => void
}) {
  const { id: org } = useHere()
  const navigate = useNavigate()
  const { data } = useQuery(read('invoices_get', { id }))
  if (!data) return null
  const done = () => void navigate({ to: '/o/$org/documents/$id', params: { org, id }, ignoreBlocker: true })
  return <SendDialog doc={data} {...about} onClose={onClose} onDone={done} />
}
