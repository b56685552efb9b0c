import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { hrefOf, read } from '../../../api.ts'
import { useKeys } from '../../../keys.ts'
import { Skeleton } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWayBack } from '../../../ui/lists/left.ts'
import { Problem } from '../../../ui/problem.tsx'
import { useTitle } from '../../../ui/title.ts'
import { useWords } from '../../../words.ts'
import { ActButtons, ActMenu, useActs } from '../acts/use-acts.tsx'
import { typeWords } from '../words.ts'
import { Activity, Letters } from './activity.tsx'
import { Attachments } from './attachments.tsx'
import { Clearance } from './clearance.tsx'
import { type Doc, Headline, LinesAndSums, Parties } from './content.tsx'
import { documentWords } from './document-words.ts'
import { EInvoice } from './einvoice.tsx'
import { Payments } from './payments.tsx'
import { Printed } from './printed.tsx'
import { Related } from './related.tsx'
import { Thread } from './thread.tsx'

/** One document on a page of its own: what it says on one side, what happened to it on the other. */
export function DocumentPage() {
  const { org, id } = useParams({ from: '/o/$org/documents/$id' })
  const say = useWords(documentWords)
  const types = useWords(typeWords)
  const navigate = useNavigate()
  const { data: doc, error, refetch } = useQuery(read('invoices_get', { id }))
  const events = useEvents(id)
  const way = useWayBack(`/o/${org}/documents`)
  const toList = () => void navigate({ to: '/o/$org/documents', params: { org }, ...way })
  const acts = useActs(doc, toList)
  useKeys({ escape: toList })
  useTitle(doc ? `${types[doc.documentType]} ${doc.invoiceNumber ?? say.draft}` : say.back)
  if (error && !doc) return <Problem error={error} onAgain={() => void refetch()} />
  return (
    <div className="flex-1 min-h-0 flex flex-col">
      <header className="flex items-center gap-2 min-h-13 px-4 md:px-5 border-b border-rule shrink-0">
        <Link
          to="/o/$org/documents"
          params={{ org }}
          {...way}
          className="flex items-center gap-1 text-soft hover:text-ink"
        >
          <Icon name="back" />
          <span className="max-sm:sr-only">{say.back}</span>
        </Link>
        <h1 className="flex-1 font-medium truncate">
          {doc && (
            <>
              {types[doc.documentType]} <bdi className="tabular-nums">{doc.invoiceNumber ?? say.draft}</bdi>
            </>
          )}
        </h1>
        {doc && <Pdf doc={doc} />}
        <ActMenu {...acts} />
      </header>
      <div className="flex-1 overflow-y-auto @container">
        {!doc ? (
          <Waiting />
        ) : (
          <div className="mx-auto max-w-[76rem] p-4 md:p-6 grid @[53rem]:grid-cols-[minmax(0,1fr)_24rem] gap-x-10 gap-y-6 items-start">
            <div className="grid gap-5 min-w-0">
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
            </div>
            <div className="grid gap-5 min-w-0">
              <Printed doc={doc} />
              <Clearance doc={doc} />
              <EInvoice doc={doc} />
              <Thread doc={doc} events={events} />
              <Letters events={events} />
              <Activity events={events} />
            </div>
          </div>
        )}
      </div>
      {acts.dialog}
    </div>
  )
}

const eventsMax = 100

/** The history of a document, the latest first. */
export const useEvents = (id: string) => useQuery(read('invoices_events', { id, limit: eventsMax })).data?.events ?? []

/** Opens the PDF beside the app. */
export function Pdf({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  return (
    <a
      href={hrefOf('invoices_pdf', { id: doc.id, inline: true })}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1.5 h-8 pointer-coarse:h-11 px-2 rounded-md text-soft hover:bg-tint hover:text-ink"
    >
      <Icon name="pdf" />
      {say.pdf}
    </a>
  )
}

export const Waiting = () => (
  <div className="p-6 grid gap-3 max-w-[46rem]">
    <Skeleton className="h-4 w-24" />
    <Skeleton className="h-10 w-52" />
    <Skeleton className="h-40" />
  </div>
)
