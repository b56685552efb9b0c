import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Refused, read, useWrite } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { Skeleton } from '../../ui/card.tsx'
import { Ask } from '../../ui/overlays/dialog.tsx'
import { sentWords, tellSent } from '../../ui/overlays/sent.ts'
import { Facts } from '../../ui/values/facts.tsx'
import { LetterText } from '../../ui/values/letter-text.tsx'
import { useLanguage, useWords } from '../../words.ts'
import type { Pending } from './waiting.tsx'
import { dashboardWords } from './words.ts'

/** A reminder of what is open; the letter is shown before it goes out. */
export function RemindDialog({ document, onClose }: { document: Pending; onClose: () => void }) {
  const say = useWords(dashboardWords)
  const lang = useLanguage()
  const { data, error } = useQuery(read('invoices_mail_preview', { id: document.id, kind: 'REMINDER' }))
  const send = useWrite('invoices_send', ['invoices', 'dashboard'])
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  async function go() {
    setProblem('')
    try {
      const answer = await send.mutateAsync({ id: document.id, kind: 'REMINDER', key: key.current })
      tellSent(lang, answer)
      onClose()
    } catch (refused) {
      key.current = crypto.randomUUID()
      setProblem(refused instanceof Refused ? refusal(lang, refused) : sentWords[lang].notSent)
    }
  }
  const told = problem || (error instanceof Refused ? refusal(lang, error) : '')
  return (
    <Ask
      title={say.remindTitle(document.invoiceNumber ?? document.customerName)}
      act={say.remind}
      busy={send.isPending}
      problem={told}
      onAct={() => void go()}
      onClose={onClose}
    >
      <p>{say.remindHint}</p>
      {data ? (
        <>
          <Facts
            of={[
              [
                say.to,
                data.to.length > 0 ? (
                  <bdi key="to" dir="ltr">
                    {data.to.join(', ')}
                  </bdi>
                ) : (
                  say.nobody
                ),
              ],
              [say.subject, <bdi key="subject">{data.subject}</bdi>],
            ]}
          />
          <LetterText text={data.text} />
        </>
      ) : (
        !error && <Skeleton className="h-40" />
      )}
    </Ask>
  )
}
