import { cedar } from './cedar.ts'
import type { Company } from './company.ts'
import { galil } from './galil.ts'
import { straits } from './straits.ts'

/**
 * The three demo companies, in the order in which they are filled: the first one is there when Kontor answers. All data is
 * fictitious; numbers have the right format but belong to no real account.
 */
export const companies: readonly [Company, ...Company[]] = [cedar, galil, straits]
