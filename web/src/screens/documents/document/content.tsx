import type { ReactNode } from 'react'
import type { Output } from '../../../api.ts'
import { useOwnCountry } from '../../../country.ts'
import { Day, daysBetween, Money, shownNumber } from '../../../shown.tsx'
import { Name } from '../../../ui/values/name.tsx'
import { Status, statusOf } from '../../../ui/values/status.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useHere } from '../here.ts'
import { documentWords } from './document-words.ts'
import { signed } from './signed.ts'

export type Doc = Output<'invoices_get'>

/** State and what is open, over the big sum. */
export function Headline({ doc, children }: { doc: Doc; children?: ReactNode }) {
  const say = useWords(documentWords)
  const { today } = useHere()
  const state = statusOf(doc, today)
  const late = state === 'LATE' && doc.dueDate ? daysBetween(doc.dueDate, today) : 0
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="flex items-center gap-2">
          <Status is={state} share={doc.total > 0 ? (doc.paidAmount + doc.creditedAmount) / doc.total : 0} />
          {late > 0 && <span className="text-sm text-danger">· {say.late(late)}</span>}
        </span>
        {doc.openBalance > 0 && doc.openBalance < doc.total && (
          <span className="text-sm text-soft">
            {say.open} <Money amount={doc.openBalance} currency={doc.currency} quiet />
          </span>
        )}
      </div>
      <div className="figure-text text-2xl" data-sum>
        <Money amount={signed(doc)} currency={doc.currency} />
      </div>
      {children}
    </div>
  )
}

/** From whom, for whom, and the days. */
export function Parties({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const { allocationNumbers } = useOwnCountry()
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 py-3 border-t border-rule">
      <Fact name={say.for} grows>
        <Name className="font-medium">{doc.customer?.name}</Name>
        {doc.customer?.email && (
          <bdi dir="ltr" className="text-sm text-soft break-all">
            {doc.customer.email}
          </bdi>
        )}
      </Fact>
      <Fact name={say.issued}>{doc.status === 'DRAFT' ? '–' : <Day at={doc.issueDate} />}</Fact>
      {doc.paymentDate && doc.openBalance === 0 ? (
        <Fact name={say.paidOn}>
          <Day at={doc.paymentDate} />
        </Fact>
      ) : (
        <Fact name={say.due}>{doc.dueDate ? <Day at={doc.dueDate} /> : '–'}</Fact>
      )}
      {doc.bankAccount && (
        <Fact name={say.into}>
          <Name>{doc.bankAccount.accountName}</Name>
        </Fact>
      )}
      {doc.vatAllocationNumber && allocationNumbers && (
        <Fact name={say.allocationNumber}>
          <bdi dir="ltr" className="tabular-nums">
            {doc.vatAllocationNumber}
          </bdi>
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children, grows = false }: { name: string; children: ReactNode; grows?: boolean }) => (
  <div className={`grid gap-0.5 content-start min-w-0 ${grows ? 'flex-1 basis-40' : ''}`}>
    <dt className="text-xs text-soft">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)

/** The lines, and what they add up to over the double rule. */
export function LinesAndSums({ doc }: { doc: Doc }) {
  const say = useWords(documentWords)
  const lang = useLanguage()
  const { tax } = useHere()
  const rate = doc.taxRate === null ? '' : ` ${shownNumber(lang, doc.taxRate)}%`
  const sums: readonly (readonly [string, number])[] = [
    [say.subtotal, doc.subtotal],
    [`${tax.name || say.tax}${rate}`, doc.taxAmount],
  ]
  const settled: readonly (readonly [string, number])[] = [
    [say.paid, doc.documentType === 'CREDIT_MEMO' ? 0 : -doc.paidAmount],
    [say.credited, -doc.creditedAmount],
  ]
  return (
    <section aria-label={say.lines} className="border-t border-ink/80">
      <ul>
        {doc.items.map((line) => (
          <li key={line.id} className="grid grid-cols-[minmax(0,1fr)_8rem] gap-4 py-2.5 border-b border-rule">
            <span className="min-w-0">
              <bdi className="block on-line-start whitespace-pre-wrap">{line.description}</bdi>
              <bdi className="text-sm text-soft tabular-nums" dir="ltr">
                {shownNumber(lang, line.quantity)} × {shownNumber(lang, line.unitPrice, 2)}
                {line.discountPercent ? ` − ${shownNumber(lang, line.discountPercent)}%` : ''}
                {line.discountAmount ? ` − ${shownNumber(lang, line.discountAmount)}` : ''}
              </bdi>
            </span>
            <span className="number">
              <Money amount={line.amount} currency={doc.currency} />
            </span>
          </li>
        ))}
      </ul>
      <dl className="ms-auto max-w-72 py-2">
        {sums.map(([name, amount]) => (
          <Row key={name} name={name} amount={amount} currency={doc.currency} />
        ))}
        <div className="grid grid-cols-[minmax(0,1fr)_8rem] font-medium pt-1.5 mt-1 pb-2 double-rule">
          <dt>{say.total}</dt>
          <dd className="number">
            <Money amount={doc.total} currency={doc.currency} />
          </dd>
        </div>
        {settled
          .filter(([, amount]) => amount !== 0)
          .map(([name, amount]) => (
            <Row key={name} name={name} amount={amount} currency={doc.currency} />
          ))}
        {doc.openBalance > 0 && doc.openBalance !== doc.total && (
          <div className="grid grid-cols-[minmax(0,1fr)_8rem] font-medium py-1">
            <dt>{say.open}</dt>
            <dd className="number">
              <Money amount={doc.openBalance} currency={doc.currency} />
            </dd>
          </div>
        )}
      </dl>
      {doc.notes && (
        <div className="pt-1 pb-3">
          <h2 className="text-xs text-soft">{say.notes}</h2>
          <bdi className="block on-line-start whitespace-pre-wrap">{doc.notes}</bdi>
        </div>
      )}
    </section>
  )
}

const Row = ({ name, amount, currency }: { name: string; amount: number; currency: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)_8rem] py-0.5">
    <dt className="text-soft">{name}</dt>
    <dd className="number">
      <Money amount={amount} currency={currency} quiet />
    </dd>
  </div>
)

/** A part of a document under a heading. */
export const Part = ({ title, tools, children }: { title: string; tools?: ReactNode; children: ReactNode }) => (
  <section className="grid gap-2 content-start">
    <header className="flex items-center justify-between gap-2 border-t border-rule pt-3">
      <h2 className="text-sm font-medium">{title}</h2>
      {tools}
    </header>
    {children}
  </section>
)
