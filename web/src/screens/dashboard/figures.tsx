import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Output, read } from '../../api.ts'
import { useOrganization, useTaxName } from '../../session.ts'
import { Money, Percent, shownDay } from '../../shown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { figureLook } from './figure-look.ts'
import { dashboardWords } from './words.ts'

export type Sums = Output<'dashboard_get'>

type Compared = { sums: Sums; before: Sums | undefined }

/** Revenue and net are of the books, without tax; what is open is of all years. */
export function Figures({ year, sums, before }: { year: number } & Compared) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const tax = useTaxName()
  const { displayCurrency: currency, netOfTax } = sums
  const { data: overdue } = useQuery(read('invoices_list', { organizationId: org, view: 'overdue', limit: 1 }))
  const late = overdue?.pagination.total ?? 0
  const documents = (view: string): Way => ({ to: '/o/$org/documents', params: { org }, search: { view } as never })
  const report = (name: string): Way => ({
    to: '/o/$org/reports/$name',
    params: { org, name },
    search: { from: `${year}-01-01`, to: `${year}-12-31` } as never,
  })
  return (
    <ul className={figureLook.figures}>
      <Figure way={report('income')} name={say.revenue(tax)} sub={<Growth sums={sums} before={before} />}>
        {netOfTax ? <Money amount={netOfTax.revenue} currency={currency} /> : '…'}
      </Figure>
      <Figure
        way={documents(late > 0 ? 'overdue' : 'open')}
        name={say.open}
        sub={overdue && <span className={late > 0 ? 'text-danger' : ''}>{say.late(late)}</span>}
      >
        <Money amount={sums.openBalance} currency={currency} />
      </Figure>
      <Figure
        way={documents(sums.invoicesByStatus.unsent > 0 ? 'toSend' : 'drafts')}
        name={say.pending}
        sub={say.drafts(sums.invoicesByStatus.draft, sums.invoicesByStatus.unsent)}
      >
        <Money amount={sums.pendingAmount} currency={currency} />
      </Figure>
      <Figure way={report('profit-and-loss')} name={say.margin(tax)} sub={<Margin sums={sums} />}>
        {netOfTax ? <Money amount={netOfTax.net} currency={currency} /> : '…'}
      </Figure>
    </ul>
  )
}

type Way = Pick<LinkProps, 'to' | 'params' | 'search'>
type FigureProps = { way: Way; name: string; sub: ReactNode; children: ReactNode }

const Figure = ({ way, name, sub, children }: FigureProps) => (
  <li className={figureLook.figure}>
    <Link {...(way as LinkProps)} className={`${figureLook.inside} hover:bg-tint -outline-offset-2`}>
      <span className={figureLook.name}>{name}</span>
      <span className={figureLook.amount}>{children}</span>
      <span className={figureLook.below}>{sub ?? '\u00a0'}</span>
    </Link>
  </li>
)

/** Compared with the year before, if there was anything in it: growth from nothing is no figure. */
function Growth({ sums, before }: Compared) {
  const say = useWords(dashboardWords)
  if (!sums.netOfTax) return say.addedUp
  if (!before?.netOfTax) return '\u00a0'
  if (before.netOfTax.revenue === 0) return say.noYearBefore
  const growth = percentOf(sums.netOfTax.revenue - before.netOfTax.revenue, Math.abs(before.netOfTax.revenue))
  return (
    <>
      <span className={growth < 0 ? 'text-danger' : 'text-accent'}>
        <Percent of={growth} />
      </span>{' '}
      {say.than}
    </>
  )
}

/** All of the revenue is no margin: then expenses are not recorded yet. */
function Margin({ sums: { netOfTax } }: Pick<Compared, 'sums'>) {
  const say = useWords(dashboardWords)
  if (!netOfTax) return say.addedUp
  if (netOfTax.expenses === 0 && netOfTax.revenue > 0) return say.noExpenses
  return (
    <>
      <Percent of={netOfTax.revenue > 0 ? percentOf(netOfTax.net, netOfTax.revenue) : 0} plain /> {say.marginIs}
    </>
  )
}

const percentOf = (part: number, whole: number) => Math.round((part / whole) * 10_000) / 100

/** How amounts of other currencies came into the sums; a missing rate stands out. */
export function CurrencyNote({ sums }: { sums: Sums }) {
  const say = useWords(dashboardWords)
  const lang = useLanguage()
  if (!sums.fxIncomplete && !sums.fxConverted) return null
  if (!sums.fxIncomplete) return <p className="text-xs text-soft">{say.rates(shownDay(lang, sums.exchangeRateDate))}</p>
  return (
    <p role="note" className="flex items-center gap-2 text-sm text-warn bg-warn-wash rounded-md px-3 py-2">
      <Icon name="alert" />
      {say.missing((sums.fxMissingCurrencies ?? []).join(', '))}
    </p>
  )
}
