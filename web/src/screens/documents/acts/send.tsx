import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type Output, Refused, useWrite } from '../../../api.ts'
import { directionOfText } from '../../../language.ts'
import { refusal } from '../../../refusals.ts'
import { Day, Money } from '../../../shown.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, TextArea } from '../../../ui/forms/field.tsx'
import { useTyped } from '../../../ui/forms/typed.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { sentWords, tellSent } from '../../../ui/overlays/sent.ts'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { Facts } from '../../../ui/values/facts.tsx'
import { LetterText } from '../../../ui/values/letter-text.tsx'
import { Name } from '../../../ui/values/name.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { typeWords } from '../words.ts'
import { sendWords } from './send-words.ts'

type Doc = Output<'invoices_get'>
type SendProps = {
  doc: Doc
  kind?: 'DOCUMENT' | 'REMINDER'
  /** What keeps it from being issued, in words. */
  problems?: readonly string[]
  doubts?: readonly string[]
  onClose: () => void
  onDone: () => void
}
const changes = ['invoices', 'customers', 'dashboard']

/**
 * The letter with a document: who gets it, its words, and how it is read. A draft is issued by it, so the dialog says what becomes
 * final; the focus is on the way back.
 */
export function SendDialog({ doc, kind = 'DOCUMENT', problems = [], doubts = [], onClose, onDone }: SendProps) {
  const say = useWords(sendWords)
  const types = useWords(typeWords)
  const isDraft = doc.status === 'DRAFT'
  const letter = useLetter(doc.id, kind)
  const acts = useSending(doc, kind, letter, onDone)
  const what = `${types[doc.documentType] ?? ''} ${doc.invoiceNumber ?? ''}`.trim()
  const title =
    kind === 'REMINDER'
      ? say.remindTitle(what)
      : isDraft
        ? say.issueTitle(what, doc.customer?.name ?? '')
        : say.sendTitle(what)
  const taxed = doc.documentType !== 'PAYMENT_REQUEST' && doc.documentType !== 'RECEIPT'
  const blocked = problems.length > 0
  return (
    <Dialog
      wide
      title={title}
      onClose={onClose}
      footer={
        <>
          {!isDraft && (
            <Button
              look="quiet"
              busy={acts.busy === 'test'}
              isDisabled={letter.to === ''}
              onPress={() => void acts.test()}
            >
              {say.test}
            </Button>
          )}
          <span className="flex-1" />
          {isDraft && (
            <Button busy={acts.busy === 'issue'} isDisabled={blocked} onPress={() => void acts.issue()}>
              {say.issue}
            </Button>
          )}
          <Button
            look="primary"
            icon="send"
            busy={acts.busy === 'send'}
            isDisabled={blocked || letter.to.trim() === ''}
            onPress={() => void acts.send()}
          >
            {kind === 'REMINDER' ? say.remindAct : isDraft ? say.issueAndSend : say.send}
          </Button>
        </>
      }
    >
      <p>{isDraft ? (taxed ? say.final : say.finalPlain) : kind === 'REMINDER' ? say.remind : say.again}</p>
      <Remarks title={say.problem} of={problems} bad />
      <Remarks title={say.doubts} of={doubts} />
      {acts.problem && <Alert>{acts.problem}</Alert>}
      <Facts
        of={[
          [say.customer, <Name key="c">{doc.customer?.name}</Name>],
          [say.total, <Money key="t" amount={doc.total} currency={doc.currency} />],
          [say.due, doc.dueDate && <Day at={doc.dueDate} />],
        ]}
      />
      <LetterFields letter={letter} />
    </Dialog>
  )
}

function Remarks({ title, of, bad = false }: { title: string; of: readonly string[]; bad?: boolean }) {
  if (of.length === 0) return null
  return (
    <div className={`rounded-md px-3 py-2 ${bad ? 'bg-danger-wash text-danger' : 'bg-warn-wash text-warn'}`}>
      <p className="font-medium">{title}</p>
      <ul className="list-disc ps-5">
        {of.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

/** The words of the letter: the server's until somebody writes others. */
function useLetter(id: string, kind: 'DOCUMENT' | 'REMINDER') {
  const [to, setTo] = useTyped<string | undefined>(`to ${kind} ${id}`, undefined)
  const [subject, setSubject] = useTyped<string | undefined>(`subject ${kind} ${id}`, undefined)
  const [message, setMessage] = useTyped<string | undefined>(`message ${kind} ${id}`, undefined)
  const given = { kind, ...(subject && { subject }), ...(message && { message }), ...recipientsOf(to) }
  const { data, error } = useQuery({
    queryKey: ['letter', id, given],
    queryFn: ({ signal }) => call('invoices_mail_preview', { id, ...given }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const noRecipient = error instanceof Refused && error.code === 'NO_RECIPIENTS'
  return {
    given,
    data,
    error: noRecipient ? null : error,
    noRecipient,
    to: to ?? data?.to.join(', ') ?? '',
    setTo,
    subject: subject ?? data?.subject ?? '',
    setSubject,
    message: message ?? '',
    setMessage,
  }
}
type Letter = ReturnType<typeof useLetter>

const recipientsOf = (to: string | undefined) => {
  const recipients = (to ?? '').split(/[,;\s]+/).filter((address) => /^\S+@\S+\.\S+$/.test(address))
  return to === undefined || recipients.length === 0 ? {} : { recipients }
}

function LetterFields({ letter }: { letter: Letter }) {
  const say = useWords(sendWords)
  const lang = useLanguage()
  const { data, error } = letter
  const wrong = error instanceof Refused ? refusal(lang, error) : undefined
  const usual = data?.text.split('\n\n').slice(0, 2).join('\n\n') ?? ''
  return (
    <div className="grid gap-4">
      <Field label={say.to} hint={letter.noRecipient ? say.noRecipient : say.toHint} error={wrong}>
        <Input value={letter.to} onText={letter.setTo} dir="ltr" inputMode="email" autoComplete="off" />
      </Field>
      <Field label={say.subject}>
        <Input value={letter.subject} onText={letter.setSubject} dir="auto" />
      </Field>
      <Field label={say.message}>
        <TextArea
          rows={3}
          value={letter.message}
          onText={letter.setMessage}
          dir={letter.message || data ? directionOfText(letter.message || usual) : 'auto'}
          placeholder={usual}
        />
      </Field>
      {data && (
        <section aria-label={say.preview} className="grid gap-1">
          <h3 className="text-sm text-soft">{say.preview}</h3>
          <LetterText text={data.text} />
          <p className="text-sm text-soft">
            {say.with}: <bdi>{data.attachments.join(', ')}</bdi>
          </p>
        </section>
      )}
    </div>
  )
}

/** Sends, issues or tries out; what the server refuses is told in the dialog. */
function useSending(doc: Doc, kind: 'DOCUMENT' | 'REMINDER', letter: Letter, onDone: () => void) {
  const say = useWords(sendWords)
  const lang = useLanguage()
  const [busy, setBusy] = useState<'send' | 'issue' | 'test'>()
  const [problem, setProblem] = useState('')
  const write = useWrite('invoices_send', changes)
  const update = useWrite('invoices_update', changes)
  const key = useRef(crypto.randomUUID())
  async function act(name: 'send' | 'issue' | 'test', work: () => Promise<void>) {
    setBusy(name)
    setProblem('')
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof Refused ? refusal(lang, error) : sentWords[lang].notSent)
    } finally {
      setBusy(undefined)
    }
  }
  const send = () =>
    act('send', async () => {
      const answer = await write.mutateAsync({ id: doc.id, ...letter.given, kind, key: key.current })
      tellSent(lang, answer)
      onDone()
    })
  const issue = () =>
    act('issue', async () => {
      const issued = await update.mutateAsync({ id: doc.id, status: 'UNSENT', key: key.current })
      toast(`${say.issued}: ${issued.invoiceNumber}`)
      onDone()
    })
  const test = () =>
    act('test', async () => {
      const answer = await write.mutateAsync({ id: doc.id, ...letter.given, kind, test: true })
      if (answer.kept || answer.failed > 0) tellSent(lang, answer)
      else toast(say.tested)
    })
  return { busy, problem, send, issue, test }
}
