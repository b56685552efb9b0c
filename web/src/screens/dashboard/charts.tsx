import { Link } from '@tanstack/react-router'
import { useOrganization, useTaxName } from '../../session.ts'
import { Card, Skeleton } from '../../ui/card.tsx'
import { Bars } from '../../ui/values/bars.tsx'
import { useWords } from '../../words.ts'
import type { Sums } from './figures.tsx'
import { dashboardWords } from './words.ts'

const accent = (percent: number) => `color-mix(in srgb, var(--color-accent) ${percent}%, transparent)`
const lastDay = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)

/** Invoices of each month by their state, with what was paid in the year before as a dotted line. A month leads to its documents. */
export function RevenueChart({ sums, before }: { sums: Sums | undefined; before: Sums | undefined }) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  const tax = useTaxName()
  const title = `${say.perMonth}, ${say.withTax(tax)}`
  const hadRevenue = before?.revenueByMonth.some(({ revenue }) => revenue > 0)
  const legend: [string, string][] = [
    [say.paid, 'bg-accent'],
    [say.sent, 'bg-accent/45'],
    [say.unsent, 'bg-accent/18'],
  ]
  return (
    <Card title={title} action={<Legend entries={legend} {...(hadRevenue && { dotted: say.beforeLine })} />}>
      <div className="p-4 pt-5">
        {sums ? (
          <Bars
            label={title}
            currency={sums.displayCurrency}
            months={sums.revenueByMonth.map((each) => ({ ...each, rest: each.unsent + each.draft }))}
            series={[
              { key: 'rest', label: say.unsent, color: accent(18) },
              { key: 'sent', label: say.sent, color: accent(45) },
              { key: 'revenue', label: say.paid, color: 'var(--color-accent)' },
            ]}
            compared={
              before && hadRevenue
                ? { label: say.beforeLine, amounts: before.revenueByMonth.map(({ revenue }) => revenue) }
                : undefined
            }
            wayOf={(month) => ({
              to: '/o/$org/documents',
              params: { org },
              search: { from: `${month}-01`, to: lastDay(month) } as never,
            })}
          />
        ) : (
          <Skeleton className="h-56" />
        )}
      </div>
    </Card>
  )
}

/** What came in above the line, what went out below it. */
export function CashChart({ sums }: { sums: Sums | undefined }) {
  const say = useWords(dashboardWords)
  const { id: org } = useOrganization()
  return (
    <Card
      title={
        <Link to="/o/$org/payments" params={{ org }} className="hover:underline">
          {say.cash}
        </Link>
      }
      action={
        <Legend
          entries={[
            [say.inflow, 'bg-accent'],
            [say.outflow, 'bg-warn'],
          ]}
        />
      }
    >
      <div className="p-4 pt-5">
        {sums ? (
          <Bars
            label={say.cash}
            height={132}
            currency={sums.displayCurrency}
            months={sums.cashFlowByMonth}
            series={[
              { key: 'inflow', label: say.inflow, color: 'var(--color-accent)' },
              { key: 'outflow', label: say.outflow, color: 'var(--color-warn)', below: true },
            ]}
          />
        ) : (
          <Skeleton className="h-36" />
        )}
      </div>
    </Card>
  )
}

const Legend = ({ entries, dotted }: { entries: [string, string][]; dotted?: string }) => (
  <ul className="flex flex-wrap gap-x-3 text-xs text-soft">
    {entries.map(([name, color]) => (
      <li key={name} className="flex items-center gap-1.5">
        <span className={`size-2 rounded-full ${color}`} />
        {name}
      </li>
    ))}
    {dotted && (
      <li className="flex items-center gap-1.5">
        <span className="w-3 border-t-2 border-dotted border-soft" />
        {dotted}
      </li>
    )}
  </ul>
)
