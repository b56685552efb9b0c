import { cedar } from './cedar.ts'
import type { Company } from './company.ts'
import { galil } from './galil.ts'
import { straits } from './straits.ts'

/** Three living companies. Everything here is made up; numbers are of the right form and end in no real account. */
export const companies: readonly Company[] = [galil, straits, cedar]
