import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Input, Refused, read, useWrite } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { sentWords, tellSent } from '../../ui/overlays/sent.ts'
import { Problem } from '../../ui/problem.tsx'
import { Facts } from '../../ui/values/facts.tsx'
import { LetterText } from '../../ui/values/letter-text.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { customerWords } from './words.ts'

type SendProps = { asked: Input<'reports_customer_statement_send'>; onBack: () => void; onClose: () => void }

/** The letter with the statement as it will be sent, before it is. */
export function SendStatement({ asked, onBack, onClose }: SendProps) {
  const say = useWords(customerWords)
  const lang = useLanguage()
  const { data, error } = useQuery(read('reports_customer_statement_send_preview', asked))
  const send = useWrite('reports_customer_statement_send')
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  async function go() {
    setProblem('')
    try {
      const answer = await send.mutateAsync({ ...asked, key: key.current })
      tellSent(lang, answer)
      onClose()
    } catch (refused) {
      setProblem(refused instanceof Refused ? refusal(lang, refused) : sentWords[lang].notSent)
    }
  }
  return (
    <Dialog
      wide
      title={say.sendTitle}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onBack}>{say.back}</Button>
          <Button
            look="primary"
            icon="send"
            busy={send.isPending}
            isDisabled={!data || data.to.length === 0}
            onPress={() => void go()}
          >
            {say.sendAct}
          </Button>
        </>
      }
    >
      {problem && <Alert>{problem}</Alert>}
      {error ? (
        <Problem error={error} />
      ) : !data ? (
        <Skeleton className="h-60" />
      ) : (
        <>
          {data.to.length === 0 && <p className="text-warn">{say.nobody}</p>}
          <Facts
            of={[
              [say.recipientsLine, data.to.length > 0 && <bdi dir="ltr">{data.to.join(', ')}</bdi>],
              [say.subject, <bdi key="subject">{data.subject}</bdi>],
              [say.attached, <bdi key="attached">{data.attachments.join(', ')}</bdi>],
            ]}
          />
          <LetterText text={data.text} />
        </>
      )}
    </Dialog>
  )
}
