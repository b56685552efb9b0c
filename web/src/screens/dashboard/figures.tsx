import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Output } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Money, Percent, shownDay } from '../../shown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { figureLook } from './figure-look.ts'
import { dashboardWords } from './words.ts'

export type Sums = Output<'dashboard_get'>

export function Figures({ sums, before }: { sums: Sums; before: Sums | undefined }) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const currency = sums.displayCurrency
  const late = sums.pendingPaymentsList.filter(({ daysOverdue }) => daysOverdue > 0).length
  const documents = (view: string): Way => ({ to: '/o/$org/documents', params: { org }, search: { view } as never })
  return (
    <ul className={figureLook.figures}>
      <Figure way={documents('paid')} name={say.revenue} sub={<Growth of={sums.growth} before={before} />}>
        <Money amount={sums.totalRevenue} currency={currency} />
      </Figure>
      <Figure
        way={documents(late > 0 ? 'overdue' : 'open')}
        name={say.open}
        sub={<span className={late > 0 ? 'text-danger' : ''}>{say.late(late)}</span>}
      >
        <Money amount={sums.outstandingAmount} currency={currency} />
      </Figure>
      <Figure
        way={documents(sums.invoicesByStatus.unsent > 0 ? 'toSend' : 'drafts')}
        name={say.pending}
        sub={say.drafts(sums.invoicesByStatus.draft, sums.invoicesByStatus.unsent)}
      >
        <Money amount={sums.pendingAmount} currency={currency} />
      </Figure>
      <Figure
        way={{ to: '/o/$org/reports/$name', params: { org, name: 'profit-and-loss' } }}
        name={say.margin}
        sub={
          <>
            <Percent of={sums.marginPercent} plain /> {say.marginIs}
          </>
        }
      >
        <Money amount={sums.netTotal} currency={currency} />
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
      <span className={figureLook.below}>{sub}</span>
    </Link>
  </li>
)

/** Compared with the year before, if there was anything in it: growth from nothing is no figure. */
function Growth({ of: growth, before }: { of: number; before: Sums | undefined }) {
  const say = useWords(dashboardWords)
  if (before?.totalRevenue === 0) return say.noYearBefore
  return (
    <>
      <span className={growth < 0 ? 'text-danger' : 'text-accent'}>
        <Percent of={growth} />
      </span>{' '}
      {say.than}
    </>
  )
}

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
