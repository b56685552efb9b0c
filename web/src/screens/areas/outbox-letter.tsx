import { shownInstant } from '../../shown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Facts } from '../../ui/values/facts.tsx'
import { LetterText } from '../../ui/values/letter-text.tsx'
import type { Row } from '../../ui/values/values.tsx'
import { type Language, locales, useLanguage, useWords, words } from '../../words.ts'

type Letter = {
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  attachments: { fileName: string; size: number }[]
  createdAt: string
}

const said = words(
  {
    kept: 'Kept here: no mail server is set, so nobody has got it.',
    from: 'From',
    to: 'To',
    at: 'Kept on',
    attached: 'Attached',
    source: 'Show source',
    headers: 'Headers',
    html: 'HTML',
  },
  {
    kept: 'נשמר כאן: לא הוגדר שרת דואר, ולכן איש לא קיבל אותו.',
    from: 'מאת',
    to: 'אל',
    at: 'נשמר ב־',
    attached: 'מצורפים',
    source: 'הצגת המקור',
    headers: 'כותרות',
    html: 'HTML',
  },
)

/** A letter of the outbox as whoever it was meant for would read it; how it is built is behind a button. */
export function OutboxLetter({ of }: { of: Row }) {
  const say = useWords(said)
  const lang = useLanguage()
  const { to, text, html, headers, attachments, createdAt } = of as Letter
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <p role="note" className="flex items-center gap-2 text-soft">
        <Icon name="mail" />
        {say.kept}
      </p>
      <Facts
        of={[
          [say.from, <bdi key="from">{headers.From}</bdi>],
          [
            say.to,
            <bdi key="to" dir="ltr">
              {to}
            </bdi>,
          ],
          [
            say.at,
            <time key="at" dateTime={createdAt}>
              {shownInstant(lang, createdAt)}
            </time>,
          ],
          [
            say.attached,
            attachments.length > 0 && (
              <ul key="files">
                {attachments.map(({ fileName, size }) => (
                  <li key={fileName}>
                    <bdi>{fileName}</bdi> <span className="text-soft">{shownSize(lang, size)}</span>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <LetterText text={text} />
      <details className="border-t border-rule pt-3 min-w-0">
        <summary className="font-medium cursor-pointer pointer-coarse:py-2">{say.source}</summary>
        <Source label={say.headers} text={lines.join('\n')} />
        <Source label={say.html} text={html} />
      </details>
    </>
  )
}

const shownSize = (lang: Language, bytes: number) =>
  new Intl.NumberFormat(locales[lang], { style: 'unit', unit: 'kilobyte' }).format(Math.ceil(bytes / 1000))

const Source = ({ label, text }: { label: string; text: string }) => (
  <pre
    dir="ltr"
    tabIndex={0}
    role="region"
    aria-label={label}
    className="mt-2 max-h-80 overflow-auto font-mono text-xs rounded-md border border-rule bg-tint p-3"
  >
    {text}
  </pre>
)
