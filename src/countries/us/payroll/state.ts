import type { PayFacts } from '../../payroll/facts.ts'
import { at, type Taxes } from './contributions.ts'
import type { Wages } from './wages.ts'

/**
 * State and local income tax from the facts of the employee: the tables of the states are not part of this program. The base
 * is that of federal income tax.
 */
export function stateAndLocalTax({ regular, supplemental }: Wages, facts: PayFacts): Taxes {
  const wages = regular + supplemental
  const { state, localRate = 0 } = facts
  const steps = stateTax(wages, facts)
  const tax = steps.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return {
    steps: {
      SIT: steps,
      LOCAL:
        localRate === 0 ? [] : at(`${localRate}`, wages, 'Taxable wages', 'Local income tax, rate of the employee'),
    },
    bases: {
      STATE_WAGES: wages,
      ...(state === undefined ? {} : { [`STATE_WAGES_${state}`]: wages, [`STATE_TAX_${state}`]: tax }),
      LOCAL_WAGES: localRate === 0 ? 0n : wages,
    },
  }
}

/** An amount for the pay period, or else a rate. */
function stateTax(wages: bigint, { state, stateRate = 0, stateTaxMinor: amountMinor }: PayFacts) {
  const name = state === undefined ? 'State income tax' : `State income tax of ${state}`
  if (amountMinor === undefined) {
    return stateRate === 0 ? [] : at(`${stateRate}`, wages, 'Taxable wages', `${name}, rate of the employee`)
  }
  const rule = `${name}, amount of the employee for a pay period`
  return amountMinor === 0n || wages === 0n
    ? []
    : [{ description: 'Amount for the pay period', baseMinor: wages, rate: null, amountMinor, rule }]
}
