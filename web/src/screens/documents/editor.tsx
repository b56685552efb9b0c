import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { call, type Output, Refused, read, session, useWrite } from '../../api.ts'
import { useKeys } from '../../keys.ts'
import { lineMinor, percentMinor, toMajor } from '../../money.ts'
import { addDays, Money, today } from '../../shown.tsx'
import { Button, Kbd } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Combo } from '../../ui/combo.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { box, Field, TextArea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { say as toast } from '../../ui/toast.tsx'
import { useWords, words } from '../../words.ts'
import { typeWords } from './words.ts'

const said = words(
  {
    back: 'Documents',
    customer: 'Customer',
    pickCustomer: 'Name, e-mail or number',
    type: 'Type',
    currency: 'Currency',
    issue: 'Issue date',
    due: 'Due',
    days: (n: number) => `${n} days`,
    item: 'Description',
    qty: 'Qty',
    price: 'Price',
    tax: 'Tax',
    amount: 'Amount',
    add: 'Add a line',
    remove: 'Remove',
    notes: 'Notes',
    subtotal: 'Subtotal',
    total: 'Total',
    saved: 'Saved',
    saving: 'Saving…',
    unsaved: 'Not saved',
    send: 'Issue and send',
    issueOnly: 'Issue',
    into: 'Paid into',
    nowhere: 'No account',
    preview: 'As the customer gets it',
    newTitle: 'New invoice',
    none: 'No customer of that name',
    sentOk: 'Issued and sent',
    move: 'Alt ↑↓ moves a line',
  },
  {
    back: 'מסמכים',
    customer: 'לקוח',
    pickCustomer: 'שם, דוא״ל או מספר',
    type: 'סוג',
    currency: 'מטבע',
    issue: 'תאריך הפקה',
    due: 'לתשלום עד',
    days: (n) => `${n} ימים`,
    item: 'תיאור',
    qty: 'כמות',
    price: 'מחיר',
    tax: 'מע״מ',
    amount: 'סכום',
    add: 'הוספת שורה',
    remove: 'הסרה',
    notes: 'הערות',
    subtotal: 'סכום ביניים',
    total: 'סה״כ',
    saved: 'נשמר',
    saving: 'נשמר…',
    unsaved: 'לא נשמר',
    send: 'הפקה ושליחה',
    issueOnly: 'הפקה',
    into: 'לחשבון',
    nowhere: 'ללא חשבון',
    preview: 'כפי שהלקוח מקבל',
    newTitle: 'חשבונית חדשה',
    none: 'אין לקוח בשם הזה',
    sentOk: 'הופק ונשלח',
    move: 'Alt ↑↓ מזיז שורה',
  },
)
type Line = { id: string; description: string; quantity: number; unitPrice: number }
type Draft = {
  bankAccountId: string | null
  customerId: string
  customerName: string
  documentType: 'INVOICE' | 'INVOICE_RECEIPT' | 'PAYMENT_REQUEST'
  currency: string
  dueDate: string
  taxRate: number
  notes: string
  items: Line[]
}
const rates: Record<string, number> = { IL: 18, SG: 9, US: 0 }

/** Everything that follows from what was typed. */
function sums({ items, currency, taxRate }: Draft) {
  const lines = items.map(({ quantity, unitPrice }) => lineMinor(quantity, unitPrice, currency))
  const subtotal = lines.reduce((sum, line) => sum + line, 0n)
  const tax = percentMinor(subtotal, taxRate)
  return {
    lines: lines.map((line) => toMajor(line, currency)),
    subtotal: toMajor(subtotal, currency),
    taxAmount: toMajor(tax, currency),
    total: toMajor(subtotal + tax, currency),
  }
}
const asWritten = (draft: Draft) => {
  const { lines, subtotal, taxAmount, total } = sums(draft)
  const { customerName: _, items, ...rest } = draft
  return {
    ...rest,
    taxRate: draft.taxRate,
    notes: draft.notes || null,
    subtotal,
    taxAmount,
    total,
    items: items
      .filter(({ description }) => description !== '')
      .map((line, at) => ({ ...line, amount: lines[at] ?? 0 })),
  }
}

export function NewDocument() {
  const { org } = useParams({ from: '/o/$org' })
  const { data } = useQuery(session)
  const { data: accounts } = useQuery(read('bank_accounts_list', { organizationId: org }))
  const here = data?.organizations.find(({ id }) => id === org)
  if (!here || !accounts) return <Skeleton className="m-8 h-96" />
  return (
    <Editor
      org={org}
      initial={{
        bankAccountId: accounts.bankAccounts[0]?.id ?? null,
        customerId: '',
        customerName: '',
        documentType: 'INVOICE',
        currency: here.currency,
        dueDate: addDays(today(), 30),
        taxRate: rates[here.country] ?? 0,
        notes: '',
        items: [emptyLine()],
      }}
    />
  )
}
export function EditDocument() {
  const { org, id } = useParams({ from: '/o/$org/documents/$id/edit' })
  const { data } = useQuery(read('invoices_get', { id }))
  if (!data) return <Skeleton className="m-8 h-96" />
  return <Editor org={org} id={id} initial={toDraft(data)} />
}
const toDraft = (doc: Output<'invoices_get'>): Draft => ({
  bankAccountId: doc.bankAccountId,
  customerId: doc.customerId,
  customerName: doc.customer?.name ?? '',
  documentType: doc.documentType as 'INVOICE',
  currency: doc.currency,
  dueDate: doc.dueDate ?? '',
  taxRate: doc.taxRate ?? 0,
  notes: doc.notes ?? '',
  items: doc.items.map(({ id, description, quantity, unitPrice }) => ({ id, description, quantity, unitPrice })),
})
const emptyLine = (): Line => ({ id: crypto.randomUUID(), description: '', quantity: 1, unitPrice: 0 })

/** A draft saves itself a moment after the last key; beside it stands what the customer will get, printed by the server. */
function Editor({ org, id: known, initial }: { org: string; id?: string; initial: Draft }) {
  const say = useWords(said)
  const types = useWords(typeWords)
  const navigate = useNavigate()
  const [draft, setDraft] = useState(initial)
  const { id, state, version, error } = useAutosave(org, known, draft, draft !== initial)
  const send = useWrite('invoices_send', ['invoices', 'dashboard'])
  const set = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }))
  const { lines, subtotal, taxAmount, total } = sums(draft)
  async function issue() {
    if (!id) return
    try {
      await send.mutateAsync({ id })
      toast(say.sentOk)
      void navigate({ to: '/o/$org/documents', params: { org }, search: { open: id } })
    } catch (failure) {
      toast(failure instanceof Refused ? failure.message : String(failure), { bad: true })
    }
  }
  useKeys({ 'mod+enter': () => void issue() })
  return (
    <div className="flex-1 min-h-0 flex flex-col">
      <header className="flex items-center gap-3 h-13 px-4 md:px-5 border-b border-rule shrink-0">
        <Link to="/o/$org/documents" params={{ org }} className="flex items-center gap-1 text-soft hover:text-ink">
          <Icon name="back" />
          {say.back}
        </Link>
        <h1 className="font-medium truncate">{draft.customerName || say.newTitle}</h1>
        <span role="status" className={`text-sm flex-1 ${state === 'unsaved' && error ? 'text-danger' : 'text-soft'}`}>
          {error && state === 'unsaved' ? error : state === 'idle' ? '' : say[state]}
        </span>
        <Button
          look="primary"
          icon="send"
          isDisabled={!id || state !== 'saved'}
          busy={send.isPending}
          onPress={() => void issue()}
        >
          {say.send}
        </Button>
      </header>
      <div className="flex-1 min-h-0 grid lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)] overflow-y-auto lg:overflow-hidden">
        <div className="lg:overflow-y-auto p-4 md:p-6 md:pe-9">
          <div className="mx-auto max-w-[44rem] grid gap-5">
            <div className="grid sm:grid-cols-[minmax(0,1fr)_11rem] gap-4">
              <Field label={say.customer}>
                <Customers
                  org={org}
                  draft={draft}
                  onPick={(customerId, customerName) => set({ customerId, customerName })}
                />
              </Field>
              <Field label={say.type}>
                <Select
                  value={draft.documentType}
                  onChange={(documentType) => set({ documentType })}
                  options={(['INVOICE', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST'] as const).map((value) => ({
                    value,
                    label: types[value],
                  }))}
                />
              </Field>
            </div>
            <div className="grid grid-cols-2 sm:grid-cols-[8.5rem_minmax(0,1fr)] gap-4 items-end">
              <Field label={say.due}>
                <DayField value={draft.dueDate} onDay={(dueDate) => set({ dueDate })} />
              </Field>
              <div className="flex gap-1 max-sm:order-3 max-sm:col-span-2">
                {[14, 30, 60].map((days) => (
                  <Button
                    key={days}
                    look={draft.dueDate === addDays(today(), days) ? 'plain' : 'quiet'}
                    label={say.days(days)}
                    onPress={() => set({ dueDate: addDays(today(), days) })}
                  >
                    +{days}
                  </Button>
                ))}
              </div>
              <Field label={say.currency}>
                <Select
                  value={draft.currency}
                  onChange={(currency) => set({ currency })}
                  options={['ILS', 'SGD', 'USD', 'EUR', 'GBP'].map((value) => ({ value, label: value }))}
                />
              </Field>
              <Into org={org} value={draft.bankAccountId} onPick={(bankAccountId) => set({ bankAccountId })} />
            </div>
            <Lines draft={draft} amounts={lines} onChange={(items) => set({ items })} />
            <div className="grid sm:grid-cols-[minmax(0,1fr)_17rem] gap-6 items-start">
              <Field label={say.notes}>
                <TextArea rows={3} value={draft.notes} onText={(notes) => set({ notes })} />
              </Field>
              <dl className="grid gap-1.5 pt-6">
                <Sum name={say.subtotal} amount={subtotal} currency={draft.currency} />
                <div className="flex justify-between items-center">
                  <dt className="text-soft flex items-center gap-1.5">
                    {say.tax}
                    <NumberField
                      label={say.tax}
                      value={draft.taxRate}
                      onNumber={(taxRate) => set({ taxRate })}
                      className="w-12 h-7 px-1.5"
                    />
                    %
                  </dt>
                  <dd>
                    <Money amount={taxAmount} currency={draft.currency} />
                  </dd>
                </div>
                <div className="flex justify-between items-baseline pt-2 mt-1 pb-2 border-t border-ink double-rule">
                  <dt className="font-medium">{say.total}</dt>
                  <dd className="figure-text text-lg">
                    <Money amount={total} currency={draft.currency} />
                  </dd>
                </div>
              </dl>
            </div>
          </div>
        </div>
        <aside
          aria-label={say.preview}
          className="bg-tint lg:border-s border-rule p-4 md:p-6 lg:overflow-y-auto grid content-start gap-2"
        >
          <p className="text-xs text-soft">{say.preview}</p>
          {id ? (
            <img
              alt={say.preview}
              src={`/preview/${id}?v=${version}`}
              className="w-full rounded-md bg-card shadow-sheet aspect-[210/297]"
            />
          ) : (
            <div className="aspect-[210/297] rounded-md bg-card shadow-sheet grid place-content-center text-soft">
              <Icon name="document" size={32} />
            </div>
          )}
        </aside>
      </div>
    </div>
  )
}

function Into({ org, value, onPick }: { org: string; value: string | null; onPick: (id: string | null) => void }) {
  const say = useWords(said)
  const { data } = useQuery(read('bank_accounts_list', { organizationId: org }))
  const options = [
    ...(data?.bankAccounts ?? []).map(({ id, accountName }) => ({ value: id, label: accountName })),
    { value: 'none', label: say.nowhere },
  ]
  return (
    <Field label={say.into}>
      <Select value={value ?? 'none'} options={options} onChange={(next) => onPick(next === 'none' ? null : next)} />
    </Field>
  )
}

const Sum = ({ name, amount, currency }: { name: string; amount: number; currency: string }) => (
  <div className="flex justify-between">
    <dt className="text-soft">{name}</dt>
    <dd>
      <Money amount={amount} currency={currency} />
    </dd>
  </div>
)

function useAutosave(org: string, known: string | undefined, draft: Draft, dirty: boolean) {
  const [id, setId] = useState(known)
  const [version, setVersion] = useState(0)
  const [state, setState] = useState<'idle' | 'unsaved' | 'saving' | 'saved'>(known ? 'saved' : 'idle')
  const [error, setError] = useState('')
  const key = useRef(crypto.randomUUID())
  const busy = useRef(false)
  useEffect(() => {
    if (!dirty || draft.customerId === '') return
    setState('unsaved')
    const timer = setTimeout(async () => {
      if (busy.current) return
      busy.current = true
      setState('saving')
      try {
        const saved = id
          ? await call('invoices_update', { id, ...asWritten(draft) })
          : await call('invoices_create', { organizationId: org, ...asWritten(draft) }, { key: key.current })
        setId(saved.id)
        setVersion((before) => before + 1)
        setState('saved')
        setError('')
      } catch (failure) {
        setState('unsaved')
        setError(failure instanceof Refused ? failure.message : String(failure))
      } finally {
        busy.current = false
      }
    }, 600)
    return () => clearTimeout(timer)
  }, [draft, dirty, id, org])
  return { id, state, version, error }
}

function Lines({
  draft,
  amounts,
  onChange,
}: {
  draft: Draft
  amounts: readonly number[]
  onChange: (items: Line[]) => void
}) {
  const say = useWords(said)
  const { items, currency } = draft
  const set = (at: number, more: Partial<Line>) =>
    onChange(items.map((line, index) => (index === at ? { ...line, ...more } : line)))
  const add = () => onChange([...items, emptyLine()])
  const move = (at: number, by: number) => {
    const to = at + by
    const line = items[at]
    if (!line || to < 0 || to >= items.length) return
    const rest = items.filter((_, index) => index !== at)
    onChange([...rest.slice(0, to), line, ...rest.slice(to)])
  }
  const cell = 'w-full border-transparent bg-transparent not-focus:bg-transparent hover:border-edge'
  return (
    <div role="group" aria-label={say.amount}>
      <div className="grid grid-cols-[minmax(0,1fr)_4.5rem_7rem_7.5rem] gap-1 text-xs text-soft pb-1 border-b border-ink/80 max-sm:hidden">
        <span className="ps-2.5">{say.item}</span>
        <span className="text-end pe-2.5">{say.qty}</span>
        <span className="text-end pe-2.5">{say.price}</span>
        <span className="text-end">{say.amount}</span>
      </div>
      {items.map((line, at) => (
        <div
          key={line.id}
          className="group relative grid grid-cols-[minmax(0,1fr)_4.5rem_7rem_7.5rem] max-sm:grid-cols-[4.5rem_minmax(0,1fr)_auto] gap-1 items-center py-1 border-b border-rule"
          onKeyDown={(event) => {
            if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
              event.preventDefault()
              move(at, event.key === 'ArrowUp' ? -1 : 1)
            }
            if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey && at === items.length - 1) {
              event.preventDefault()
              add()
            }
          }}
        >
          <input
            aria-label={say.item}
            dir="auto"
            value={line.description}
            onChange={(event) => set(at, { description: event.target.value })}
            className={`${box} ${cell} max-sm:col-span-3`}
          />
          <NumberField
            label={say.qty}
            value={line.quantity}
            onNumber={(quantity) => set(at, { quantity })}
            className={cell}
          />
          <NumberField
            label={say.price}
            value={line.unitPrice}
            digits={2}
            onNumber={(unitPrice) => set(at, { unitPrice })}
            className={cell}
          />
          <span className="text-end">
            <Money amount={amounts[at] ?? 0} currency={currency} />
          </span>
          <span className="absolute -end-8 opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 max-sm:end-0 max-sm:-top-1">
            <Button
              look="quiet"
              icon="close"
              label={say.remove}
              onPress={() => onChange(items.filter((_, index) => index !== at))}
            />
          </span>
        </div>
      ))}
      <div className="flex items-center gap-3 pt-2">
        <Button look="quiet" icon="plus" onPress={add}>
          {say.add}
        </Button>
        <span className="flex-1" />
        <span className="flex items-center gap-1.5 text-xs text-soft max-md:hidden">
          <Kbd>↵</Kbd>
          {say.add}
        </span>
        <span className="text-xs text-soft max-md:hidden">{say.move}</span>
      </div>
    </div>
  )
}

function Customers({ org, draft, onPick }: { org: string; draft: Draft; onPick: (id: string, name: string) => void }) {
  const say = useWords(said)
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const { data } = useQuery({
    ...read('customers_list', {
      organizationId: org,
      search: search === draft.customerName ? '' : search,
      limit: 8,
      sortBy: 'name',
      sortOrder: 'asc',
    }),
    placeholderData: keepPreviousData,
  })
  const items = (data?.customers ?? []).map(({ id, displayName }) => ({ id, name: displayName }))
  return (
    <Combo
      value={draft.customerId ? { id: draft.customerId, name: draft.customerName } : null}
      items={items}
      onSearch={setText}
      onPick={({ id, name }) => onPick(id, name)}
      placeholder={say.pickCustomer}
      empty={say.none}
    />
  )
}
