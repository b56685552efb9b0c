import { useState } from 'react'
import { useWrite } from '../../../api.ts'
import { useMay } from '../../../session.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { useTyped } from '../../../ui/forms/typed.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { useTry } from '../editor/try.ts'
import { eventWords } from '../words.ts'
import { type Doc, Part } from './content.tsx'
import { documentWords } from './document-words.ts'
import { type Entry, threadOf } from './history.ts'

/** What was said about a document, by us and by the customer on their page. */
export function Thread({ doc, events }: { doc: Doc; events: readonly Entry[] }) {
  const say = useWords(documentWords)
  const may = useMay()('invoices_events_post')
  const entries = threadOf(events)
  if (entries.length === 0 && !may) return null
  return (
    <Part title={say.thread}>
      {entries.length > 0 && (
        <ol className="grid gap-2">
          {entries.map((entry) => (
            <Said key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {may && <Comment doc={doc} />}
    </Part>
  )
}

function Said({ entry }: { entry: Entry }) {
  const say = useWords(documentWords)
  const events = useWords(eventWords)
  const lang = useLanguage()
  const { type, payload, actor, createdAt } = entry
  const fromCustomer = payload?.by === 'CUSTOMER'
  const internal = payload?.internal === true
  return (
    <li
      className={`rounded-md px-3 py-2 ${fromCustomer ? 'bg-info-wash' : 'bg-tint'} ${internal ? 'border border-dashed border-edge' : ''}`}
    >
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-soft">
        <span>
          <bdi className="text-ink font-medium">
            {fromCustomer ? (text(payload?.name) ?? say.customer) : (actor?.name ?? say.system)}
          </bdi>
          {type !== 'COMMENTED' && <> · {events[type]}</>}
          {internal && <> · {say.internalMark}</>}
        </span>
        <time dateTime={createdAt}>{shownInstant(lang, createdAt)}</time>
      </p>
      {text(payload?.message) && (
        <bdi className="block on-line-start whitespace-pre-wrap">{text(payload?.message)}</bdi>
      )}
    </li>
  )
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** On a draft there is no customer yet who could read it. */
function Comment({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const [message, setMessage] = useTyped(`comment ${doc.id}`, '')
  const [toCustomer, setToCustomer] = useState(false)
  const write = useWrite('invoices_events_post', ['invoices_events', 'invoices_get'])
  const { act, busy, problem } = useTry()
  const isDraft = doc.status === 'DRAFT'
  const post = () =>
    act(async (key) => {
      const payload = { message: message.trim(), ...((!toCustomer || isDraft) && { internal: true }) }
      await write.mutateAsync({ id: doc.id, type: 'COMMENTED', payload, key })
      setMessage('')
    })
  return (
    <div className="grid gap-2">
      <Field label={say.comment} error={problem || undefined}>
        <TextArea rows={2} value={message} onText={setMessage} />
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        {!isDraft && (
          <fieldset className="flex flex-wrap gap-3">
            <legend className="sr-only">{say.comment}</legend>
            {[false, true].map((value) => (
              <label key={String(value)} className="flex items-center gap-1.5 min-h-6">
                <input
                  type="radio"
                  name={`to-${doc.id}`}
                  checked={toCustomer === value}
                  onChange={() => setToCustomer(value)}
                  className="size-4 accent-accent"
                />
                {value ? say.toCustomer : say.internal}
              </label>
            ))}
          </fieldset>
        )}
        <span className="flex-1" />
        <Button icon="comment" busy={busy} isDisabled={message.trim() === ''} onPress={() => void post()}>
          {say.post}
        </Button>
      </div>
    </div>
  )
}
