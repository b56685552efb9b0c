import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Output } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Count, Money, shownNumber } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { fileWords } from './file-words.ts'

type Checked = Output<'reports_statutory_file'>
type Found = Checked['problems'][number]

/** What the authority would refuse in a file, what somebody should look at, and what is in it. */
export function Checklist({ of }: { of: Checked }) {
  const say = useWords(fileWords)
  const rejected = of.problems.filter(({ severity }) => severity === 'REJECTED')
  const toCheck = of.problems.filter(({ severity }) => severity === 'CHECK')
  return (
    <>
      {of.problems.length === 0 && !of.problemsIncomplete ? (
        <p role="status" className="flex items-center gap-2 bg-wash text-accent rounded-md px-3 py-2">
          <Icon name="done" />
          {say.ready}
        </p>
      ) : (
        rejected.length > 0 && (
          <p role="status" className="flex items-center gap-2 bg-danger-wash text-danger rounded-md px-3 py-2">
            <Icon name="alert" />
            {say.downloadAnyway(rejected.length)}
          </p>
        )
      )}
      <Problems title={say.rejected} of={rejected} tone="text-danger" />
      <Problems title={say.check} of={toCheck} tone="text-warn" />
      {of.problemsIncomplete && <p className="text-soft">{say.incomplete}</p>}
      {of.totals.length > 0 && <Totals of={of.totals} />}
    </>
  )
}

const shownAtFirst = 20

function Problems({ title, of, tone }: { title: string; of: readonly Found[]; tone: string }) {
  const say = useWords(fileWords)
  const lang = useLanguage()
  const [all, setAll] = useState(false)
  if (of.length === 0) return null
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {title} <span className={`${tone} tabular-nums`}>{shownNumber(lang, of.length)}</span>
        </span>
      }
      className="pb-2"
    >
      <ul>
        {of.slice(0, all ? undefined : shownAtFirst).map((each, at) => (
          <OneProblem key={at} of={each} tone={tone} />
        ))}
      </ul>
      {!all && of.length > shownAtFirst && (
        <div className="px-4 pt-1">
          <Button look="quiet" icon="down" onPress={() => setAll(true)}>
            {say.more(shownNumber(lang, of.length - shownAtFirst))}
          </Button>
        </div>
      )}
    </Card>
  )
}

function OneProblem({ of: { code, message, documentId, supplierId }, tone }: { of: Found; tone: string }) {
  const say = useWords(fileWords)
  const { id: org } = useOrganization()
  const known = say.problems[code]
  return (
    <li className="flex gap-2.5 px-4 py-2 border-b border-rule last:border-0">
      <Icon name="alert" className={`${tone} mt-0.5`} />
      <span className="min-w-0 grid gap-0.5">
        {known && <span>{known}</span>}
        <bdi className={`block on-line-start break-words ${known ? 'text-sm text-soft' : ''}`}>{message}</bdi>
        {documentId && <OpenDocument id={documentId} />}
        {supplierId && (
          <Link
            to="/o/$org/$area"
            params={{ org, area: 'suppliers' }}
            search={{ open: supplierId } as never}
            className="justify-self-start text-accent underline"
          >
            {say.supplier}
          </Link>
        )}
      </span>
    </li>
  )
}

/** Codes of records, documents, boxes and states, which people know; other codes are names of figures. */
const ownCode = /^[A-Z]?\d{1,4}$|^[A-Z]{2}$/

/** A checklist names sales documents and expenses alike; which one it is, the server knows. */
function OpenDocument({ id }: { id: string }) {
  const say = useWords(fileWords)
  const { id: org } = useOrganization()
  const navigate = useNavigate()
  const open = () =>
    call('invoices_get', { id }).then(
      () => navigate({ to: '/o/$org/documents/$id', params: { org, id } }),
      () => navigate({ to: '/o/$org/$area', params: { org, area: 'expenses' }, search: { open: id } as never }),
    )
  return (
    <button type="button" className="justify-self-start text-accent underline" onClick={() => void open()}>
      {say.document}
    </button>
  )
}

function Totals({ of }: { of: Checked['totals'] }) {
  const say = useWords(fileWords)
  const { currency } = useOrganization()
  return (
    <Card title={say.totals} className="pb-3">
      <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={say.totals}>
        <table className="w-full">
          <thead>
            <tr className="border-b border-rule text-xs text-soft">
              <th scope="col" className="px-4 py-2 font-normal text-start">
                {say.name}
              </th>
              <th scope="col" className="px-4 py-2 font-normal number">
                {say.number}
              </th>
              <th scope="col" className="px-4 py-2 font-normal number">
                {say.amount}
              </th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ code, name, count, amount }, at) => (
              <tr key={at} className="border-b border-rule last:border-0 hover:bg-tint">
                <td className="px-4 py-2">
                  {ownCode.test(code) && (
                    <bdi dir="ltr" className="text-soft tabular-nums me-1.5">
                      {code}
                    </bdi>
                  )}
                  {say.sums[code] ?? <bdi>{name}</bdi>}
                </td>
                <td className="px-4 py-2 number">{count === null ? null : <Count of={count} />}</td>
                <td className="px-4 py-2 number">
                  {amount === null ? null : <Money amount={amount} currency={currency} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
