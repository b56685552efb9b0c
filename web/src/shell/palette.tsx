import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useId, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { type Name, type Output, read } from '../api.ts'
import { modKey } from '../keys.ts'
import { useMay } from '../session.ts'
import { Money } from '../shown.tsx'
import { Kbd } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useWords, words } from '../words.ts'
import { placesFor, shellWords } from './places.ts'

const said = words(
  {
    title: 'Search or do',
    placeholder: 'A number, a name, or what you want to do…',
    go: 'Go to',
    act: 'Do',
    nothing: 'Nothing found.',
    newInvoice: 'New invoice',
    newCustomer: 'New customer',
    recordPayment: 'Record a payment',
    ask: 'Ask the companion',
    choose: 'to choose',
    open: 'to open',
    leave: 'to close',
    draft: 'Draft',
  },
  {
    title: 'חיפוש או פעולה',
    placeholder: 'מספר, שם, או מה שרוצים לעשות…',
    go: 'מעבר אל',
    act: 'פעולות',
    nothing: 'לא נמצא דבר.',
    newInvoice: 'חשבונית חדשה',
    newCustomer: 'לקוח חדש',
    recordPayment: 'רישום תשלום',
    ask: 'שאלה לעוזר',
    choose: 'לבחירה',
    open: 'לפתיחה',
    leave: 'לסגירה',
    draft: 'טיוטה',
  },
)
type Item = {
  id: string
  label: string
  icon: IconName
  keys?: string
  amount?: { total: number; currency: string }
  sub?: string
  on: () => void
}

/** One field for everything: what there is, what can be done, where one can go. Enter takes the first hit unless another is lit. */
export function Palette({ org, onClose, onAsk }: { org: string; onClose: () => void; onAsk?: () => void }) {
  const say = useWords(said)
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const groups = useHits(org, text, onClose, onAsk)
  const all = groups.flatMap(({ items }) => items)
  const lit = all[Math.min(at, all.length - 1)]
  const move = (to: number) => {
    const next = (to + all.length) % all.length
    setAt(next)
    document.getElementById(`${id}-${all[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <ModalOverlay
      isOpen
      data-modal
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className="fixed inset-0 z-40 bg-shade transition-opacity entering:opacity-0"
    >
      <Modal className="fixed top-[12vh] inset-x-0 mx-auto w-[min(40rem,calc(100vw-1.5rem))] floating rounded-xl overflow-hidden">
        <Dialog aria-label={say.title} className="outline-none">
          <div className="flex items-center gap-3 px-4 border-b border-rule">
            <Icon name="search" className="text-soft" />
            <input
              role="combobox"
              aria-expanded
              aria-controls={`${id}-list`}
              aria-activedescendant={lit && `${id}-${lit.id}`}
              aria-autocomplete="list"
              aria-label={say.title}
              autoFocus
              dir="auto"
              value={text}
              placeholder={say.placeholder}
              className="flex-1 h-13 text-md bg-transparent outline-none"
              onChange={(event) => {
                setText(event.target.value)
                setAt(0)
              }}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') move(at + 1)
                else if (event.key === 'ArrowUp') move(at - 1)
                else if (event.key === 'Enter' && !event.nativeEvent.isComposing) lit?.on()
                else return
                event.preventDefault()
              }}
            />
          </div>
          <div
            id={`${id}-list`}
            role="listbox"
            aria-label={say.title}
            className="max-h-[min(27rem,60vh)] overflow-y-auto overscroll-contain p-1.5 scroll-py-1.5"
          >
            {groups.map(({ name, items }) => (
              <div key={name} role="group" aria-label={name} className="mb-1">
                <div aria-hidden className="px-2.5 pt-1.5 pb-1 text-xs text-soft">
                  {name}
                </div>
                {items.map((item) => (
                  <div
                    key={item.id}
                    id={`${id}-${item.id}`}
                    role="option"
                    aria-selected={item === lit}
                    onClick={item.on}
                    onPointerMove={() => setAt(all.indexOf(item))}
                    className={`flex items-center gap-3 h-9 pointer-coarse:h-11 px-2.5 rounded-md ${item === lit ? 'bg-tint' : ''}`}
                  >
                    <Icon name={item.icon} className="text-soft" />
                    <bdi className="whitespace-nowrap tabular-nums">{item.label}</bdi>
                    <bdi className="flex-1 truncate text-soft on-line-start">{item.sub}</bdi>
                    {item.amount && <Money amount={item.amount.total} currency={item.amount.currency} />}
                    {item.keys && <Kbd>{item.keys}</Kbd>}
                  </div>
                ))}
              </div>
            ))}
            {all.length === 0 && <p className="p-8 text-center text-soft">{say.nothing}</p>}
          </div>
          <div className="flex gap-4 px-4 py-2 border-t border-rule bg-paper text-xs text-soft max-md:hidden">
            <span className="flex gap-1.5">
              <Kbd>↑ ↓</Kbd>
              {say.choose}
            </span>
            <span className="flex gap-1.5">
              <Kbd>↵</Kbd>
              {say.open}
            </span>
            <span className="flex gap-1.5">
              <Kbd>esc</Kbd>
              {say.leave}
            </span>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

type Kind = Output<'search_everything'>['hits'][number]['kind']
const icons: Record<Kind, IconName> = {
  documents: 'document',
  customers: 'customers',
  suppliers: 'supplier',
  items: 'item',
  payments: 'payment',
  expenses: 'expense',
  orders: 'order',
  automations: 'automation',
  employees: 'team',
  accounts: 'account',
}

function useHits(
  org: string,
  text: string,
  onClose: () => void,
  onAsk?: () => void,
): { name: string; items: Item[] }[] {
  const say = useWords(said)
  const shell = useWords(shellWords)
  const may = useMay()
  const navigate = useNavigate()
  const search = useDeferredValue(text.trim())
  const { data: found } = useQuery({
    ...read('search_everything', { organizationId: org, query: search, limit: 5 }),
    placeholderData: keepPreviousData,
    enabled: search.length > 0 && may('search_everything'),
  })
  const go = (to: string, more: object = {}) => {
    onClose()
    void navigate({ to, params: { org }, ...more } as never)
  }
  const fits = ({ label }: Item) => label.toLocaleLowerCase().includes(search.toLocaleLowerCase())
  const hits = search ? (found?.hits ?? []) : []
  const kinds = [...new Set(hits.map(({ kind }) => kind))] // the best first, as the hits are
  const acts: (Item & { needs?: Name })[] = [
    {
      id: 'new',
      label: say.newInvoice,
      icon: 'plus',
      keys: 'C',
      needs: 'invoices_create',
      on: () => go('/o/$org/documents/new'),
    },
    {
      id: 'customer',
      label: say.newCustomer,
      icon: 'plus',
      needs: 'customers_create',
      on: () => go('/o/$org/customers/new'),
    },
    {
      id: 'pay',
      label: say.recordPayment,
      icon: 'payment',
      needs: 'invoices_payments_create',
      on: () => go('/o/$org/payments/new'),
    },
  ]
  if (onAsk) {
    const ask = () => {
      onClose()
      onAsk()
    }
    acts.push({ id: 'ask', label: say.ask, icon: 'spark', keys: `${modKey} J`, on: ask })
  }
  const groups: { name: string; items: Item[] }[] = [
    ...kinds.map((kind) => ({
      name: shell.places[kind],
      items: hits
        .filter((hit) => hit.kind === kind)
        .map((hit) => ({
          id: hit.id,
          label: hit.title || say.draft,
          sub: hit.subtitle ?? '',
          icon: icons[kind],
          ...(hit.amount !== null && hit.currency && { amount: { total: hit.amount, currency: hit.currency } }),
          on: () => go(`/o/$org/${kind}`, { search: { open: hit.id } }),
        })),
    })),
    { name: say.act, items: acts.filter(({ needs }) => !needs || may(needs)).filter(fits) },
    {
      name: say.go,
      items: placesFor(may)
        .map(({ to, name, icon, key }) => ({
          id: to,
          label: shell.places[name],
          icon,
          ...(key && { keys: `G ${key.toUpperCase()}` }),
          on: () => go(to),
        }))
        .filter(fits),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}
