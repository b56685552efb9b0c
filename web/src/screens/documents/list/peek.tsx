import { useQuery } from '@tanstack/react-query'
import { read } from '../../../api.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/overlays/panel.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { useWords } from '../../../words.ts'
import { ActButtons, ActMenu, useActs } from '../acts/use-acts.tsx'
import { Activity, Letters } from '../document/activity.tsx'
import { Attachments } from '../document/attachments.tsx'
import { Headline, LinesAndSums, Parties } from '../document/content.tsx'
import { Pdf, useEvents, Waiting } from '../document/document.tsx'
import { documentWords } from '../document/document-words.ts'
import { Payments } from '../document/payments.tsx'
import { Related } from '../document/related.tsx'
import { Thread } from '../document/thread.tsx'
import { useHere } from '../here.ts'
import { typeWords } from '../words.ts'

/** A document beside the list: the arrows go on moving through the list, and this follows. */
export function Peek({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useWords(documentWords)
  const types = useWords(typeWords)
  const { id: org } = useHere()
  const { data: doc, error, refetch } = useQuery(read('invoices_get', { id }))
  const events = useEvents(id)
  const acts = useActs(doc, onClose)
  const number = doc?.invoiceNumber ?? say.draft
  return (
    <Panel
      label={doc ? `${types[doc.documentType]} ${number}` : say.back}
      title={
        doc && (
          <>
            <span className="text-soft">{types[doc.documentType]}</span>{' '}
            <bdi className="font-medium tabular-nums">{number}</bdi>
          </>
        )
      }
      tools={
        <>
          {doc && <Pdf doc={doc} />}
          <ButtonLink
            to="/o/$org/documents/$id"
            params={{ org, id }}
            look="quiet"
            icon="external"
            label={say.openPage}
          />
          <ActMenu {...acts} />
        </>
      }
      onClose={onClose}
    >
      {error && !doc ? (
        <Problem error={error} onAgain={() => void refetch()} />
      ) : !doc ? (
        <Waiting />
      ) : (
        <div key={id} className="grid gap-5 px-2">
          <Headline doc={doc}>
            <ActButtons {...acts} />
          </Headline>
          <div>
            <Parties doc={doc} />
            <LinesAndSums doc={doc} />
          </div>
          <Payments doc={doc} />
          <Related doc={doc} events={events} />
          <Attachments doc={doc} />
          <Thread doc={doc} events={events} />
          <Letters events={events} />
          <Activity events={events} />
        </div>
      )}
      {acts.dialog}
    </Panel>
  )
}
