import type { Country } from './country.ts'
import { il } from './il/il.ts'
import { sg } from './sg/sg.ts'
import { us } from './us/us.ts'

export const countries: Record<Country['code'], Country> = { IL: il, SG: sg, US: us }
