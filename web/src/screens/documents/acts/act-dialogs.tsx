import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { read, useWrite } from '../../../api.ts'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field, Input } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { LongField } from '../../../ui/forms/text-field.tsx'
import { useTyped } from '../../../ui/forms/typed.ts'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { useWords } from '../../../words.ts'
import type { Doc } from '../document/content.tsx'
import { documentWords } from '../document/document-words.ts'
import { useTry } from '../editor/try.ts'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'
import { actWords } from './act-words.ts'

type ActProps = { doc: Doc; onClose: () => void }
const touches = ['invoices', 'dashboard', 'customers']

/** A dispute is noted, answered or closed, each with words that the customer reads. */
export function DisputeDialog({ doc, move, onClose }: ActProps & { move: 'dispute' | 'answer' | 'resolve' }) {
  const say = useWords(actWords)
  const [message, setMessage] = useTyped(`${move} ${doc.id}`, '')
  const write = useWrite('invoices_events_post', touches)
  const { act, busy, problem } = useTry()
  const { title, text, verb, type } = {
    dispute: {
      title: say.disputeTitle(doc.invoiceNumber ?? ''),
      text: say.disputeText,
      verb: say.disputeAct,
      type: 'DISPUTED' as const,
    },
    answer: { title: say.answerTitle, text: say.answerText, verb: say.answerAct, type: 'DISPUTE_COUNTERED' as const },
    resolve: {
      title: say.resolveTitle,
      text: say.resolveText,
      verb: say.resolveAct,
      type: 'DISPUTE_RESOLVED' as const,
    },
  }[move]
  const go = () =>
    act(async (key) => {
      await write.mutateAsync({ id: doc.id, type, payload: message.trim() ? { message: message.trim() } : null, key })
      onClose()
    })
  return (
    <Ask title={title} act={verb} busy={busy} problem={problem} onClose={onClose} onAct={() => void go()}>
      <LongField label={say.message} hint={text} rows={3} value={message} onChange={setMessage} error={undefined} />
    </Ask>
  )
}

export function CancelDialog({ doc, onClose }: ActProps) {
  const say = useWords(actWords)
  const shared = useWords(documentWords)
  const [reason, setReason] = useTyped(`reason ${doc.id}`, '')
  const write = useWrite('invoices_cancel', touches)
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      await write.mutateAsync({ id: doc.id, reason: reason || null, key })
      toast(shared.cancelled)
      onClose()
    })
  return (
    <Ask
      title={say.cancelTitle(doc.invoiceNumber ?? '')}
      act={say.cancelAct}
      danger
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.cancelText}</p>
      <LongField label={say.reason} value={reason} onChange={setReason} error={undefined} />
    </Ask>
  )
}

export function ConvertDialog({ doc, onClose }: ActProps) {
  const say = useWords(actWords)
  const shared = useWords(documentWords)
  const types = useWords(typeWords)
  const { id: org } = useHere()
  const navigate = useNavigate()
  const [documentType, setType] = useState<'INVOICE' | 'INVOICE_RECEIPT'>(
    doc.openBalance === 0 ? 'INVOICE_RECEIPT' : 'INVOICE',
  )
  const write = useWrite('invoices_convert', touches)
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      const { id } = await write.mutateAsync({ id: doc.id, documentType, key })
      toast(shared.converted)
      onClose()
      void navigate({ to: '/o/$org/documents/$id', params: { org, id } })
    })
  return (
    <Ask
      title={say.convertTitle(doc.invoiceNumber ?? '')}
      act={say.convertAct}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.convertFinal}</p>
      <Field label={say.convertAs}>
        <Select
          value={documentType}
          options={(['INVOICE', 'INVOICE_RECEIPT'] as const).map((value) => ({ value, label: types[value] ?? value }))}
          onChange={setType}
        />
      </Field>
    </Ask>
  )
}

export function RenewDialog({ doc, onClose, onUrl }: ActProps & { onUrl: (url: string) => Promise<void> }) {
  const say = useWords(actWords)
  const write = useWrite('invoices_link_renew', ['invoices'])
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      const { url } = await write.mutateAsync({ id: doc.id, key })
      await onUrl(url)
      onClose()
    })
  return (
    <Ask
      title={say.renewTitle}
      act={say.renewAct}
      danger
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.renewText}</p>
    </Ask>
  )
}

export function AllocationDialog({ doc, onClose }: ActProps) {
  const say = useWords(actWords)
  const [number, setNumber] = useTyped(`allocation ${doc.id}`, '')
  const write = useWrite('invoices_manual_allocation', ['invoices'])
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      await write.mutateAsync({ id: doc.id, allocationNumber: number.trim(), key })
      toast(say.saved)
      onClose()
    })
  return (
    <Ask
      title={say.allocationTitle}
      act={say.allocationAct}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <Field label={say.number} hint={say.allocationText}>
        <Input value={number} onText={setNumber} dir="ltr" inputMode="numeric" autoComplete="off" />
      </Field>
    </Ask>
  )
}

/** Of an issued document: what the law lets change. */
export function TermsDialog({ doc, onClose }: ActProps) {
  const say = useWords(actWords)
  const { id: organizationId } = useHere()
  const [dueDate, setDue] = useTyped(`due ${doc.id}`, doc.dueDate ?? '')
  const [notes, setNotes] = useTyped(`notes ${doc.id}`, doc.notes ?? '')
  const [account, setAccount] = useState(doc.bankAccountId ?? 'none')
  const { data } = useQuery(read('bank_accounts_list', { organizationId }))
  const write = useWrite('invoices_update', touches)
  const { act, busy, problem } = useTry()
  const options = [
    ...(data?.bankAccounts ?? []).map(({ id, accountName }) => ({ value: id, label: accountName })),
    { value: 'none', label: say.nowhere },
  ]
  const go = () =>
    act(async (key) => {
      const bankAccountId = account === 'none' ? null : account
      await write.mutateAsync({ id: doc.id, dueDate: dueDate || null, notes: notes || null, bankAccountId, key })
      toast(say.saved)
      onClose()
    })
  return (
    <Ask
      title={say.termsTitle(doc.invoiceNumber ?? '')}
      act={say.save}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <p>{say.termsText}</p>
      <div className="grid grid-cols-2 gap-4">
        <Field label={say.due}>
          <DayField value={dueDate} placeholder={say.none} onDay={setDue} />
        </Field>
        <Field label={say.into}>
          <Select value={account} options={options} onChange={setAccount} />
        </Field>
      </div>
      <LongField label={say.notes} rows={3} value={notes} onChange={setNotes} error={undefined} />
    </Ask>
  )
}
