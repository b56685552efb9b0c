import { defaulted, nullable, OneOf, optional, type Static, storable, Type } from '../../../core/define/schema.ts'
import { adjustmentKinds } from '../../../countries/payroll/payroll.ts'

const Amount = Type.Number({ minimum: -1e9, maximum: 1e9, description: 'In major units.' })
const Days = (description: string) => Type.Number({ minimum: 0, maximum: 1_000, description })

/** Hours and leave of the month. They are printed on the payslip and change no amount. */
export const Work = Type.Partial(
  Type.Object({
    workedDays: Days('Days worked.'),
    workedHours: Days('Hours worked.'),
    overtimeHours: Days('Hours of overtime, whose pay is an adjustment.'),
    vacationAccrued: Days('Vacation days earned.'),
    vacationUsed: Days('Vacation days taken.'),
    sickAccrued: Days('Sick days earned.'),
    sickUsed: Days('Sick days taken.'),
  }),
)
export type Work = Static<typeof Work>

/** What is added to the wage in a month. */
export const RunInputs = Type.Object({
  ...optional({
    additionalWage: { ...Amount, minimum: 0, description: 'A bonus or the like, in major units.' },
    work: Work,
  }),
  adjustments: defaulted(
    Type.Array(
      Type.Object({
        description: Type.String({ minLength: 1, maxLength: 500, pattern: storable, examples: ['Overtime'] }),
        amount: { ...Amount, description: 'In major units; negative for absence.', examples: [250] },
        kind: defaulted(OneOf(...adjustmentKinds), 'OTHER'),
      }),
      { maxItems: 100 },
    ),
    [],
  ),
})
export type RunInputs = Static<typeof RunInputs>

export const noInputs: RunInputs = { adjustments: [] }

export const GivenInputs = Type.Optional(nullable(RunInputs))
