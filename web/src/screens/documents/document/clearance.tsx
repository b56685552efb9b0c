import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, read, useWrite } from '../../../api.ts'
import { problemText } from '../../../refusals.ts'
import { useMay } from '../../../session.ts'
import { Count, shownInstant } from '../../../shown.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Ask } from '../../../ui/overlays/dialog.tsx'
import { say as toast } from '../../../ui/overlays/toast.tsx'
import { Facts } from '../../../ui/values/facts.tsx'
import { Ringed, type Status } from '../../../ui/values/status.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { clearanceWords } from './clearance-words.ts'
import { type Doc, Part } from './content.tsx'
import { isEInvoice } from './einvoice.tsx'

type State = Output<'invoices_clearance'>

const rings: Record<State['status'], Status> = {
  NOT_REQUIRED: 'DONE', NOT_SUBMITTED: 'UNSENT', PENDING: 'PART', APPROVED: 'PAID', REJECTED: 'LATE', ERROR: 'LATE',
} // biome-ignore format: a table

const waitingMs = 3_000

/** What the tax authority says about an issued document, and the way to submit it. Countries without one show nothing. */
export function Clearance({ doc }: { doc: Doc }) {
  const say = useWords(clearanceWords)
  const { data } = useQuery({
    ...read('invoices_clearance', { id: doc.id }),
    enabled: isEInvoice(doc),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? waitingMs : false),
  })
  if (!data?.authority || !isEInvoice(doc)) return null
  const { authority } = data
  return (
    <Part title={say.titles[authority] ?? say.title} tools={<Submit doc={doc} of={data} authority={authority} />}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Ringed is={rings[data.status]} word={say.states[data.status]} />
        {data.environment === 'sandbox' && data.status !== 'NOT_REQUIRED' && (
          <span className="text-sm text-warn bg-warn-wash rounded-sm px-1.5">{say.sandbox}</span>
        )}
      </div>
      <Submission of={data} />
      <Trouble of={data} />
      <Explanation of={data} authority={authority} />
    </Part>
  )
}

/** The number, and when it was asked for. */
function Submission({ of }: { of: State }) {
  const say = useWords(clearanceWords)
  const lang = useLanguage()
  const at = (moment: string | null) => moment && <time dateTime={moment}>{shownInstant(lang, moment)}</time>
  if (!of.submittedAt && !of.vatAllocationNumber) return null
  return (
    <div className="text-sm">
      <Facts
        of={[
          [
            say.number,
            of.vatAllocationNumber && (
              <bdi dir="ltr" className="tabular-nums break-all">
                {of.vatAllocationNumber}
              </bdi>
            ),
          ],
          [say.submitted, at(of.submittedAt)],
          [say.decided, at(of.decidedAt)],
          [say.attempts, of.attempts > 0 && <Count of={of.attempts} />],
          [say.next, at(of.nextAttemptAt)],
        ]}
      />
    </div>
  )
}

/** Whether the page of the document says what went wrong. */
const isTold = ({ status }: Pick<State, 'status'>) => status === 'REJECTED' || status === 'ERROR'

/** Why it was refused or has failed: by the authority's codes where there are words for all of them, else as the server says it. */
function Trouble({ of: { status, error, reasons } }: { of: State }) {
  const say = useWords(clearanceWords)
  if (!isTold({ status })) return null
  const known = reasons.map(({ code }) => (code === null ? undefined : say.reasons[code]))
  const isKnown = known.length > 0 && known.every((each) => each !== undefined)
  return (
    <div className="text-sm text-danger bg-danger-wash rounded-md px-3 py-2 grid gap-1">
      {isKnown
        ? known.map((each) => <p key={each}>{each}</p>)
        : error && <bdi className="block on-line-start break-words">{error}</bdi>}
    </div>
  )
}

function Explanation({ of: { status, environment }, authority }: { of: State; authority: string }) {
  const say = useWords(clearanceWords)
  const may = useMay()
  if (status !== 'NOT_REQUIRED' && status !== 'NOT_SUBMITTED') return null
  const isConnected = environment !== null
  const mustConnect = !isConnected && (status === 'NOT_SUBMITTED' || authority === 'sg-invoicenow')
  if (mustConnect)
    return (
      <p className="text-sm text-soft">
        {say.notConnected[authority]} {!may('integrations_tax_authority_post') && say.askManager}
      </p>
    )
  return status === 'NOT_REQUIRED' ? <p className="text-sm text-soft">{say.whyNot[authority]}</p> : null
}

type SubmitProps = { doc: Doc; of: State; authority: string }

/** Asks the authority, or asks again; without a connection the way to it. */
function Submit({ doc, of: { status, environment }, authority }: SubmitProps) {
  const say = useWords(clearanceWords)
  const may = useMay()
  const { id: org } = useHere()
  const lang = useLanguage()
  const [asking, setAsking] = useState(false)
  const write = useWrite('invoices_clearance_post', ['invoices'])
  const isNew = status === 'NOT_SUBMITTED'
  const isAgain = isTold({ status })
  const busy = write.isPending
  const go = async () => {
    try {
      const { success, result } = await write.mutateAsync({ id: doc.id, action: isNew ? 'submit' : 'retry' })
      setAsking(false)
      if (success) toast(say.approved(result.vatAllocationNumber ?? ''))
      else if (result.status === 'PENDING') toast(say.later)
      else toast(say.states[result.status], { bad: true, ...(!isTold(result) && { description: result.error ?? '' }) })
    } catch (error) {
      toast(problemText(lang, error as Error), { bad: true })
    }
  }
  if (environment === null && (isNew || (status === 'NOT_REQUIRED' && authority === 'sg-invoicenow')))
    return may('integrations_tax_authority_post') ? (
      <ButtonLink icon="plug" to="/o/$org/settings/tax-authority" params={{ org }}>
        {say.connect}
      </ButtonLink>
    ) : null
  if (!may('invoices_clearance_post') || (!isNew && !isAgain)) return null
  return (
    <>
      <Button icon={isNew ? 'send' : 'again'} busy={busy} onPress={() => (isNew ? setAsking(true) : void go())}>
        {isNew ? say.submit[authority] : say.again}
      </Button>
      {asking && (
        <Ask
          title={say.submitTitle[authority]?.(doc.invoiceNumber ?? '') ?? say.title}
          act={say.submit[authority] ?? say.again}
          busy={busy}
          onAct={() => void go()}
          onClose={() => setAsking(false)}
        >
          <p>{say.final[authority]}</p>
          {environment === 'sandbox' && <p className="text-warn">{say.sandbox}</p>}
        </Ask>
      )}
    </>
  )
}
