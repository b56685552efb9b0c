import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hrefOf, type Output, read } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Day, Money, today } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useLanguage, useWords } from '../../words.ts'
import type { Customer } from './facts.tsx'
import { SendStatement } from './send-statement.tsx'
import { customerWords } from './words.ts'

/** The account of a customer over a time: read, printed, saved as a sheet, sent. */
export function Statement({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const say = useWords(customerWords)
  const may = useMay()
  const reader = useLanguage()
  const [asked, setAsked] = useState<{ from: string; to: string; language: 'en' | 'he' }>({
    from: `${today().slice(0, 4)}-01-01`,
    to: today(),
    language: reader,
  })
  const [sending, setSending] = useState(false)
  const input = { id: customer.id, ...asked }
  const { data, error } = useQuery({
    ...read('reports_customer_statement', input),
    placeholderData: keepPreviousData,
  })
  const file = (format: 'pdf' | 'xlsx') => () =>
    window.open(hrefOf('reports_customer_statement', { ...input, format }), '_blank', 'noreferrer')
  if (sending) return <SendStatement asked={input} onBack={() => setSending(false)} onClose={onClose} />
  return (
    <Dialog
      wide
      title={`${say.statement} · ${customer.displayName}`}
      onClose={onClose}
      footer={
        <>
          <Button icon="export" onPress={file('xlsx')}>
            {say.sheet}
          </Button>
          <Button icon="pdf" onPress={file('pdf')}>
            {say.pdf}
          </Button>
          {may('reports_customer_statement_send') && (
            <Button look="primary" icon="send" onPress={() => setSending(true)}>
              {say.send}
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-2 sm:grid-cols-3 gap-3">
        <Field label={say.from}>
          <DayField value={asked.from} onDay={(from) => setAsked({ ...asked, from })} />
        </Field>
        <Field label={say.to}>
          <DayField value={asked.to} onDay={(to) => setAsked({ ...asked, to })} />
        </Field>
        <Field label={say.language}>
          <Select
            value={asked.language}
            options={[
              { value: 'en', label: say.languages.en },
              { value: 'he', label: say.languages.he },
            ]}
            onChange={(language) => setAsked({ ...asked, language })}
          />
        </Field>
      </div>
      {error ? (
        <Problem error={error} />
      ) : !data ? (
        <Skeleton className="h-60" />
      ) : data.currencies.length === 0 ? (
        <p className="text-soft">{say.noEntries}</p>
      ) : (
        data.currencies.map((each) => <Account key={each.currency} of={each} />)
      )}
    </Dialog>
  )
}

function Account({ of }: { of: Output<'reports_customer_statement'>['currencies'][number] }) {
  const say = useWords(customerWords)
  const { currency, openingBalance, entries, closingBalance } = of
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={`${say.statement} ${currency}`}>
      <table className="w-full">
        <thead className="text-sm text-soft">
          <tr>
            <th className="text-start font-normal py-1 pe-3">{say.day}</th>
            <th className="text-start font-normal py-1 pe-3">{say.what}</th>
            <th className="text-end font-normal py-1 pe-3">{say.amount}</th>
            <th className="text-end font-normal py-1">{say.balanceAfter}</th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-rule">
            <td colSpan={3} className="py-1.5 text-soft">
              {say.opening}
            </td>
            <td className="text-end">
              <Money amount={openingBalance} currency={currency} />
            </td>
          </tr>
          {entries.map((entry, at) => (
            <tr key={at} className="border-t border-rule">
              <td className="py-1.5 pe-3">
                <Day at={entry.date} short />
              </td>
              <td className="py-1.5 pe-3">
                <bdi>{entry.description}</bdi>
              </td>
              <td className="py-1.5 pe-3 text-end">
                <Money amount={entry.amount} currency={currency} />
              </td>
              <td className="py-1.5 text-end">
                <Money amount={entry.balance} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-ink/80 font-medium">
            <td colSpan={3} className="py-2">
              {say.closing}
            </td>
            <td className="text-end">
              <span className="double-rule pb-1">
                <Money amount={closingBalance} currency={currency} />
              </span>
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
