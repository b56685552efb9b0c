import { type ReactNode, useState } from 'react'
import { call, type Output, useWrite } from '../../../api.ts'
import type { Amount } from '../../../money.ts'
import { refusal } from '../../../refusals.ts'
import { useMay } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import { DayField } from '../../../ui/forms/day-field.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { MethodField } from '../../../ui/forms/method-field.tsx'
import { type Chosen, mostAtOnce, Sums } from '../../../ui/lists/selection-bar.tsx'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { saveFile } from '../../../ui/values/save-file.ts'
import { type Language, useLanguage, useWords } from '../../../words.ts'
import { type Act, actsOf } from '../acts/acts.ts'
import { signed } from '../document/signed.ts'
import { useRemoveDrafts } from '../editor/remove-draft.ts'
import { useTry } from '../editor/try.ts'
import { useHere } from '../here.ts'
import { listWords } from './list-words.ts'

type Row = Output<'invoices_list'>['invoices'][number]
type Outcome = Output<'invoices_bulk_send'>

/** What can be done with all that is selected: each outcome is told, and what was left out or refused stays selected. */
export function Bulk({ chosen }: { chosen: Chosen<Row> }) {
  const say = useWords(listWords)
  const lang = useLanguage()
  const may = useMay()
  /** With the documents it was opened for, also when they change meanwhile. */
  const [open, setOpen] = useState<{ act: 'send' | 'pay'; fit: Fit }>()
  const { ids, rows, onSelect } = chosen
  const those = (act: Act): Fit => ({ of: ids.size, rows: rows?.filter((row) => actsOf(row).has(act)) ?? [] })
  const [toSend, toPay, drafts] = [those('send'), those('pay'), those('remove')]
  const close = () => setOpen(undefined)
  const left = (outcome: Outcome) => {
    close()
    tell(say, lang, outcome)
    const done = new Set(outcome.results.filter(({ ok }) => ok).map(({ id }) => id))
    onSelect(new Set([...ids].filter((id) => !done.has(id))))
  }
  return (
    <>
      {may('invoices_bulk_send') && toSend.rows.length > 0 && (
        <Button icon="send" onPress={() => setOpen({ act: 'send', fit: toSend })}>
          {say.send}
        </Button>
      )}
      {may('invoices_bulk_mark_paid') && toPay.rows.length > 0 && (
        <Button icon="payment" onPress={() => setOpen({ act: 'pay', fit: toPay })}>
          {say.paid}
        </Button>
      )}
      <Pdfs ids={ids} />
      {may('invoices_bulk_delete') && drafts.rows.length > 0 && <Remove chosen={chosen} drafts={drafts} />}
      {open?.act === 'send' && <SendMany fit={open.fit} onClose={close} onDone={left} />}
      {open?.act === 'pay' && <PayMany fit={open.fit} onClose={close} onDone={left} />}
    </>
  )
}

/** Those of the chosen that an act fits. */
type Fit = { of: number; rows: readonly Row[] }
const idsOf = ({ rows }: Fit) => rows.map(({ id }) => id)

/** How much it is about, and how many of the chosen are left out. */
const About = ({ sums, fit, leftOut }: { sums: readonly Amount[]; fit: Fit; leftOut: string }) => (
  <>
    <p className="figure-text text-lg">
      <Sums of={sums} />
    </p>
    {fit.rows.length < fit.of && <p className="text-warn">{leftOut}</p>}
  </>
)

/** Says how it went, with the reasons of the first that were refused. */
function tell(say: (typeof listWords)['en'], lang: Language, { results, succeeded, failed }: Outcome) {
  const refused = results.filter(({ ok }) => !ok)
  const reasons = [...new Set(refused.flatMap(({ error }) => (error ? [refusal(lang, error)] : [])))].slice(0, 2)
  toast(
    say.outcome(succeeded, failed),
    failed > 0 ? { bad: true, description: `${reasons.join(' ')} ${say.stays}` } : {},
  )
}

const touches = ['invoices', 'dashboard', 'customers']
type ManyProps = { fit: Fit; onClose: () => void; onDone: (outcome: Outcome) => void }

const totals = ({ rows }: Fit) => rows.map((row) => ({ amount: signed(row), currency: row.currency }))
const openAmounts = ({ rows }: Fit) => rows.map(({ openBalance, currency }) => ({ amount: openBalance, currency }))

function SendMany({ fit, onClose, onDone }: ManyProps) {
  const say = useWords(listWords)
  const { id: organizationId } = useHere()
  const write = useWrite('invoices_bulk_send', touches)
  const { act, busy, problem } = useTry()
  const go = () => act(async (key) => onDone(await write.mutateAsync({ organizationId, ids: idsOf(fit), key })))
  return (
    <Ask
      title={say.sendTitle(fit.rows.length)}
      act={say.send}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <About sums={totals(fit)} fit={fit} leftOut={say.notSent(fit.of - fit.rows.length, fit.of)} />
      <p>{say.sendText}</p>
    </Ask>
  )
}

function PayMany({ fit, onClose, onDone }: ManyProps) {
  const say = useWords(listWords)
  const { id: organizationId, today } = useHere()
  const [paymentDate, setDate] = useState(today)
  const [paymentMethod, setMethod] = useState<string>('BANK_TRANSFER')
  const [receipts, setReceipts] = useState(false)
  const write = useWrite('invoices_bulk_mark_paid', touches)
  const { act, busy, problem } = useTry()
  const go = () =>
    act(async (key) => {
      const paid = { paymentDate, paymentMethod, generateReceipt: receipts, sendReceiptEmail: false }
      onDone(await write.mutateAsync({ organizationId, ids: idsOf(fit), ...paid, key }))
    })
  return (
    <Ask
      title={say.paidTitle(fit.rows.length)}
      act={say.paid}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onAct={() => void go()}
    >
      <About sums={openAmounts(fit)} fit={fit} leftOut={say.notPaid(fit.of - fit.rows.length, fit.of)} />
      <p>{say.paidText}</p>
      <div className="grid grid-cols-2 gap-4">
        <Field label={say.day}>
          <DayField value={paymentDate} onDay={setDate} />
        </Field>
        <MethodField label={say.method} value={paymentMethod} onChange={setMethod} error={undefined} />
      </div>
      <CheckField label={say.receipts} checked={receipts} onChange={setReceipts} />
    </Ask>
  )
}

/** Only drafts can be deleted; the others stay, and stay selected. They can be brought back, so nobody is asked before. */
function Remove({ chosen: { ids, onSelect }, drafts }: { chosen: Chosen<Row>; drafts: Fit }): ReactNode {
  const say = useWords(listWords)
  const removeDrafts = useRemoveDrafts()
  function go() {
    const gone = new Set(idsOf(drafts))
    removeDrafts([...gone])
    const stay = ids.size - gone.size
    if (stay > 0) toast(say.onlyDrafts, { bad: true, description: say.notRemoved(stay, ids.size) })
    onSelect(new Set([...ids].filter((id) => !gone.has(id))))
  }
  return (
    <Button icon="trash" onPress={go}>
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
