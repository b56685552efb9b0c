import { shownInstant } from '../../../shown.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { sentWords } from '../../../ui/overlays/sent.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { eventWords } from '../words.ts'
import { Part } from './content.tsx'
import { documentWords } from './document-words.ts'
import { chainOf, type Entry, isKept, lettersOf } from './history.ts'

/** Everything that happened to a document; the entries are linked by hashes, which is checked here. */
export function Activity({ events }: { events: readonly Entry[] }) {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const names = useWords(eventWords)
  if (events.length === 0) return null
  return (
    <Part title={say.activity} tools={<ChainState events={events} />}>
      <ol className="grid gap-3 border-s border-rule ms-[5px] ps-4 pt-1">
        {events.map((event) => (
          <li key={event.id} className="relative text-sm">
            <span
              aria-hidden
              className="absolute -start-[20.5px] top-1.5 size-2 rounded-full bg-card border-2 border-edge"
            />
            <span className="flex justify-between gap-3">
              <span>
                {isKept(event.payload) ? sentWords[lang].kept : (names[event.type] ?? event.type)}{' '}
                {event.actor && (
                  <span className="text-soft">
                    {say.by} <bdi>{event.actor.name}</bdi>
                  </span>
                )}
              </span>
              <time dateTime={event.createdAt} className="text-soft whitespace-nowrap">
                {shownInstant(lang, event.createdAt)}
              </time>
            </span>
          </li>
        ))}
      </ol>
    </Part>
  )
}

function ChainState({ events }: { events: readonly Entry[] }) {
  const say = useWords(documentWords)
  const chain = chainOf(events)
  const text = { whole: say.chainOk, part: say.chainPart, broken: say.chainBroken }[chain]
  return (
    <span
      title={say.chainHint}
      className={`flex items-center gap-1.5 text-sm ${chain === 'broken' ? 'text-danger' : 'text-soft'}`}
    >
      <Icon name={chain === 'broken' ? 'alert' : 'link'} size={14} />
      {text}
    </span>
  )
}

/** Each letter with the document, and what became of it. */
export function Letters({ events }: { events: readonly Entry[] }) {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const letters = lettersOf(events)
  if (letters.length === 0) return null
  return (
    <Part title={say.letters}>
      <ul className="grid gap-1.5">
        {letters.map(({ id, at, to, reasons, retrying, ok, kept }) => (
          <li key={id} className="text-sm">
            <span className="flex justify-between gap-3">
              <span className={`flex items-center gap-1.5 ${ok ? '' : 'text-danger'}`}>
                <Icon name={ok ? 'check' : 'alert'} size={14} />
                {kept ? sentWords[lang].kept : ok ? say.delivered : say.failed}
                {retrying > 0 && <span className="text-soft">· {say.retrying}</span>}
              </span>
              <time dateTime={at} className="text-soft whitespace-nowrap">
                {shownInstant(lang, at)}
              </time>
            </span>
            <bdi dir="ltr" className="text-soft break-all">
              {to.join(', ')}
            </bdi>
            {reasons.length > 0 && <bdi className="block text-soft">{reasons.join(' ')}</bdi>}
          </li>
        ))}
      </ul>
    </Part>
  )
}
