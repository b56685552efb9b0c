import { type ReactNode, useState } from 'react'
import { call, type Output, useWrite } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { DayField } from '../../ui/day-field.tsx'
import { Ask } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { paymentMethods } from '../../ui/payment-methods.ts'
import { saveFile } from '../../ui/save-file.ts'
import { Select } from '../../ui/select.tsx'
import { say as toast } from '../../ui/toast.tsx'
import { useWords } from '../../words.ts'
import { useHere } from './here.ts'
import { listWords } from './list-words.ts'
import { useRemoveDrafts } from './remove-draft.ts'
import { useTry } from './try.ts'
import { methodWords } from './words.ts'

type BulkProps = {
  ids: ReadonlySet<string>
  isDraft: (id: string) => boolean
  /** What stays selected. */
  onLeft: (ids: ReadonlySet<string>) => void
}
type Outcome = Output<'invoices_bulk_send'>
const mostAtOnce = 200

/** What can be done with all that is selected: each outcome is told, and what was refused stays selected. */
export function Bulk({ ids, isDraft, onLeft }: BulkProps) {
  const say = useWords(listWords)
  const may = useMay()
  const [open, setOpen] = useState<'send' | 'paid'>()
  const close = () => setOpen(undefined)
  const left = (outcome: Outcome) => {
    close()
    onLeft(tell(say, outcome))
  }
  const tooMany = ids.size > mostAtOnce
  return (
    <>
      {tooMany && <span className="text-sm text-soft">{say.most}</span>}
      {may('invoices_bulk_send') && (
        <Button icon="send" isDisabled={tooMany} onPress={() => setOpen('send')}>
          {say.send}
        </Button>
      )}
      {may('invoices_bulk_mark_paid') && (
        <Button icon="payment" isDisabled={tooMany} onPress={() => setOpen('paid')}>
          {say.paid}
        </Button>
      )}
      <Pdfs ids={ids} />
      {may('invoices_bulk_delete') && <Remove ids={ids} isDraft={isDraft} onLeft={onLeft} />}
      {open === 'send' && <SendMany ids={ids} onClose={close} onDone={left} />}
      {open === 'paid' && <PayMany ids={ids} onClose={close} onDone={left} />}
    </>
  )
}

/** Says how it went, with the reasons of the first that were refused; answers what was refused. */
function tell(say: (typeof listWords)['en'], { results, succeeded, failed }: Outcome): ReadonlySet<string> {
  const refused = results.filter(({ ok }) => !ok)
  const reasons = [...new Set(refused.map(({ error }) => error?.message ?? ''))].slice(0, 2)
  toast(
    say.outcome(succeeded, failed),
    failed > 0 ? { bad: true, description: `${reasons.join(' ')} ${say.stays}` } : {},
  )
  return new Set(refused.map(({ id }) => id))
}

const touches = ['invoices', 'dashboard', 'customers']
type ManyProps = { ids: ReadonlySet<string>; onClose: () => void; onDone: (outcome: Outcome) => void }

function SendMany({ ids, onClose, onDone }: ManyProps) {
  const say = useWords(listWords)
  const { id: organizationId } = useHere()
  const write = useWrite('invoices_bulk_send', touches)
  const { act, busy, problem } = useTry()
  const go = () => act(async (key) => onDone(await write.mutateAsync({ organizationId, ids: [...ids], key })))
  return (
    <Ask
      title={say.sendTitle(ids.size)}
      act={say.send}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.sendText}</p>
    </Ask>
  )
}

function PayMany({ ids, onClose, onDone }: ManyProps) {
  const say = useWords(listWords)
  const names = useWords(methodWords)
  const { id: organizationId, today } = useHere()
  const [paymentDate, setDate] = useState(today)
  const [paymentMethod, setMethod] = useState<string>('BANK_TRANSFER')
  const [receipts, setReceipts] = useState(false)
  const write = useWrite('invoices_bulk_mark_paid', touches)
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      const paid = { paymentDate, paymentMethod, generateReceipt: receipts, sendReceiptEmail: false }
      onDone(await write.mutateAsync({ organizationId, ids: [...ids], ...paid, key }))
    })
  return (
    <Ask
      title={say.paidTitle(ids.size)}
      act={say.paid}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.paidText}</p>
      <div className="grid grid-cols-2 gap-4">
        <Field label={say.day}>
          <DayField value={paymentDate} onDay={setDate} />
        </Field>
        <Field label={say.method}>
          <Select
            value={paymentMethod}
            options={paymentMethods.map((value) => ({ value: value as string, label: names[value] ?? value }))}
            onChange={setMethod}
          />
        </Field>
      </div>
      <label className="flex items-center gap-2 min-h-6">
        <input
          type="checkbox"
          checked={receipts}
          onChange={(event) => setReceipts(event.target.checked)}
          className="size-4 accent-accent"
        />
        {say.receipts}
      </label>
    </Ask>
  )
}

/** Only drafts can be deleted; the others stay, and stay selected. */
function Remove({ ids, isDraft, onLeft }: BulkProps): ReactNode {
  const say = useWords(listWords)
  const removeDrafts = useRemoveDrafts()
  function go() {
    const drafts = [...ids].filter(isDraft)
    if (drafts.length > 0) removeDrafts(drafts)
    if (drafts.length < ids.size) toast(say.wrongAll, { bad: true, description: say.stays })
    onLeft(new Set([...ids].filter((id) => !isDraft(id))))
  }
  return (
    <Button icon="trash" isDisabled={ids.size > mostAtOnce} onPress={go}>
      {say.remove}
    </Button>
  )
}

/** All PDFs in one file. */
function Pdfs({ ids }: { ids: ReadonlySet<string> }) {
  const say = useWords(listWords)
  const { id: organizationId, today } = useHere()
  const [busy, setBusy] = useState(false)
  async function download() {
    setBusy(true)
    try {
      saveFile(await call('invoices_bulk_pdf', { organizationId, ids: [...ids] }), `documents-${today}.zip`)
    } catch {
      toast(say.failed, { bad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="download" busy={busy} isDisabled={ids.size > mostAtOnce} onPress={() => void download()}>
      {say.pdfs}
    </Button>
  )
}
