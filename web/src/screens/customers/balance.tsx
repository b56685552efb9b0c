import type { Output } from '../../api.ts'
import { Money } from '../../shown.tsx'
import { useWords } from '../../words.ts'
import { customerWords } from './words.ts'

export type Row = Output<'customers_list'>['customers'][number]

/** What is open in each currency; what of it is late stands out. */
export const Open = ({ of }: { of: Row['openBalances'] }) =>
  of === undefined || of.length === 0 ? (
    <span className="text-soft">–</span>
  ) : (
    <span className="inline-flex flex-wrap justify-end gap-x-3">
      {of.map(({ currency, amount, lateAmount }) => (
        <span key={currency} className={lateAmount > 0 ? 'text-danger' : ''}>
          <Money amount={amount} currency={currency} />
        </span>
      ))}
    </span>
  )

type Aging = Output<'reports_customer_statement'>['currencies'][number]['aging']
const late = ['days1To30', 'days31To60', 'days61To90', 'over90'] as const

/** The open amounts of a currency by age, the oldest last. Ages without an amount are left out. */
export function Ages({ aging, currency }: { aging: Aging; currency: string }) {
  const say = useWords(customerWords)
  const ages = (['current', ...late, 'credits'] as const).filter((age) => aging[age] !== 0)
  const total = ages.reduce((sum, age) => sum + aging[age], 0)
  const top = Math.max(...ages.map((age) => Math.abs(aging[age])), 0.01)
  if (ages.length === 0) return null
  return (
    <div className="grid gap-2">
      <div className="figure-text text-xl">
        <Money amount={Math.round(total * 1e6) / 1e6} currency={currency} />
      </div>
      <dl className="grid gap-2">
        {ages.map((age) => (
          <div key={age} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
            <dt className="text-soft">{say.ages[age]}</dt>
            <dd>
              <Money amount={age === 'credits' ? -Math.abs(aging[age]) : aging[age]} currency={currency} />
            </dd>
            <dd aria-hidden className="col-span-2 h-1 rounded-full bg-tint">
              <div
                className={`h-full rounded-full ${late.some((each) => each === age) ? 'bg-danger' : 'bg-accent/70'}`}
                style={{ width: `${(Math.abs(aging[age]) / top) * 100}%` }}
              />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
