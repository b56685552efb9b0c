import type { Inside } from '../core/define/operation.ts'
import type { ClearanceHandler, ClearanceHandlers } from '../core/outside/clearance.ts'
import { countries } from '../countries/countries.ts'
import type { CountryCode } from '../countries/country.ts'
import type { Filed, Filings } from '../countries/filings.ts'
import { israel } from '../countries/il/filings/filings.ts'
import { singapore } from '../countries/sg/filings/filings.ts'
import { unitedStates } from '../countries/us/filings/filings.ts'
import { requireCountry } from '../features/pay/payroll-forms/require-country.ts'

/** What is filed in each country. Only this file imports it, and hands each part to the feature that asks for it. */
const filings = { IL: israel, SG: singapore, US: unitedStates } satisfies Record<CountryCode, Filings>

const codes = Object.keys(filings) as CountryCode[]

const ofCountries = <T>(part: (filed: Filings) => T) =>
  Object.fromEntries(codes.map((code) => [code, part(filings[code])])) as Record<CountryCode, T>

export const statutoryFiles = ofCountries((filed) => filed.statutoryFiles)
export const bankFormats = ofCountries((filed) => filed.bankFormats)
export const bankFormatNames = ofCountries((filed) => filed.bankFormats.map(({ id }) => id))

/** How documents are submitted to the integration of each country that has one. */
export const clearanceHandlers: ClearanceHandlers = Object.fromEntries(
  codes.flatMap((code): [string, ClearanceHandler][] => {
    const [{ integration }, { clearance }] = [countries[code], filings[code]]
    return integration && clearance ? [[integration.integrationId, clearance]] : []
  }),
)

/** The reports of all countries, each with its country. */
export const countryReports = codes.flatMap((code) =>
  filings[code].reports.map((operation) => ofCountry(code, operation)),
)

/** The forms of all countries, each with its country; an organization of another one is refused. */
export const countryForms = codes.flatMap((code) =>
  filings[code].forms.map(({ name, operation }) => ofCountry(code, onlyThere(code, name, operation))),
)

function ofCountry<O extends Filed>(country: CountryCode, operation: O): O {
  return { ...operation, country }
}

function onlyThere<O extends Filed>(code: CountryCode, form: string, operation: O): O {
  const { run } = operation
  return {
    ...operation,
    run: {
      ...run,
      async do(context: Inside, input: never) {
        await requireCountry(context.db, code, form)
        return run.do(context as never, input)
      },
    },
  }
}
